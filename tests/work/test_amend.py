"""What people change or take back: simply another before it was read, told as something new after, never in between."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from itertools import count

import pytest

from bot.domain.conversation import Frozen, MessageCause, Role
from bot.domain.words import SaidKind, TaskState
from bot.settings import Settings
from bot.slack.chat import SlackChat
from bot.store import agent as conversations
from bot.store import talk
from bot.store.agent import StoredTranscript
from bot.store.plans import known
from bot.store.session import Database
from bot.store.tables import Said, Task
from bot.work.amend import Amended, amend
from bot.work.intake import moment_of
from bot.work.listen import hear
from bot.work.parts import Parts
from bot.work.thread import is_current
from tests.store.rows import a_plan, a_routine
from tests.work.conftest import SetClock
from tests.work.queued import jobs_vanish, waiting

REQUEST_TS, REPLY_TS = "1764488000.000100", "1764488060.000200"
numbers = count(1)
Change = Callable[..., None]


@pytest.fixture
def parts(database: Database, clock: SetClock) -> Parts:
    settings = Settings.load({})
    return Parts(database, SlackChat(settings), clock, settings)


@pytest.fixture
def task(database: Database) -> Task:
    """Alice's request, new."""
    with database.transaction() as session:
        made = Task(
            team_id="T1", channel_id="C1", thread_ts="1764487000.000000", requester_id="ALICE",
            request="every Monday", asked_at=moment_of(REQUEST_TS),
        )  # fmt: skip
        session.add(made)
    return made


@pytest.fixture
def change(parts: Parts) -> Change:
    """Change a message, or without words take it back; as its author unless somebody else is named."""

    def amended(ts: str, text: str = "", by: str = "ALICE") -> None:
        at_ts = f"1764489000.{next(numbers):06d}"
        amend(parts, Amended("T1", "C1", ts, by, text, f"E{at_ts}", at_ts))

    return amended


def now_is(database: Database, task: Task) -> Task:
    with database.transaction() as session:
        return session.get_one(Task, task.id)


def in_state(database: Database, task: Task, state: TaskState) -> None:
    with database.transaction() as session:
        session.get_one(Task, task.id).state = state


def replied(database: Database, task: Task, text: str = "in hours") -> int:
    with database.transaction() as session:
        row = Said(
            task_id=known(task.id), channel_id="C1", ts=REPLY_TS, user_id="BOB", text=text, is_guidance=True,
            said_at=datetime(2026, 11, 30, 9, tzinfo=UTC),
        )  # fmt: skip
        session.add(row)
        session.flush()
        return known(row.id)


FROZEN = Frozen("m", "", 100, "s", "[]", "1")


def conversation(parts: Parts, task: Task) -> StoredTranscript:
    """A conversation that was told of the request."""
    with parts.db.transaction() as session:
        found = conversations.begin(session, known(task.id), "T1", FROZEN, parts.clock.now())
    transcript = StoredTranscript(parts.db, parts.clock, known(found.id))
    asked = [{"type": "text", "text": task.request}]
    transcript.append(Role.USER, asked, MessageCause.REQUEST, key=f"task:{task.id}")
    return transcript


def approved(database: Database, task: Task) -> None:
    with database.transaction() as session:
        routine = a_routine(session)
        routine.current_plan_id = a_plan(session, routine).id
        session.get_one(Task, task.id).routine_id = routine.id


def test_a_request_changed_before_its_draft_began_is_read_as_it_is_now(
    database: Database, task: Task, change: Change
) -> None:
    change(REQUEST_TS, "every Tuesday")

    assert now_is(database, task).request == "every Tuesday"
    assert waiting(database) == [("draft", {"task_id": task.id})]


def test_what_was_made_of_a_request_that_was_changed_meanwhile_does_not_count(
    database: Database, task: Task, change: Change
) -> None:
    change(REQUEST_TS, "every Tuesday")  # while a draft of `task` is under way

    with database.transaction() as session:
        assert not is_current(session, task)
    with database.transaction() as session:
        assert is_current(session, now_is(database, task))


@pytest.mark.parametrize("state", [TaskState.ASKING, TaskState.STUCK, TaskState.PROPOSED])
def test_a_request_changed_before_approval_begins_another_round(
    database: Database, task: Task, change: Change, state: TaskState
) -> None:
    in_state(database, task, state)

    change(REQUEST_TS, "every Tuesday")

    now = now_is(database, task)
    assert (now.state, now.round, now.request) == (TaskState.NEW, 2, "every Tuesday")
    assert waiting(database) == [("draft", {"task_id": task.id})]


def test_a_conversation_that_has_read_the_request_is_told_how_it_reads_now(
    parts: Parts, database: Database, task: Task, change: Change
) -> None:
    transcript = conversation(parts, task)

    change(REQUEST_TS, "every Tuesday")
    with database.transaction() as session:
        [said] = talk.said_in(session, known(task.id))
    hear(parts, transcript, known(said.id))

    assert (said.kind, waiting(database)[0][0]) == (SaidKind.REQUEST, "reply")
    assert (
        transcript.messages()[-1].text() == "Somebody in the thread changed the request. It reads now:\nevery Tuesday"
    )
    with database.transaction() as session:
        assert talk.guidance(session, known(task.id)) == []  # the request itself says it already


def test_after_approval_a_change_of_the_request_changes_nothing_and_is_answered(
    database: Database, task: Task, change: Change
) -> None:
    approved(database, task)

    change(REQUEST_TS, "every Tuesday")
    change(REQUEST_TS)

    assert now_is(database, task).request == "every Monday"
    told = [args["text"] for name, args in waiting(database) if name == "say"]
    assert "say here what should change, and I propose a new version" in told[0]
    assert "is approved and runs on" in told[1]


@pytest.mark.parametrize("state", [TaskState.NEW, TaskState.ASKING])
def test_a_request_that_is_taken_back_stops_the_work_on_it(
    database: Database, task: Task, change: Change, state: TaskState
) -> None:
    in_state(database, task, state)

    change(REQUEST_TS)

    assert now_is(database, task).state is TaskState.STUCK
    with database.transaction() as session:
        assert not is_current(session, task)
    assert "nothing is proposed" in waiting(database)[0][1]["text"]


def test_nobody_changes_what_somebody_else_asked_for(database: Database, task: Task, change: Change) -> None:
    change(REQUEST_TS, "every Tuesday", by="BOB")

    assert now_is(database, task).request == "every Monday"
    assert waiting(database) == []


def test_the_same_change_twice_is_one(parts: Parts, database: Database, task: Task) -> None:
    assert task.request == "every Monday"
    once = Amended("T1", "C1", REQUEST_TS, "ALICE", "every Tuesday", "E1", "1764489000.000000")

    amend(parts, once)
    jobs_vanish(database)
    amend(parts, once)

    assert waiting(database) == []


@pytest.mark.parametrize("text", ["in days", ""])
def test_a_reply_changed_in_the_moment_of_its_reading_is_read_new_or_told_as_changed(
    parts: Parts, database: Database, task: Task, change: Change, text: str
) -> None:
    transcript = conversation(parts, task)
    for _ in range(25):
        said_id = replied(database, task)
        with ThreadPoolExecutor(2) as pool:
            both = [pool.submit(hear, parts, transcript, said_id), pool.submit(change, REPLY_TS, text, "BOB")]
        for one in both:
            one.result()

        heard = [one.text() for one in transcript.messages() if one.cause is MessageCause.GUIDANCE]
        with database.transaction() as session:
            changes = [row for row in talk.said_in(session, known(task.id)) if row.amends_id == said_id]
            old = session.get(Said, said_id)
            if old is not None:
                old.ts = None  # makes room for the next one
        was_read = len(heard) > 0 and f"said:{said_id}" in keys(database, transcript)
        read_old = was_read and heard[-1].endswith("in hours")
        assert bool(changes) == read_old


def keys(database: Database, transcript: StoredTranscript) -> set[str]:
    with database.transaction() as session:
        return conversations.keys(session, transcript.id)
