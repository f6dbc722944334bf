"""Presses are decided once and always answered."""

import pytest
from sqlmodel import select

from bot.domain.ports import Place
from bot.domain.words import CardState, TaskState, Verb
from bot.slack.chat import SlackChat
from bot.store import plans
from bot.store.session import Database
from bot.store.tables_plans import Card, Press
from bot.store.tables_talk import Task
from tests import views
from tests.desk_client import Desk
from tests.slack.proposals import LAB, TEAM, Proposal, decisions, propose, tasks, whispered


@pytest.fixture
def proposal(database: Database, chat: SlackChat, desk: Desk) -> Proposal:
    """Version 1 on an open card in the thread of Alice's request."""
    return propose(database, chat, desk, views.SCRIPT)


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


@pytest.mark.usefixtures("process")
def test_AP_10_where_nobody_can_say_who_pressed_nothing_is_decided(
    desk: Desk, database: Database, proposal: Proposal
) -> None:
    # Given a Slack that asks to wait for half a minute, then one that fails
    desk.fault("rate_limited", "users.info", times=1, seconds=30)
    desk.fault("server_error", "users.info", times=20)
    bob = desk.person("Bob")

    # When somebody presses, then they are told so in time, and nothing is decided
    assert bob.press(proposal.message, "Approve").acked
    whispered(desk, "Bob", "does not tell me just now who you are", "Nothing was changed", "press again")
    bob.press(proposal.message, "Reject")
    form = bob.wait_for_view()
    refused = bob.submit(form, {form.fields[0]: "It counts the wrong week"})
    assert refused.view_open and "Nothing was changed" in " ".join(refused.errors.values())
    bob.press(proposal.message, "Show all")
    desk.wait_until(lambda: sum(m.says("who you are") for m in bob.sees("#lab") if m.ephemeral_to) == 2)
    desk.no_faults()
    assert decisions(database) == []
    with database.transaction() as session:
        assert session.get_one(Card, proposal.card_id).state is CardState.OPEN

    # When Slack says it again, then the same press counts
    bob.press(proposal.message, "Approve")
    whispered(desk, "Bob", "is current")


@pytest.mark.usefixtures("process")
def test_a_no_needs_its_reason(desk: Desk, database: Database, proposal: Proposal) -> None:
    bob = desk.person("Bob")
    bob.press(proposal.message, "Reject")
    form = bob.wait_for_view()
    assert bob.submit(form, {}).errors
    assert bob.submit(form, {form.fields[0]: "Not to <!channel>"}).acked

    whispered(desk, "Bob")
    [decision] = decisions(database)
    assert decision.reason == "Not to <!channel>"
    with database.transaction() as session:
        assert session.get_one(Card, proposal.card_id).state is CardState.REJECTED


@pytest.mark.usefixtures("process")
def test_asking_for_changes_ends_nothing(desk: Desk, database: Database, proposal: Proposal) -> None:
    bob = desk.person("Bob")
    bob.press(proposal.message, "Ask for changes")
    form = bob.wait_for_view()
    assert bob.submit(form, {form.fields[0]: "On Tuesdays, please"}).acked

    whispered(desk, "Bob", "can still be decided")
    assert decisions(database) == []
    with database.transaction() as session:
        assert session.get_one(Card, proposal.card_id).state is CardState.OPEN


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

    charlie = desk.person("Charlie")
    charlie.press(proposal.message, "Show all")
    whispered(desk, "Charlie", "for members of this workspace")
    assert charlie.views() == []

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
def test_AP_15_a_loosened_check_is_confirmed_in_a_form_by_the_same_person(
    desk: Desk, database: Database, chat: SlackChat
) -> None:
    # Given a version that asks a check less strictly than the one before
    first = propose(database, chat, desk, 'check("OddFile", lines > 9, "odd")\n')
    fix = propose(database, chat, desk, 'check("OddFile", lines > 0, "odd")\n', before=first)

    # When a teammate presses Approve, then a form says what is weaker, and nothing is decided
    bob = desk.person("Bob")
    bob.press(fix.message, "Approve")
    form = bob.wait_for_view()
    assert form.says(
        "These checks hear less", "OddFile: its condition was `lines > 9` and is `lines > 0`", "Nothing is approved"
    )
    assert decisions(database) == []

    # When they press again there, then the form says that it is approved
    bob.press(form, "Yes, approve it")
    bob.wait_for_view(lambda view: view.says("is current"))
    assert [(one.verb, one.person_id) for one in decisions(database)] == [(Verb.APPROVE, bob.id)]
    assert desk.refused() == []


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
