"""Routines that share a channel do not stop each other: each takes its own files, and says what it left aside."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

import pytest
from sqlmodel import Session

from bot.domain.overview import PAGES
from bot.domain.views import ReportView
from bot.domain.words import RoutineState, RunState
from bot.store import plans
from bot.store.plans import known
from bot.store.session import Database
from bot.store.tables_plans import Plan, Routine
from bot.store.tables_runs import Run, RunInput, Slot
from bot.store.tables_talk import SharedFile
from bot.work.inputs import inputs_of_slot
from bot.work.instruct import Refused
from bot.work.intake import files_gone
from bot.work.one_routine import routine_pages
from bot.work.own_files import own_files, sharing
from bot.work.slot_facts import slot_facts
from bot.work.wishes import names_of_files
from library.facts import FileFacts, FileKind
from sandbox.outcome import Surprised
from sandbox.shape import shape_of
from tests.approval.hands import finish, next_monday, person, press, send
from tests.approval.outside import LAB, TEAM
from tests.approval.stage import Stage
from tests.approval.stage import files as files_of
from tests.slack.proposals import MANIFEST
from tests.store.rows import NOW, WEEK, a_plan, a_routine, a_run, a_task
from tests.work.queued import waiting

CHANNEL = "C0LAB000001"


def routine_over(session: Session, name: str, files: Sequence[str]) -> tuple[Routine, Plan]:
    """An active routine of the channel whose sample had these files."""
    routine = a_routine(session, name)
    plan = a_plan(session, routine)
    shape = shape_of([FileFacts(one, 10, FileKind.TEXT_LOG) for one in files])
    manifest = MANIFEST.replace("weekly-error-report", name).encode()
    plans.add_files(session, known(plan.id), {**files_of(name, "none"), "plan.toml": manifest, "shape.json": shape})
    routine.current_plan_id = plan.id
    session.flush()
    return routine, plan


def posted(*names: str, mimetype: str = "text/plain") -> list[SharedFile]:
    return [
        SharedFile(
            team_id="T1", channel_id=CHANNEL, thread_ts=f"9.{at}", file_id=f"F{at}", name=name, mimetype=mimetype,
            posted_by="ALICE", posted_at=NOW, url="",
        )
        for at, name in enumerate(names)
    ]  # fmt: skip


def test_each_of_two_routines_takes_its_own_files_and_says_what_no_plan_knows(database: Database) -> None:
    with database.transaction() as session:
        logs, of_logs = routine_over(session, "log-errors", ["spectro-01.log", "spectro-02.log"])
        sales, of_sales = routine_over(session, "sales", ["sales-2026-11.csv"])
        files = posted("spectro-01.log", "spectro-02.log", "sales-2026-12.csv", "lunch.png", "notes.xml")

        own = own_files(session, logs, known(of_logs.id), CHANNEL, files)
        assert ([one.name for one in own.files], own.aside) == (["spectro-01.log", "spectro-02.log"], ("notes.xml",))
        own = own_files(session, sales, known(of_sales.id), CHANNEL, files)
        assert ([one.name for one in own.files], own.aside) == (["sales-2026-12.csv"], ("notes.xml",))


class Weekly:
    """An approved routine whose sample had two logs, and what is posted in its channel for its next slot."""

    def __init__(self, stage: Stage) -> None:
        self.stage, self.parts = stage, stage.worker(0)
        shape = shape_of([FileFacts(one, 10, FileKind.TEXT_LOG) for one in ("spectro-01.log", "spectro-02.log")])
        plan = {**files_of("weekly-error-report", "count"), "shape.json": shape}
        assert press(stage, stage.propose(stage.new_task("1.0"), plan, "ALICE", "", None)).accepted
        self.posted_at = stage.time.now()
        self.run_id = next_monday(stage)

    def post(self, name: str, content: str, after_s: int = 0) -> str:
        """The ts of a message that brought a file, which is in our keeping already."""
        at = (self.posted_at + timedelta(seconds=after_s)).replace(microsecond=0)
        row = posted(name)[0]
        row.team_id, row.channel_id, row.posted_at, row.sha256 = TEAM, LAB, at, content
        row.file_id, row.thread_ts, row.size_bytes = name, f"{at.timestamp():.6f}", 10
        with self.stage.behind.transaction() as session:
            session.add(row)
        return f"{at.timestamp():.6f}"

    def inputs(self) -> list[str] | Surprised:
        with self.parts.db.transaction() as session:
            row = session.get_one(Run, self.run_id)
            manifest = plans.manifest(session, row.plan_id)
            facts = slot_facts(session, session.get_one(Slot, row.slot_id), manifest)
        found = inputs_of_slot(self.parts, row.slot_id, row.plan_id, manifest, facts)
        return found if isinstance(found, Surprised) else sorted(one.name for one in found)


def test_what_no_plan_knows_is_left_aside_and_said_once(stage: Stage) -> None:
    # Given the agreed logs, and what somebody shared beside them
    weekly = Weekly(stage)
    for name in ("spectro-01.log", "spectro-02.log", "lunch.png", "notes.xml"):
        weekly.post(name, name)

    # When the slot's run takes its files, and does so again after a lost box
    assert weekly.inputs() == weekly.inputs() == ["spectro-01.log", "spectro-02.log"]

    # Then the thread says it once: a picture nobody would have counted
    said = {args["key"]: args["text"] for name, args in waiting(stage.behind) if name == "say"}
    [aside] = [words for key, words in said.items() if ":aside:" in key]
    assert aside.startswith("Left aside: notes.xml. ")

    # And so does the report, wherever it is sent
    assert finish(stage, weekly.run_id)
    send(stage)
    assert all("Left aside: notes.xml" in words for words in sent(stage))
    assert len(sent(stage)) == 2


def sent(stage: Stage) -> list[str]:
    """What each destination got: the channel's post and the mail."""
    posts = [view.markdown for _, view in stage.channel.shown.items() if isinstance(view, ReportView)]
    return [*posts, *(one.text for one in stage.post.taken)]


def test_a_file_that_came_twice_halts_and_after_one_was_deleted_the_other_counts(stage: Stage) -> None:
    weekly = Weekly(stage)
    weekly.post("spectro-01.log", "one")
    weekly.post("spectro-02.log", "two")
    copy = weekly.post("spectro-02 (1).log", "two", after_s=60)

    halted = weekly.inputs()
    assert isinstance(halted, Surprised)
    assert (halted.name, "delete one of the two" in halted.expected) == ("SameContent", True)

    files_gone(weekly.parts, TEAM, LAB, copy, ["spectro-02 (1).log"])
    assert weekly.inputs() == ["spectro-01.log", "spectro-02.log"]


def test_a_paused_routine_keeps_its_files_and_a_retired_one_has_none(database: Database) -> None:
    with database.transaction() as session:
        logs, of_logs = routine_over(session, "log-errors", ["spectro-01.log"])
        old, _ = routine_over(session, "old-logs", ["kiln.log"])
        files = posted("spectro-01.log", "kiln.log")
        taken, aside = {}, {}
        for state in (RoutineState.PAUSED, RoutineState.RETIRED):
            old.state = state
            session.flush()
            own = own_files(session, logs, known(of_logs.id), CHANNEL, files)
            taken[state] = {one.name: one.name in own.new for one in own.files}
            aside[state] = own.aside

    assert aside == {RoutineState.PAUSED: ("kiln.log",), RoutineState.RETIRED: ()}  # nobody else would say it
    assert taken[RoutineState.PAUSED] == {"spectro-01.log": False}
    assert taken[RoutineState.RETIRED] == {"spectro-01.log": False, "kiln.log": True}


def test_a_card_names_only_the_routines_that_read_the_same_files(database: Database) -> None:
    with database.transaction() as session:
        for name, files in (("log-errors", ["kiln.log"]), ("kiln-days", ["kiln.log", "b.log"]), ("sales", ["s.csv"])):
            routine_over(session, name, files)
        weekly, plan = routine_over(session, "weekly", ["kiln.log"])
        paused, _ = routine_over(session, "paused-one", ["kiln.log"])
        paused.state = RoutineState.PAUSED
        session.flush()

        assert sharing(session, weekly, plans.folder(session, known(plan.id))) == ["kiln-days", "log-errors"]


def test_only_members_leaf_through_a_routine(stage: Stage) -> None:
    # Given a routine of a public channel, whose pages hold the script, addresses and samples
    weekly = Weekly(stage)
    with stage.behind.transaction() as session:
        key = f"{PAGES}{session.get_one(Slot, session.get_one(Run, weekly.run_id).slot_id).routine_id}"

    # Then a member reads them, whoever is none does not, and no other key opens anything
    assert routine_pages(weekly.parts, key, person("BOB")) is not None
    for kind in ("is_guest", "is_deleted", "is_stranger", "is_bot"):
        with pytest.raises(Refused):
            routine_pages(weekly.parts, key, person("EVE", **{kind: True}))
    assert routine_pages(weekly.parts, f"{PAGES}999", person("BOB")) is None
    assert routine_pages(weekly.parts, f"{PAGES}1²", person("BOB")) is None


def test_a_file_of_the_newest_report_can_be_left_out_by_its_name(database: Database) -> None:
    with database.transaction() as session:
        task, routine = a_task(session), a_routine(session)
        task.routine_id = routine.id
        run = a_run(session, a_plan(session, routine), NOW, RunState.REPORTED)
        session.add(RunInput(run_id=known(run.id), name="saw.log", sha256="0", size_bytes=1))
        session.flush()

        assert names_of_files(session, task, NOW + WEEK) == ["saw.log"]
