"""The bot process over real sockets: events become rows once, presses are decided once and always answered."""

import os
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from sqlalchemy import text
from sqlmodel import select

from bot.domain.ports import Place
from bot.domain.words import CardState, PlanState, TaskState, Verb
from bot.processes.environment import for_part
from bot.settings import Settings
from bot.slack.chat import SlackChat
from bot.store import plans
from bot.store.plans import known
from bot.store.session import Database
from bot.store.tables_plans import Card, Decision, Plan, PlanFile, Press, Routine
from bot.store.tables_talk import Said, SharedFile, Task
from library.plan_folder import PlanFolder
from tests import views
from tests.desk_client import Desk, Message
from tests.flows.world import Process
from tests.slack.conftest import LAB, TEAM

MANIFEST = """\
name = "weekly-error-report"
title = "Weekly error report"
rung = "existing script"
why = "it reads exactly such files"
script = "log-error-summary"

[schedule]
cron = "0 7 * * mon"
zone = "Europe/Oslo"

[source]
kind = "channel"
channel = "C0LAB000001"

[[destinations]]
kind = "channel"
channel = "C0LAB000001"

[[checks]]
name = "OddFile"
says = "every file has a line with a level"

[[intermediates]]
name = "lines read"
unit = "lines"

[surprise]
name = "OddFile"
drift = "log-to-json"
why = "firmware changes the format"

[limits]
time_s = 300
memory_mb = 1024

[parameters]
"""


@pytest.fixture
def database(database_url: str) -> Iterator[Database]:
    database = Database(database_url)
    yield database
    database.close()


@pytest.fixture
def process(settings: Settings, database_url: str, tmp_path: Path) -> Iterator[Process]:
    """The bot process, running."""
    ours = settings.model_copy(update={"database_url": database_url})
    process = Process("bot", for_part("bot", ours, os.environ), tmp_path / "bot.log")
    process.start()
    yield process
    process.stop()
    print(process.log.read_text()[-4000:])


@dataclass(frozen=True)
class Proposal:
    """A card that waits for a decision, and the message it is on."""

    card_id: int
    plan_id: int
    message: Message


@pytest.fixture
def proposal(database: Database, chat: SlackChat, desk: Desk) -> Proposal:
    """Version 1 on an open card in the thread of Alice's request."""
    return propose(database, chat, desk, views.SCRIPT)


def propose(database: Database, chat: SlackChat, desk: Desk, script: str) -> Proposal:
    request = desk.person("Alice").post("#lab", "Every Monday a report")
    files = {
        "plan.py": script.encode(),
        "plan.toml": MANIFEST.encode(),
        "report.md": b"{errors} errors\n",
        "resume.md": b"OddFile\n",
        "shape.json": b"{}\n",
        "box.json": b"{}\n",
    }
    folder = PlanFolder(files)
    now = desk.now()
    with database.transaction() as session:
        routine = Routine(
            team_id=TEAM, name="weekly-error-report", channel_id=LAB, thread_ts=request.ts, owner_id=views.ALICE,
            created_at=now,
        )  # fmt: skip
        session.add(routine)
        session.flush()
        plan = Plan(
            routine_id=known(routine.id), version=1, digest=folder.digest, requester_id=views.ALICE,
            state=PlanState.PROPOSED, created_at=now,
        )  # fmt: skip
        session.add(plan)
        session.flush()
        session.add_all([PlanFile(plan_id=known(plan.id), name=name, body=body) for name, body in files.items()])
        card = Card(plan_id=known(plan.id), digest=folder.digest, channel_id=LAB, thread_ts=request.ts, opened_at=now)
        session.add(card)
        session.flush()
        presses = [plans.new_press(session, button.verb, card_id=card.id) for button in views.BUTTONS]
    buttons = tuple(type(b)(b.verb, p.id) for b, p in zip(views.BUTTONS, presses, strict=True))
    view = views.approval(script=script, buttons=buttons, digest=folder.digest)
    ref = chat.post(Place(TEAM, LAB, request.ts), view, key=f"card:{card.id}")
    message = next(m for m in desk.messages("#lab") if m.ts == ref.ts)
    return Proposal(known(card.id), known(plan.id), message)


def decisions(database: Database) -> list[Decision]:
    with database.transaction() as session:
        return list(session.exec(select(Decision)))


def tasks(database: Database) -> list[Task]:
    with database.transaction() as session:
        return list(session.exec(select(Task)))


def whispered(desk: Desk, name: str, *words: str) -> Message:
    """What only this person was told."""
    person = desk.person(name)
    return desk.wait_until(
        lambda: next((m for m in person.sees("#lab") if m.ephemeral_to == person.id and m.says(*words)), None),
        otherwise=lambda: f"{name} sees {[m.words for m in person.sees('#lab') if m.ephemeral_to]}",
    )


# Messages ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "fault", ["", "duplicate_event", "duplicate_message", "mention_absent", "mention_without_files", "file_stub"]
)
@pytest.mark.usefixtures("process")
def test_a_request_becomes_one_task_with_all_files_however_its_events_come(
    desk: Desk, database: Database, fault: str
) -> None:
    if fault:
        desk.fault(fault, times=2)
    request = desk.person("Alice").post("#lab", "@standby every Monday &c", {"a.log": b"one\n", "b.log": b"two\n"})
    desk.wait_until(lambda: tasks(database) or None)
    desk.wait_until(lambda: all(e["acked_at"] for e in desk.ledger("event")) or None)

    [task] = tasks(database)
    assert (task.thread_ts, task.requester_id, task.state) == (request.ts, views.ALICE, TaskState.NEW)
    assert task.request == "every Monday &c"
    with database.transaction() as session:
        files = list(session.exec(select(SharedFile)))
    assert sorted((f.name, f.size_bytes) for f in files) == [("a.log", 4), ("b.log", 4)]
    assert all(f.url for f in files)


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


@pytest.mark.usefixtures("process")
def test_a_deleted_file_is_no_input_any_more(desk: Desk, database: Database) -> None:
    posted = desk.person("Alice").post("#lab", "logs", {"a.log": b"one\n"})

    def shared() -> list[SharedFile]:
        with database.transaction() as session:
            return list(session.exec(select(SharedFile)))

    desk.wait_until(lambda: shared() or None)
    desk.delete_file(posted.files[0])
    desk.wait_until(lambda: shared()[0].deleted_at)


# Presses -----------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("process")
def test_approve_counts_once_and_every_press_is_answered(desk: Desk, database: Database, proposal: Proposal) -> None:
    for name, words in (("Alice", "teammate has to approve"), ("Charlie", "not a member of this workspace")):
        assert desk.person(name).press(proposal.message, "Approve").acked
        whispered(desk, name, words)
    assert decisions(database) == []

    bob = desk.person("Bob")
    assert bob.press(proposal.message, "Approve").acked
    whispered(desk, "Bob", "is current")
    bob.press(proposal.message, "Approve")
    whispered(desk, "Bob", "decided already")

    [decision] = decisions(database)
    assert (decision.verb, decision.person_id) == (Verb.APPROVE, bob.id)
    assert desk.refused() == []


@pytest.mark.parametrize(
    ("label", "state"), [("Reject", CardState.REJECTED), ("Ask for changes", CardState.CHANGES_ASKED)]
)
@pytest.mark.usefixtures("process")
def test_a_no_needs_its_reason(
    desk: Desk, database: Database, proposal: Proposal, label: str, state: CardState
) -> None:
    bob = desk.person("Bob")
    bob.press(proposal.message, label)
    form = bob.wait_for_view()
    assert bob.submit(form, {}).errors
    assert bob.submit(form, {form.fields[0]: "Not to <!channel>"}).acked

    whispered(desk, "Bob")
    [decision] = decisions(database)
    assert decision.reason == "Not to <!channel>"
    with database.transaction() as session:
        assert session.get_one(Card, proposal.card_id).state is state


@pytest.mark.usefixtures("process")
def test_a_refused_form_says_why_and_stays(desk: Desk, database: Database, proposal: Proposal) -> None:
    charlie = desk.person("Charlie")
    charlie.press(proposal.message, "Reject")
    form = charlie.wait_for_view()
    outcome = charlie.submit(form, {form.fields[0]: "I do not like it"})
    assert outcome.view_open
    assert "not a member" in " ".join(outcome.errors.values())
    assert decisions(database) == []


@pytest.mark.usefixtures("process")
def test_a_long_script_is_approved_on_its_last_page_alone(desk: Desk, database: Database, chat: SlackChat) -> None:
    script = "".join(f"total_{n} = {n}  # a line of its own\n" for n in range(900))
    proposal = propose(database, chat, desk, script)
    assert not proposal.message.has_button("Approve")

    bob = desk.person("Bob")
    bob.press(proposal.message, "Show all")
    page = bob.wait_for_view()
    seen = page.words
    while "Next" in page.words:
        assert "every byte" not in page.words
        before = page.words
        bob.press(page, "Next")
        page = bob.wait_for_view(lambda view, before=before: view.words != before)
        seen += page.words
    assert all(f"total_{n} = {n} " in seen for n in range(900))
    bob.press(page, "Approve")
    bob.wait_for_view(lambda view: view.says("is current"))
    assert len(decisions(database)) == 1


@pytest.mark.usefixtures("process")
def test_a_question_is_answered_by_its_form_once(desk: Desk, database: Database, chat: SlackChat) -> None:
    request = desk.person("Alice").post("#lab", "a report to the lab list")
    view = views.question()
    with database.transaction() as session:
        asked = {
            "text": view.text,
            "fields": [
                {
                    "name": f.name, "label": f.label, "hint": f.hint, "initial": f.initial,
                    "choices": [[c.label, c.value] for c in f.choices],
                }
                for f in view.fields
            ],
        }  # fmt: skip
        task = Task(
            team_id=TEAM, channel_id=LAB, thread_ts=request.ts, requester_id=views.ALICE, request="a report",
            state=TaskState.ASKING, question=asked, asked_at=desk.now(),
        )  # fmt: skip
        session.add(task)
        session.flush()
        press = plans.new_press(session, Verb.ANSWER, task_id=task.id)
    assert view.button is not None
    view = views.question(button=type(view.button)(Verb.ANSWER, press.id))
    ref = chat.post(Place(TEAM, LAB, request.ts), view, key="q")
    message = next(m for m in desk.messages("#lab") if m.ts == ref.ts)

    alice = desk.person("Alice")
    alice.press(message, "Answer")
    form = alice.wait_for_view()
    alice.submit(form, {"Addresses of the lab list": "lab@example.org", "Time zone": "London"})
    whispered(desk, "Alice", "go on")
    [answered] = tasks(database)
    assert answered.answers == {"addresses": "lab@example.org", "zone": "Europe/London"}

    alice.press(message, "Answer")
    whispered(desk, "Alice", "answered already")


@pytest.mark.usefixtures("process")
def test_a_button_that_nobody_knows_is_answered(desk: Desk, database: Database, proposal: Proposal) -> None:
    with database.transaction() as session:
        for press in session.exec(select(Press)):
            session.delete(press)
    desk.person("Bob").press(proposal.message, "Approve")
    whispered(desk, "Bob", "do not know this button")


# The rest of Slack -------------------------------------------------------------------------------------


@pytest.mark.usefixtures("process")
def test_the_other_ways_in_explain_themselves(desk: Desk) -> None:
    alice = desk.person("Alice")
    message = alice.post("#lab", "some logs")
    assert alice.command("#lab", "/standby", "help").acked
    whispered(desk, "Alice", "Mention Standby")
    assert alice.shortcut("turn_into_report", message).acked
    assert alice.wait_for_view().says("Mention Standby")
    alice.open_home()
    home = desk.wait_until(alice.home)
    assert home.says("Work that comes back")
    assert desk.refused() == []


@pytest.mark.parametrize("trouble", ["cut", "refresh", "refused"])
@pytest.mark.usefixtures("process")
def test_a_lost_socket_is_replaced_and_heard_again(desk: Desk, database: Database, trouble: str) -> None:
    desk.settings(redelivery_waits_s=[1, 2, 4, 8])
    if trouble == "refused":
        desk.fault("refuse_socket", times=2)
    desk.sockets("refresh" if trouble == "refresh" else "cut")
    desk.person("Alice").post("#lab", "@standby every Monday")
    desk.wait_until(lambda: tasks(database) or None, within_s=40)


def test_sigterm_ends_it_cleanly(process: Process) -> None:
    assert process.popen is not None
    process.popen.terminate()
    assert process.popen.wait(10) == 0
