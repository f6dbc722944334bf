"""A rehearsed draft becomes a version with a card: rows first, in one transaction, then the message."""

from dataclasses import dataclass, replace
from typing import BinaryIO

from sqlalchemy.exc import IntegrityError
from sqlmodel import Session

from bot.domain.cards import MOST_OPEN
from bot.domain.errors import PlanProblem, RequestChanged
from bot.domain.routine_names import next_free
from bot.domain.words import CardState, PlanState, RoutineState, TaskState, Verb
from bot.store import agent as conversations
from bot.store import history, plans
from bot.store.guarded import move
from bot.store.plans import known
from bot.store.tables_plans import Card, Plan, Routine
from bot.store.tables_talk import Task
from bot.work.approval_card import asked_until
from bot.work.jobs import Job, enqueue
from bot.work.parts import JobParts
from bot.work.rehearsal import Rehearsal
from bot.work.thread import is_current
from library.manifest_text import read_manifest, write_manifest
from library.plan_folder import PlanFolder
from sandbox.kits import kit_archive

VERBS = (Verb.APPROVE, Verb.REJECT, Verb.ASK_CHANGES, Verb.SHOW_ALL)
FIRST = (Verb.MOVE,)  # on a card of a routine that has no current version yet


@dataclass(frozen=True)
class Draft:
    """A plan that passed its rehearsal, and where it comes from.

    `requester_id` is who asked for this version; `author_id` is the person who wrote its bytes, if one did.
    """

    folder: PlanFolder
    rehearsal: Rehearsal
    requester_id: str
    author_id: str = ""
    guides: tuple[str, ...] = ()
    answer: str = ""
    surprise_id: int | None = None


def propose(parts: JobParts, task: Task, draft: Draft) -> None:
    """Store the version with its card, and queue its posting. The same draft again changes nothing.

    Raises PlanProblem where too many cards wait in the channel already, or the routine is retired, and RequestChanged
    where the draft answers a request that is another one meanwhile.
    """
    # Kept from now on: the plan runs on the kit it was approved with, also after an upgrade of Standby.
    parts.blobs.keep(_write_kit)
    with parts.db.transaction() as session:
        if not _is_proposed(session, task, draft):
            _refuse_retired(session, task)
            if draft.surprise_id is None and not is_current(session, task):
                raise RequestChanged("The request was changed while I worked on it, so this plan is not proposed.")
            _refuse_flood(session, task, draft)
            card = _store(parts, session, task, draft)
            draw(session, known(card.id))


def draw(session: Session, card_id: int) -> None:
    """Queue that a card is posted, or rewritten as it stands now; one after the other."""
    enqueue(session, Job.DRAW, lock=f"card:{card_id}", card_id=card_id)


def _write_kit(into: BinaryIO) -> None:
    into.write(kit_archive())


def routine_of(session: Session, task: Task) -> Routine | None:
    return session.get(Routine, task.routine_id) if task.routine_id else None


def _is_proposed(session: Session, task: Task, draft: Draft) -> bool:
    """Whether a card of these very bytes is open already, from before a crash."""
    routine = routine_of(session, task)
    return routine is not None and any(
        plan.digest == _named(draft.folder, routine.name).digest and plan.surprise_id == draft.surprise_id
        for _, plan in plans.open_cards(session, known(routine.id))
    )


def _refuse_retired(session: Session, task: Task) -> None:
    routine = routine_of(session, task)
    if routine is not None and routine.state is RoutineState.RETIRED:
        raise PlanProblem(
            f"{routine.name} was retired, so it gets no new version. Nothing was proposed; to have it again, ask for "
            "it anew with a mention of me at the top of a channel."
        )


def _refuse_flood(session: Session, task: Task, draft: Draft) -> None:
    """A version that takes the place of an open card, or answers a halted slot, is no part of a flood."""
    if draft.surprise_id is not None or (task.routine_id and plans.open_cards(session, task.routine_id)):
        return
    waiting = plans.open_in_channel(session, task.channel_id)
    if waiting >= MOST_OPEN:
        raise PlanProblem(
            f"{waiting} plans wait for a decision in this channel already, more than anybody reads. "
            "Nothing was proposed; decide on some of them, then write here again."
        )


def _store(parts: JobParts, session: Session, task: Task, draft: Draft) -> Card:
    now = parts.clock.now()
    task = session.get_one(Task, known(task.id), with_for_update=True)
    # A press holds its card and then wants the routine: whoever proposes takes them in the same order, or both wait.
    for card, _ in plans.open_cards(session, task.routine_id) if task.routine_id else ():
        session.refresh(card, with_for_update=True)
    routine = routine_of(session, task) or _new_routine(parts, session, task, draft)
    folder = _named(draft.folder, routine.name)
    rehearsal = replace(draft.rehearsal, change_from=_before(session, routine, folder, draft.rehearsal.change_from))
    not_read, asked = _not_read(session, folder, draft.rehearsal), asked_until(session, task, now)
    rehearsal = replace(rehearsal, not_read=not_read, asked=asked)
    plan = Plan(
        routine_id=known(routine.id),
        version=plans.next_version(session, known(routine.id)),
        digest=folder.digest,
        requester_id=draft.requester_id,
        author_id=draft.author_id or plans.author_of(session, known(routine.id), folder.files["plan.py"]),
        guides=list(draft.guides),
        state=PlanState.PROPOSED,
        task_id=task.id,
        surprise_id=draft.surprise_id,
        answer=draft.answer,
        rehearsal=rehearsal.keys(),
        created_at=now,
    )
    session.add(plan)
    session.flush()
    plans.add_files(session, known(plan.id), folder.files)
    replace_cards(session, known(routine.id), plan)
    card = Card(
        plan_id=known(plan.id),
        digest=plan.digest,
        channel_id=routine.channel_id,
        thread_ts=routine.thread_ts,
        opened_at=now,
    )
    session.add(card)
    session.flush()
    is_first = routine.current_plan_id is None and draft.surprise_id is None
    for verb in (*VERBS, *(FIRST if is_first else ()), *_sent(session, task)):
        plans.new_press(session, verb, card_id=card.id)
    move(session, Task, known(task.id), TaskState.NEW, TaskState.PROPOSED)
    body = {"routine": routine.name, "version": str(plan.version), **plans.origin_words(plan)}
    body |= plans.rehearsal_words(session, plan)
    history.append(session, now, "plan.proposed", body)
    return card


def _sent(session: Session, task: Task) -> tuple[Verb, ...]:
    return (Verb.SHOW_SENT,) if conversations.conversation_of(session, known(task.id)) else ()


def _before(session: Session, routine: Routine, folder: PlanFolder, drafted_from: int | None) -> int | None:
    """The version that a new one is compared with: the one whose place it would take, whatever it was drafted from.

    A version for one slot takes no place and is compared with what it was drafted from; where none is current yet, so
    is any other, or with the last that was proposed.
    """
    if routine.current_plan_id is not None and read_manifest(folder.files["plan.toml"]).only is None:
        return routine.current_plan_id
    earlier = plans.plans_of(session, known(routine.id))
    return drafted_from or routine.current_plan_id or (earlier[-1].id if earlier else None)


def _not_read(session: Session, folder: PlanFolder, drafted: Rehearsal) -> tuple[str, ...]:
    """What the request says and the plan does not: as it was found, else that of the version with the same script."""
    if drafted.not_read is not None or drafted.change_from is None:
        return drafted.not_read or ()
    same = plans.folder(session, drafted.change_from).files["plan.py"] == folder.files["plan.py"]
    return (Rehearsal.read(session.get_one(Plan, drafted.change_from).rehearsal).not_read or ()) if same else ()


def _new_routine(parts: JobParts, session: Session, task: Task, draft: Draft) -> Routine:
    """A routine under the name of its draft, or the next one that nobody took while it was rehearsed."""
    wanted = read_manifest(draft.folder.files["plan.toml"]).name
    while True:
        name = next_free(wanted, plans.routine_names(session, task.team_id))
        routine = Routine(
            team_id=task.team_id,
            name=name,
            channel_id=task.channel_id,
            thread_ts=task.thread_ts,
            owner_id=task.requester_id,
            created_at=parts.clock.now(),
        )
        try:
            with session.begin_nested():
                session.add(routine)
        except IntegrityError:
            if name not in plans.routine_names(session, task.team_id):
                raise  # something else than a name that was taken this very moment
        else:
            task.routine_id = routine.id
            return routine


def _named(folder: PlanFolder, name: str) -> PlanFolder:
    """The folder under the routine's name, which may have been taken while it was rehearsed under another."""
    manifest = read_manifest(folder.files["plan.toml"])
    if manifest.name == name:
        return folder
    renamed = write_manifest(replace(manifest, name=name)).encode()
    return replace(folder, files={**folder.files, "plan.toml": renamed})


def replace_cards(session: Session, routine_id: int, newest: Plan | None = None) -> None:
    """Close the open cards of a routine, all but that of `newest`, and show it on them.

    A version for one slot alone takes the place of its like only: the lasting fix still waits for its decision.
    """
    is_for_once = newest is not None and _is_for_once(session, newest)
    for card, plan in plans.open_cards(session, routine_id):
        is_older = newest is None or plan.id != newest.id
        if is_for_once and not _is_for_once(session, plan):
            continue
        if is_older and move(session, Card, known(card.id), CardState.OPEN, CardState.REPLACED):
            move(session, Plan, known(plan.id), PlanState.PROPOSED, PlanState.REPLACED)
            draw(session, known(card.id))


def _is_for_once(session: Session, plan: Plan) -> bool:
    return plans.manifest(session, known(plan.id)).only is not None
