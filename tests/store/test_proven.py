"""The team's own proven plans in the database: when one enters, once, and by which words it is found."""

from datetime import timedelta

import pytest
from sqlmodel import Session

from bot.domain.own import fingerprint
from bot.domain.words import RunState, Verb
from bot.store import plans, proven
from bot.store.plans import known
from bot.store.session import Database
from bot.store.tables import Plan, Routine, Task
from library.catalog import load_catalog
from tests.library.conftest import a_plan as a_folder
from tests.store.rows import NOW, WEEK, a_plan, a_routine, a_run
from tests.store.test_plans import a_card, decide

NEEDED = 3
REQUEST = "Every Monday compute the yield of each reactor from the batch sheets"


def an_approved(session: Session, routine: Routine, source: bytes, request: str = REQUEST) -> Plan:
    """A version with these bytes that Bob approved, for a task in these words."""
    task = Task(
        team_id="T1", channel_id="C1", thread_ts=routine.name, requester_id="ALICE", request=request, asked_at=NOW
    )
    session.add(task)
    session.flush()
    plan = a_plan(session, routine)
    plan.task_id = task.id
    folder = a_folder(load_catalog()["top-list"], {})
    plans.add_files(session, known(plan.id), {**folder.files, "plan.py": source})
    decide(session, plan, a_card(session, plan), Verb.APPROVE, "BOB")
    return plan


def run_clean(session: Session, plan: Plan, times: int, known_scripts: tuple[str, ...] = ()) -> None:
    for number in range(times):
        due_at = NOW + WEEK * (number + 1)
        a_run(session, plan, due_at, RunState.REPORTED)
        proven.note_clean_run(session, known(plan.id), due_at, NEEDED, known_scripts)
        session.flush()


def names(session: Session, team_id: str, request: str) -> list[str]:
    return [one.name for one, _ in proven.sharing_words(session, team_id, request)]


def test_an_approved_plan_enters_with_its_third_clean_run(database: Database):
    with database.transaction() as session:
        plan = an_approved(session, a_routine(session, "weekly-yield"), b"x = 1\n")
        run_clean(session, plan, 2)
        assert proven.entries(session) == []

        a_run(session, plan, NOW + WEEK * 3, RunState.REPORTED)
        proven.note_clean_run(session, known(plan.id), NOW + WEEK * 3, NEEDED, ())

        [entry] = proven.entries(session)
        assert (entry.name, entry.clean_runs, entry.last_good_at) == ("weekly-yield", 3, NOW + WEEK * 3)
        assert bytes(entry.plan_py) == b"x = 1\n"


def test_the_same_script_with_other_parameters_is_one_entry_with_the_latest_run(database: Database):
    with database.transaction() as session:
        run_clean(session, an_approved(session, a_routine(session, "one"), b"TOP = 1\nx = TOP\n"), 3)
        run_clean(session, an_approved(session, a_routine(session, "two"), b"TOP = 9\nx = TOP\n"), 1)
        run_clean(session, an_approved(session, a_routine(session, "three"), b"y = 1\n"), 3)

        found = {one.name: one.clean_runs for one in proven.entries(session)}
        assert found == {"two": 4, "three": 3}


def test_scripts_of_the_library_and_what_nobody_approved_do_not_enter(database: Database):
    with database.transaction() as session:
        library = an_approved(session, a_routine(session, "one"), b"x = 1\n")
        run_clean(session, library, 4, (fingerprint(b"x = 1\n"),))
        routine = a_routine(session, "two")
        bare = a_plan(session, routine)
        plans.add_files(session, known(bare.id), a_folder(load_catalog()["top-list"], {}).files)
        run_clean(session, bare, 4)

        assert proven.entries(session) == []


@pytest.mark.parametrize(
    ("request_text", "shared"),
    [
        ("I want the yields of both reactors, please", {"yield", "reactor"}),
        ("batches & sheets | 'computing' : !", {"batch", "sheet", "comput"}),
    ],
)
def test_it_is_found_by_the_stems_of_its_words(database: Database, request_text: str, shared: set[str]):
    with database.transaction() as session:
        run_clean(session, an_approved(session, a_routine(session, "weekly-yield"), b"x = 1\n"), 3)

        [(entry, found)] = proven.sharing_words(session, "T1", request_text)

        assert (entry.name, found) == ("weekly-yield", shared)


def test_another_teams_are_not_found_and_neither_is_what_shares_no_word(database: Database):
    with database.transaction() as session:
        run_clean(session, an_approved(session, a_routine(session, "weekly-yield"), b"x = 1\n"), 3)

        assert names(session, "T2", "the yield of reactors") == []
        assert names(session, "T1", "uptime of hosts") == []
        assert names(session, "T1", "") == []


def test_an_import_is_found_and_its_twin_is_refused(database: Database):
    script = load_catalog()["top-list"]
    folder = a_folder(script, {})
    with database.transaction() as session:
        assert proven.enter(session, "", "downtime", "downtime of presses", folder, NOW)
        assert not proven.enter(session, "", "again", "other words", folder, NOW + timedelta(days=1))

        assert names(session, "T1", "downtimes per press") == ["downtime"]
        [entry] = proven.entries(session)
        assert bytes(entry.plan_toml) == folder.files["plan.toml"]
