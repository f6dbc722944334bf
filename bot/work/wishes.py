"""What is wanted at this moment: the request as it reads now with all that was said since, and what was made of it."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from functools import reduce
from itertools import zip_longest

from sqlmodel import Session

from bot.agent.wanted import Wanted
from bot.domain.accounted import NOTHING_HEARD, Heard, left_out
from bot.domain.request import Wish, guided, read
from bot.domain.taken_words import taken
from bot.domain.unread_words import cadence_of
from bot.store import plans, runs, talk
from bot.store.plans import known
from bot.store.tables_plans import Routine
from bot.store.tables_talk import Task
from bot.work.destinations import channels_to_post_in
from bot.work.jobs import say
from bot.work.parts import JobParts
from bot.work.propose import routine_of
from bot.work.thread import place_of
from library.facts import name_pattern
from library.filling import FILE, LEAVE_OUT

UNUSED = (
    "{name} is not used: a first plan is made by a script of the library, or one that a model writes, and what I show "
    "here is made without yours. Once the routine is approved and a slot of it halts, post {name} in this thread: then "
    "I try it on that slot's files and propose it as a version."
)


def wanted_now(parts: JobParts, task_id: int, zone: str) -> tuple[Wanted, Routine | None]:
    """The request with all guidance since, and its routine. `zone` is the requester's, where the words name none."""
    with parts.db.transaction() as session:
        task = session.get_one(Task, task_id)
        routine = routine_of(session, task)
        names = plans.routine_names(session, task.team_id)
    found = wishes(parts, task)
    wish = reduce(guided, found)
    return Wanted(
        wish=wish,
        messages=tuple(one.text for one in found),
        channel_id=task.channel_id,
        zone=wish.zone or zone,
        routine_name=routine.name if routine else "",
        taken_names=names,
        answers={**{name: str(value) for name, value in task.answers.items()}, **_left_out(parts, task)},
        destinations=parts.settings.destinations,
        allowed_domains=parts.settings.allowed_mail_domains,
        default_time=parts.settings.default_time,
        box_image=parts.settings.box_template,
        asked_at=task.asked_at,
        post_to=channels_to_post_in(parts, task, wish),
    ), routine


def wishes(parts: JobParts, task: Task) -> list[Wish]:
    """The request, and each guidance since. A bare time in the request is none of a schedule; in a reply it is."""
    with parts.db.transaction() as session:
        said = [row.text for row in talk.guidance(session, known(task.id))]
    first, *later = [read(text, parts.settings.default_time) for text in (task.request, *said)]
    return [replace(first, at=""), *later]


def tell_taken(parts: JobParts, task: Task, wanted: Wanted, heard: Sequence[Heard]) -> None:
    """Say once of each reply what was read in it, and what was not: nothing that people said is dropped silently.

    What a script made of the words was read; `heard` is of the request and of each reply.
    """
    cadence = "" if wanted.is_once else cadence_of(wanted.when)
    with parts.db.transaction() as session:
        files = tuple(names_of_files(session, task, parts.clock.now()))
        for row, known_of_it in zip_longest(talk.guidance(session, known(task.id)), heard[1:], fillvalue=None):
            if row is None:
                return
            of_it = replace(known_of_it or NOTHING_HEARD, files=files)
            found = taken(row.text, parts.settings.default_time, wanted.zone, task.asked_at, of_it, cadence)
            if found.read or (found.unread and task.routine_id is not None):
                say(session, place_of(task), f"said:{row.id}:taken", found.words())


def tell_unused(parts: JobParts, task: Task) -> None:
    """Say of scripts that came with the request that this plan is made without them, and what to do."""
    with parts.db.transaction() as session:
        for name in talk.scripts_of_request(session, task):
            say(session, place_of(task), f"task:{known(task.id)}:unused:{name}", UNUSED.format(name=name))


def names_of_files(session: Session, task: Task, now: datetime) -> list[str]:
    """Of what is attached, and of what the routine's newest report was made from: people may speak of either."""
    names = [file.name for file in talk.files_of_thread(session, task)]
    reported = runs.reported_before(session, task.routine_id, now, 1) if task.routine_id else []
    return list(
        dict.fromkeys([*names, *(one.name for _, run in reported for one in runs.inputs_of(session, known(run.id)))])
    )


def _left_out(parts: JobParts, task: Task) -> dict[str, str]:
    """Files that the request or a reply says to leave out, as if a form had been answered."""
    with parts.db.transaction() as session:
        names = names_of_files(session, task, parts.clock.now())
        said = [task.request, *(row.text for row in talk.guidance(session, known(task.id)))]
    return {FILE + name_pattern(name): LEAVE_OUT for text in said for name in left_out(text, names)}
