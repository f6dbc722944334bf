"""What people and workers do on a stage, each in one call."""

from __future__ import annotations

from collections.abc import Mapping

from bot.domain.people import Person
from bot.domain.ports import MessageRef
from bot.domain.words import Verb
from bot.work import decide, deliver, endings, run
from bot.work.decide import Answer
from bot.work.sweep import arm_due
from sandbox.outcome import Outcome, Report
from tests.approval.outside import TEAM
from tests.approval.stage import APPROVERS, Stage, files

REPORT = Report("17 errors")


def person(user_id: str, **also: bool) -> Person:
    return Person(user_id, TEAM, user_id.title(), **also)


def proposed(stage: Stage, script: str = "count the errors", routine: str = "weekly-error-report") -> int:
    """The id of version 1, asked for by Alice, on an open card."""
    task = stage.new_task(f"{routine}.0")
    return stage.propose(task, files(routine, script), "ALICE", "", None)


def press(
    stage: Stage,
    plan_id: int,
    by: str | Person = "BOB",
    verb: Verb = Verb.APPROVE,
    *,
    approvers: tuple[str, ...] = APPROVERS,
    solo: bool = False,
    of: Mapping[str, tuple[str, ...]] | None = None,
) -> Answer:
    """Press the button of that verb on the card of a plan."""
    button = button_of(stage, plan_id, verb)
    who = person(by) if isinstance(by, str) else by
    return decide.press(
        stage.worker(0, approvers=approvers, solo=solo, of=of), button, verb, who, home_of(stage, plan_id), "because"
    )


def home_of(stage: Stage, plan_id: int) -> MessageRef:
    """The message that a plan's card is on."""
    return MessageRef(*stage.rows("select channel_id, message_ts from card where plan_id = :p", p=plan_id)[0])


def button_of(stage: Stage, plan_id: int, verb: Verb = Verb.APPROVE) -> str:
    query = "select press.id from press join card on card.id = card_id where plan_id = :plan and verb = :verb"
    return str(stage.one(query, plan=plan_id, verb=verb))


def next_monday(stage: Stage) -> int:
    """The id of the run that a week later is queued."""
    stage.time.pass_by(days=7)
    arm_due(stage.worker(0).db, stage.time)
    return int(stage.one("select max(id) from run"))


def finish(stage: Stage, run_id: int, outcome: Outcome = REPORT) -> bool:
    """Claim and end a run; false where it was refused."""
    if run.claim(stage.worker(0), run_id) is None:
        return False
    endings.ended(stage.worker(0), run_id, outcome)
    return True


def send(stage: Stage) -> None:
    """Send whatever waits to be sent."""
    for delivery_id in stage.ids("select id from delivery where state = 'pending' order by id"):
        deliver.deliver(stage.worker(0), delivery_id)
