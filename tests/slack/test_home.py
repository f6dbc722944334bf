"""The Home tab: who sees what, orders from it that count once, and a tab that follows what happens elsewhere."""

from datetime import timedelta

import pytest
from sqlmodel import select

from bot.domain.words import RoutineState, SlotState
from bot.slack.chat import SlackChat
from bot.store import runs
from bot.store.plans import known
from bot.store.session import Database
from bot.store.tables_plans import Routine
from bot.store.tables_runs import Slot
from tests import views
from tests.desk_client import Desk, Person, View
from tests.slack.proposals import Proposal, propose


@pytest.fixture
def proposal(database: Database, chat: SlackChat, desk: Desk) -> Proposal:
    return propose(database, chat, desk, views.SCRIPT)


def opened(person: Person, *words: str) -> View:
    """The tab after opening it, once it says all these words."""
    person.open_home()
    return shown(person, *words)


def shown(person: Person, *words: str) -> View:
    def look() -> View | None:
        home = person.home()
        return home if home and home.says(*words) else None

    return person.desk.wait_until(look, otherwise=lambda: f"{person.name} sees {home_words(person)}")


def home_words(person: Person) -> str:
    home = person.home()
    return home.words if home else "nothing"


def routine(database: Database) -> Routine:
    with database.transaction() as session:
        return session.exec(select(Routine)).one()


def slots(database: Database) -> list[Slot]:
    with database.transaction() as session:
        return list(session.exec(select(Slot)))


def approve(desk: Desk, proposal: Proposal) -> None:
    bob = desk.person("Bob")
    bob.press(proposal.message, "Approve")
    desk.wait_until(lambda: any(m.says("is current") for m in bob.sees("#lab")) or None)


@pytest.mark.usefixtures("process", "proposal")
def test_a_card_waits_for_those_who_may_decide_and_for_nobody_else(desk: Desk) -> None:
    alice, bob, charlie = (desk.person(name) for name in ("Alice", "Bob", "Charlie"))
    assert opened(bob, "Waits for your decision", "weekly-error-report", "How Standby is set up")
    assert not opened(alice, "Weekly error report", "Version 1 waits for approval").says("Waits for your decision")
    assert not opened(alice, "Weekly error report").says("How Standby is set up")
    assert not opened(charlie, "Ask for a report").says("error report")
    assert desk.refused() == []


@pytest.mark.usefixtures("process")
def test_orders_count_once_and_only_from_those_who_may_give_them(
    desk: Desk, database: Database, proposal: Proposal
) -> None:
    approve(desk, proposal)
    alice, bob = desk.person("Alice"), desk.person("Bob")
    tab = opened(alice, "Mondays 07:00 Europe/Oslo", "next Mon")
    opened(bob, "next Mon")

    # While Slack does not say who presses, nothing is done, and that stands there
    desk.fault("rate_limited", "users.info", times=2, seconds=30)
    assert alice.press(tab, "Pause").acked
    shown(alice, "does not tell me just now who you are", "Nothing was changed", "open this tab again")
    assert routine(database).state is RoutineState.ACTIVE

    tab = opened(alice, "Mondays 07:00 Europe/Oslo", "next Mon")
    assert alice.press(tab, "Pause").acked
    assert shown(alice, "Paused.", "until somebody says")
    assert routine(database).state is RoutineState.PAUSED
    paused = shown(bob, "Paused (")  # without opening it anew

    # a button pressed on what is not so any more changes nothing, and says so
    with database.transaction() as session:
        session.exec(select(Routine)).one().owner_id = views.BOB
    bob.press(paused, "Resume")
    shown(bob, "It has changed since you looked")
    assert routine(database).state is RoutineState.PAUSED
    alice.press(opened(alice, "Resume"), "Resume")
    shown(alice, "Resumed. Next: Mon")
    assert routine(database).state is RoutineState.ACTIVE


@pytest.mark.usefixtures("process")
def test_run_now_pressed_twice_runs_once(desk: Desk, database: Database, proposal: Proposal) -> None:
    approve(desk, proposal)
    alice = desk.person("Alice")
    tab = opened(alice, "next Mon")
    alice.press(tab, "Run now")
    shown(alice, "It runs now over the files posted since")
    [slot] = slots(database)

    alice.press(shown(alice, "1 running"), "Run now")
    shown(alice, "running at this moment already")
    assert [one.id for one in slots(database)] == [slot.id]


@pytest.mark.usefixtures("process")
def test_it_is_handed_over_to_a_member_only(desk: Desk, database: Database, proposal: Proposal) -> None:
    approve(desk, proposal)
    alice, charlie = desk.person("Alice"), desk.person("Charlie")
    tab = opened(alice, "next Mon")
    alice.press(tab, "Hand over…")
    form = alice.wait_for_view(lambda view: view.title == "Hand over")
    [label] = form.fields
    refused = alice.submit(form, {label: charlie.id})
    assert "Only a full member" in " ".join(refused.errors.values())
    assert alice.submit(form, {label: "Bob"}).acked
    shown(alice, "answers for weekly-error-report from now on")
    assert routine(database).owner_id == views.BOB


@pytest.mark.usefixtures("process")
def test_history_and_versions_open_and_leaf(desk: Desk, database: Database, proposal: Proposal) -> None:
    approve(desk, proposal)
    now = desk.now()
    with database.transaction() as session:
        one = session.exec(select(Routine)).one()
        for week in range(11):
            due_at = now - timedelta(weeks=week + 1)
            state = SlotState.HALTED if week == 9 else SlotState.DELIVERED
            runs.claim_slot(session, known(one.id), due_at, due_at, state, "OddFile: <!channel>" * (week == 9))
    alice = desk.person("Alice")
    tab = opened(alice, "9 sent", "1 halted")

    alice.press(tab, "History")
    first = alice.wait_for_view(lambda view: view.says("page 1 of 2"))
    alice.press(first, "Older")
    older = alice.wait_for_view(lambda view: view.says("page 2 of 2"))
    assert older.says("halted", "OddFile: <!channel>")
    alice.close(older)

    alice.press(tab, "Versions")
    assert alice.wait_for_view(lambda view: view.title == "Versions").says("Version 1", "approved", ", current")
    assert desk.refused() == []


@pytest.mark.usefixtures("process", "proposal")
def test_what_lives_where_somebody_is_not_stays_unseen(desk: Desk, database: Database) -> None:
    direct = desk.person("Alice").post("@standby", "hello").channel
    with database.transaction() as session:
        session.exec(select(Routine)).one().channel_id = direct
    assert not opened(desk.person("Bob"), "Ask for a report").says("Mondays")
    assert opened(desk.person("Alice"), "Weekly error report")
