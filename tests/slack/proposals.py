"""A card that waits for a decision, as the rows and the message that the agent leaves behind."""

from dataclasses import dataclass, replace

from sqlmodel import select

from bot.domain.ports import Place
from bot.domain.words import PlanState, TaskState
from bot.slack.chat import SlackChat
from bot.store import history, plans
from bot.store.plans import known
from bot.store.session import Database
from bot.store.tables_plans import Card, Decision, Plan, PlanFile, Routine
from bot.store.tables_talk import Task
from bot.work.rehearsal import Rehearsal
from library.plan_folder import PlanFolder
from sandbox.outcome import Report
from tests import views
from tests.desk_client import Desk, Message

TEAM = "T0LAB000001"
LAB = "C0LAB000001"

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

REHEARSAL = Rehearsal(Report("17 errors"), "two files were looked at")


@dataclass(frozen=True)
class Proposal:
    """A card that waits for a decision, and the message it is on."""

    card_id: int
    plan_id: int
    message: Message


def propose(
    database: Database, chat: SlackChat, desk: Desk, script: str, *, before: Proposal | None = None
) -> Proposal:
    """Version 1 on an open card in the thread of Alice's request; or version 2, after `before`."""
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
            team_id=TEAM, name="a-later-report" if before else "weekly-error-report", channel_id=LAB,
            thread_ts=request.ts, owner_id=views.ALICE, created_at=now,
        )  # fmt: skip
        session.add(routine)
        session.flush()
        task = Task(
            team_id=TEAM, channel_id=LAB, thread_ts=request.ts, requester_id=views.ALICE, request=request.text,
            state=TaskState.PROPOSED, routine_id=routine.id, asked_at=now,
        )  # fmt: skip
        session.add(task)
        session.flush()
        plan = Plan(
            routine_id=known(routine.id), version=2 if before else 1, digest=folder.digest, requester_id=views.ALICE,
            state=PlanState.PROPOSED, task_id=task.id, created_at=now,
            rehearsal=replace(REHEARSAL, change_from=before.plan_id if before else None).keys(),
        )  # fmt: skip
        session.add(plan)
        session.flush()
        session.add_all([PlanFile(plan_id=known(plan.id), name=name, body=body) for name, body in files.items()])
        history.append(session, now, "plan.proposed", plans.origin_words(plan))
        card = Card(plan_id=known(plan.id), digest=folder.digest, channel_id=LAB, thread_ts=request.ts, opened_at=now)
        session.add(card)
        session.flush()
        presses = [plans.new_press(session, button.verb, card_id=card.id) for button in views.BUTTONS]
    buttons = tuple(type(b)(b.verb, p.id) for b, p in zip(views.BUTTONS, presses, strict=True))
    view = views.approval(script=script, buttons=buttons, digest=folder.digest)
    ref = chat.post(Place(TEAM, LAB, request.ts), view, key=f"card:{card.id}")
    with database.transaction() as session:
        session.get_one(Card, card.id).message_ts = ref.ts
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
