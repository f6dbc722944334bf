"""Routines that share a channel do not stop each other: each takes its own files, and says what it left aside."""

from collections.abc import Sequence

from sqlmodel import Session

from bot.domain.words import RoutineState
from bot.store import plans
from bot.store.plans import known
from bot.store.session import Database
from bot.store.tables_plans import Plan, Routine
from bot.store.tables_talk import SharedFile
from bot.work.own_files import own_files, sharing
from library.facts import FileFacts, FileKind
from sandbox.shape import shape_of
from tests.approval.stage import files as files_of
from tests.slack.proposals import MANIFEST
from tests.store.rows import NOW, a_plan, a_routine

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
            posted_by="ALICE", posted_at=NOW,
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


def test_a_paused_routine_keeps_its_files_and_a_retired_one_has_none(database: Database) -> None:
    with database.transaction() as session:
        logs, of_logs = routine_over(session, "log-errors", ["spectro-01.log"])
        old, _ = routine_over(session, "old-logs", ["kiln.log"])
        files = posted("spectro-01.log", "kiln.log")
        taken = {}
        for state in (RoutineState.PAUSED, RoutineState.RETIRED):
            old.state = state
            session.flush()
            own = own_files(session, logs, known(of_logs.id), CHANNEL, files)
            taken[state] = {one.name: one.name in own.new for one in own.files}

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
