"""/standby: every word answers whoever typed it alone, within Slack's three seconds, and orders count like replies."""

import pytest
from sqlmodel import select

from bot.domain.words import RoutineState
from bot.slack.chat import SlackChat
from bot.store.session import Database
from bot.store.tables_plans import Routine
from tests import views
from tests.desk_client import Desk, Message, Person
from tests.slack.proposals import LAB, propose


@pytest.fixture
def routine(database: Database, chat: SlackChat, desk: Desk, process: object) -> Routine:  # noqa: ARG001
    """A routine that Bob approved."""
    proposal = propose(database, chat, desk, views.SCRIPT)
    bob = desk.person("Bob")
    bob.press(proposal.message, "Approve")
    desk.wait_until(lambda: any(m.says("is current") for m in bob.sees("#lab")) or None)
    return stored(database)


def stored(database: Database) -> Routine:
    with database.transaction() as session:
        return session.exec(select(Routine)).one()


def told(person: Person, text: str, *words: str) -> Message:
    """What a command answers, to this person alone."""
    before = {one.ts for one in person.sees("#lab")}
    assert person.command("#lab", "/standby", text).acked

    def look() -> Message | None:
        new = [one for one in person.sees("#lab") if one.ts not in before and one.ephemeral_to == person.id]
        return next((one for one in new if one.says(*words)), None)

    return person.desk.wait_until(look, otherwise=lambda: f"{[m.words for m in person.sees('#lab')][-2:]}")


@pytest.mark.usefixtures("routine")
def test_each_word_is_answered(desk: Desk) -> None:
    alice = desk.person("Alice")
    told(alice, "list", "Weekly error report", "Mondays 07:00 Europe/Oslo, next Mon")
    shown = told(
        alice, "show weekly-error-report", " asked:", "Reads", "Sends to", "It halts", "Approved by", "digest",
        "has not run yet", "Versions: 1 (current", "Open its thread",
    )  # fmt: skip
    alice.press(shown, next(one for one in shown.buttons if one.startswith("Show the script")))
    assert alice.wait_for_view().says("weekly-error-report, version 1", "plan.py")
    told(alice, "show", "Weekly error report")  # the only one of this channel
    told(alice, "history weekly-error-report", "It has not run yet")
    told(alice, "cost", "The same Monday, two ways", "Paid $0 over 0 runs", "weekly-error-report")
    told(alice, "cost weekly-error-report", "Paid: nothing, no model was asked. 0 runs: 0 tokens.", "plan as code")
    told(alice, "cost weekly-eror", "no routine called “weekly-eror”")
    told(alice, "library", "Proven scripts", "log")
    told(alice, "help", "What you can type", "/standby pause NAME")
    told(alice, "", "What you can type")
    told(alice, "dance <!channel>", "I do not know “dance”")
    told(alice, "show weekly-eror", "no routine called “weekly-eror”", "Say its name: weekly-error-report")
    assert desk.refused() == []
    desk.fault("rate_limited", "users.info", seconds=30)
    told(alice, "pause weekly-error-report", "Slack does not answer me just now", "Nothing was changed", "try again")


def test_orders_are_those_of_a_reply_and_are_told_in_the_thread(
    desk: Desk, database: Database, routine: Routine
) -> None:
    alice, charlie = desk.person("Alice"), desk.person("Charlie")
    told(charlie, "pause weekly-error-report", "Only members of this workspace")
    assert stored(database).state is RoutineState.ACTIVE

    told(alice, "pause weekly error report", "Paused.")
    assert stored(database).state is RoutineState.PAUSED
    told(alice, "pause weekly-error-report", "is paused already")
    told(alice, "resume weekly-error-report", "Resumed. Next: Mon")
    told(alice, "run weekly-error-report", "It runs now over the files posted since")
    told(alice, "run weekly-error-report", "running at this moment already")
    with database.transaction() as session:
        queued = session.connection().exec_driver_sql(
            "select args->>'text' from procrastinate_jobs where task_name = 'say'"
        )
        said = [row[0] for row in queued]
    assert [one for one in said if "Paused" in one] == [
        f"Alice: Paused. {routine.name} runs no more until somebody says “resume” here."
    ]


def test_a_member_who_is_not_involved_may_look_and_not_order(desk: Desk, database: Database, routine: Routine) -> None:
    with database.transaction() as session:  # now Bob asked for it, and he alone approves
        session.get_one(Routine, routine.id).owner_id = views.BOB
        session.connection().exec_driver_sql(f"update plan set requester_id = '{views.BOB}'")
    alice = desk.person("Alice")
    told(alice, "list", "Weekly error report")
    told(alice, "pause weekly-error-report", "Only the owner of this routine or an approver")
    assert stored(database).state is RoutineState.ACTIVE


@pytest.mark.usefixtures("process")
def test_nothing_there_yet_says_how_to_begin(desk: Desk) -> None:
    told(desk.person("Alice"), "list", "no routine yet")


def test_a_dead_bot_is_said_by_the_workspace_itself(desk: Desk) -> None:
    outcome = desk.person("Alice").command("#lab", "/standby", "list")
    assert (outcome.acked, "did not answer within 3 seconds" in outcome.problem) == (False, True)
    assert [m for m in desk.messages("#lab") if m.channel == LAB and m.is_from_bot] == []
