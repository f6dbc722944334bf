"""What people say becomes rows once, however its events come, and before Slack is told that we have it."""

import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from slack_bolt import App, BoltRequest
from sqlalchemy import text
from sqlmodel import select

from bot.domain.ports import Place
from bot.domain.words import TaskState
from bot.settings import Settings
from bot.slack.app import build_app
from bot.slack.chat import SlackChat
from bot.store.session import Database
from bot.store.tables_talk import Said, Seen, SharedFile, Task
from bot.work.parts import Parts
from bot.work.wall import SystemClock
from tests import views
from tests.desk_client import Desk
from tests.flows.world import Process
from tests.slack.proposals import LAB, TEAM, tasks

FAULTS = ("", "duplicate_event", "duplicate_message", "mention_absent", "mention_without_files", "file_stub")


@pytest.mark.usefixtures("process")
def test_a_request_becomes_one_task_with_all_files_however_its_events_come(desk: Desk, database: Database) -> None:
    asked = {}
    for number, fault in enumerate(FAULTS):
        if fault:
            desk.fault(fault, times=2)
        said, files = f"every Monday &c {number}", {f"{number}a.log": b"one\n", f"{number}b.log": b"two\n"}
        asked[said] = desk.person("Alice").post("#lab", f"@standby {said}", files).ts
        desk.wait_until(lambda: len(tasks(database)) == len(asked) or None)
    desk.wait_until(lambda: all(e["acked_at"] for e in desk.ledger("event")) or None)

    found = tasks(database)
    assert {task.request: task.thread_ts for task in found} == asked and len(found) == len(FAULTS)
    assert {(task.requester_id, task.state) for task in found} == {(views.ALICE, TaskState.NEW)}
    with database.transaction() as session:
        kept = list(session.exec(select(SharedFile)))
    names = [f"{number}{file}.log" for number in range(len(FAULTS)) for file in "ab"]
    assert sorted((file.name, file.size_bytes) for file in kept) == [(name, 4) for name in names]
    assert all(file.url for file in kept)


@pytest.mark.usefixtures("process")
def test_a_direct_message_is_a_request_and_a_reply_is_heard(desk: Desk, database: Database) -> None:
    alice = desk.person("Alice")
    request = alice.post("@standby", "a report every day")
    desk.wait_until(lambda: tasks(database) or None)
    alice.reply(request, "at eight, please")

    def said() -> list[str]:
        with database.transaction() as session:
            return [row.text for row in session.exec(select(Said))]

    assert desk.wait_until(lambda: said() or None) == ["at eight, please"]


def test_an_event_is_acknowledged_only_when_its_rows_are_safe(desk: Desk, database: Database, process: Process) -> None:
    """The bot dies with an event in its hands: Slack was not told that we have it, and sends it again."""
    desk.settings(redelivery_waits_s=[0.5, 0.5, 0.5, 2, 5])
    with database.engine.connect() as holder:
        holder.execute(text("lock table seen in access exclusive mode"))
        desk.person("Alice").post("#lab", "@standby every Monday")
        time.sleep(0.5)
        process.kill()
        holder.rollback()
    assert tasks(database) == []
    process.start()
    desk.wait_until(lambda: tasks(database) or None)
    assert len(tasks(database)) == 1


@pytest.mark.usefixtures("process")
def test_what_standby_says_itself_is_not_heard(desk: Desk, database: Database, chat: SlackChat) -> None:
    ref = chat.post(Place(TEAM, LAB), views.report(title="<@U0STANDBY01> every Monday"), key="k")
    chat.update(ref, views.report(title="changed"), key="k")
    desk.wait_until(lambda: desk.ledger("event") or None)
    desk.wait_until(lambda: all(e["acked_at"] for e in desk.ledger("event")) or None)
    assert tasks(database) == []


@pytest.mark.parametrize("way", ["file", "message", "root of a thread", "taken out of the message"])
def test_a_deleted_file_is_no_input_any_more_and_the_other_one_stays(
    desk: Desk, database: Database, chat: SlackChat, settings: Settings, way: str
) -> None:
    """Each as Slack sends it."""
    app = build_app(Parts(database, chat, SystemClock(), settings), chat)
    posted = desk.person("Alice").post("#lab", "logs", {"a.log": b"one\n"})
    other = desk.person("Alice").post("#lab", "", {"b.log": b"one\n"})
    shared = [
        {"type": "message", "channel": LAB, "user": views.ALICE, "ts": one.ts, "files": one.files}
        for one in (posted, other)
    ]
    changed = {"type": "message", "subtype": "message_changed", "channel": LAB, "previous_message": shared[0]}
    gone = {
        "file": {"type": "file_deleted", "file_id": posted.files[0]["id"]},
        "message": {**changed, "subtype": "message_deleted", "deleted_ts": posted.ts},
        "root of a thread": {**changed, "message": {"subtype": "tombstone", "ts": posted.ts}},
        "taken out of the message": {
            **changed, "message": {**shared[0], "files": [{"id": posted.files[0]["id"], "mode": "tombstone"}]},
        },
    }[way]  # fmt: skip
    for number, event in enumerate([*shared, {"ts": "1780000000.000200", **gone}]):
        body = {"type": "event_callback", "team_id": TEAM, "event_id": f"Ev{number}", "event": event}
        assert app.dispatch(BoltRequest(mode="socket_mode", body=body)).status == 200

    with database.transaction() as session:
        files = session.exec(select(SharedFile).order_by(SharedFile.name)).all()
    assert [(one.name, one.deleted_at is not None) for one in files] == [("a.log", True), ("b.log", False)]


@pytest.mark.parametrize(
    ("words", "name", "is_asking", "is_new"),
    [
        ("which region sold most?", "regions.csv", False, True),
        ("here it is, mended", "sales.csv", False, False),  # takes the place of what is there
        ("this too", "more.csv", False, False),  # too few words to be a request
        ("here it is", "more.csv", True, False),  # few words while a form is open are about that
    ],
)
@pytest.mark.usefixtures("process")
def test_in_a_direct_message_a_question_with_a_file_of_its_own_is_another_one(
    desk: Desk, database: Database, words: str, name: str, is_asking: bool, is_new: bool
) -> None:
    alice = desk.person("Alice")
    alice.post("@standby", "compile the sales of the week", {"sales.csv": b"a,b\n1,2\n"})
    [task] = desk.wait_until(lambda: tasks(database) or None)
    with database.transaction() as session:
        session.get_one(Task, task.id).state = TaskState.ASKING if is_asking else TaskState.NEW
    asked = alice.post("@standby", words, {name: b"a,b\n1,3\n"})

    def thread_of_file() -> str:
        with database.transaction() as session:
            found = session.exec(select(SharedFile).order_by(SharedFile.posted_at)).all()
        return found[1].thread_ts if len(found) > 1 else ""

    thread_ts = desk.wait_until(lambda: thread_of_file() or None)
    assert (thread_ts == asked.ts) is is_new
    assert len(tasks(database)) == 1 + is_new


@pytest.mark.parametrize(
    "event",
    [
        {"type": "message", "subtype": "bot_message", "bot_id": "B0OTHER0001", "text": "<@U0STANDBY01> hi"},
        {"type": "message", "bot_id": "B0OTHER0001", "user": "U0OTHER0001", "text": "<@U0STANDBY01> hi"},
        {"type": "message", "subtype": "message_changed", "message": {"text": "<@U0STANDBY01> hi"}},
        {"type": "message", "subtype": "message_deleted", "deleted_ts": "1.2"},
        {"type": "message", "subtype": "channel_join", "user": views.ALICE, "text": "<@U0STANDBY01> joined"},
        {"type": "tokens_revoked", "tokens": {"bot": ["U0STANDBY01"]}},
        {"type": "app_uninstalled"},
        {"type": "something_that_slack_invents_next_year"},
    ],
    ids=lambda event: f"{event['type']}-{event.get('subtype', '')}",
)
def test_what_nobody_asked_is_acknowledged_and_makes_no_task(
    database: Database, chat: SlackChat, settings: Settings, event: dict[str, Any]
) -> None:
    app = build_app(Parts(database, chat, SystemClock(), settings), chat)
    event = {"channel": LAB, "ts": "1780000000.000100", **event}
    body = {"type": "event_callback", "team_id": TEAM, "event_id": "Ev1", "event": event}
    assert app.dispatch(BoltRequest(mode="socket_mode", body=body)).status == 200
    assert tasks(database) == []


def test_what_people_say_among_themselves_needs_no_database_and_a_reply_in_their_thread_leaves_nothing(
    database: Database, chat: SlackChat, settings: Settings
) -> None:
    away = Database("postgresql://nobody@127.0.0.1:9/none")
    apart, ours = (build_app(Parts(db, chat, SystemClock(), settings), chat) for db in (away, database))

    def hear(app: App, ts: str, **more: str) -> int:
        event = {"type": "message", "channel": LAB, "user": views.ALICE, "ts": ts, "text": "lunch?", **more}
        body = {"type": "event_callback", "team_id": TEAM, "event_id": f"Ev{ts}", "event": event}
        return int(app.dispatch(BoltRequest(mode="socket_mode", body=body)).status)

    assert hear(apart, "1780000000.000100") == 200
    assert hear(apart, "1780000000.000200", text="<@U0STANDBY01> daily") == 500
    assert hear(ours, "1780000000.000300", thread_ts="1780000000.000100") == 200
    with database.transaction() as session:
        assert list(session.exec(select(Seen))) == []

    assert hear(ours, "1780000000.000200", text="<@U0STANDBY01> daily") == 200
    assert hear(ours, "1780000000.000400", thread_ts="1780000000.000200", text="at eight") == 200
    with database.transaction() as session:
        assert [row.text for row in session.exec(select(Said))] == ["at eight"]


def test_SL_09_of_two_bots_that_hear_the_same_one_takes_it(
    database: Database, chat: SlackChat, settings: Settings
) -> None:
    apps = [build_app(Parts(database, chat, SystemClock(), settings), chat) for _ in range(2)]

    def hear(number: int) -> int:
        event = {"type": "app_mention", "channel": LAB, "user": views.ALICE, "ts": f"178000000{number // 4}.000100",
                 "text": "<@U0STANDBY01> every Monday"}  # fmt: skip
        body = {"type": "event_callback", "team_id": TEAM, "event_id": f"Ev{number}", "event": event}
        return int(apps[number % 2].dispatch(BoltRequest(mode="socket_mode", body=body)).status)

    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(hear, range(12)))

    assert answers == [200] * 12
    assert len(tasks(database)) == 3
    with database.transaction() as session:
        assert session.connection().execute(text("select count(*) from procrastinate_jobs")).scalar() == 3
