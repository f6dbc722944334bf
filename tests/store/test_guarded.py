"""A change of state names the old state; of two who want it, one has it, and the other is told so."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from bot.domain.words import RunState
from bot.store.guarded import NoSuchMove, move
from bot.store.plans import known
from bot.store.session import Database
from bot.store.tables import Run
from tests.store.rows import NOW, a_plan, a_routine, a_run


def queued_run(database: Database) -> int:
    with database.transaction() as session:
        return known(a_run(session, a_plan(session, a_routine(session)), NOW).id)


def test_a_move_from_the_state_it_names_is_made_with_all_its_columns(database: Database):
    run_id = queued_run(database)

    with database.transaction() as session:
        assert move(session, Run, run_id, RunState.QUEUED, RunState.RUNNING, started_at=NOW, digest="box-1")

    with database.transaction() as session:
        run = session.get_one(Run, run_id)
        assert (run.state, run.started_at, run.digest) == (RunState.RUNNING, NOW, "box-1")


def test_a_move_from_another_state_changes_nothing(database: Database):
    run_id = queued_run(database)

    with database.transaction() as session:
        assert not move(session, Run, run_id, RunState.RUNNING, RunState.REPORTED, digest="box-1")

    with database.transaction() as session:
        run = session.get_one(Run, run_id)
        assert (run.state, run.digest) == (RunState.QUEUED, "")


def test_a_move_that_no_table_knows_is_refused_whatever_state_the_row_is_in(database: Database):
    run_id = queued_run(database)

    with pytest.raises(NoSuchMove, match="no move from lost to reported"), database.transaction() as session:
        move(session, Run, run_id, RunState.LOST, RunState.REPORTED)


def test_a_row_that_is_not_there_is_not_moved(database: Database):
    with database.transaction() as session:
        assert not move(session, Run, 4711, RunState.QUEUED, RunState.RUNNING)


def test_a_row_already_loaded_shows_its_new_state(database: Database):
    run_id = queued_run(database)
    with database.transaction() as session:
        run = session.get_one(Run, run_id)
        move(session, Run, run_id, RunState.QUEUED, RunState.RUNNING)
        assert run.state is RunState.RUNNING


def test_of_eight_who_press_at_once_one_wins(database: Database):
    run_id = queued_run(database)
    together = threading.Barrier(8)

    def press(box: int) -> bool:
        with database.transaction() as session:
            together.wait()
            return move(session, Run, run_id, RunState.QUEUED, RunState.RUNNING, digest=f"box-{box}")

    with ThreadPoolExecutor(8) as pool:
        won = list(pool.map(press, range(8)))

    assert sum(won) == 1
    with database.transaction() as session:
        assert session.get_one(Run, run_id).digest == f"box-{won.index(True)}"


def test_the_second_waits_for_the_first_and_then_loses(database: Database):
    run_id = queued_run(database)
    with ThreadPoolExecutor(1) as pool:
        with database.transaction() as first:
            assert move(first, Run, run_id, RunState.QUEUED, RunState.RUNNING)
            second = pool.submit(lambda: moved(database, run_id))
            assert not second.done()
        assert second.result(timeout=10) is False


def test_the_second_wins_where_the_first_is_rolled_back(database: Database):
    run_id = queued_run(database)
    with ThreadPoolExecutor(1) as pool:
        with database.transaction() as session:
            assert move(session, Run, run_id, RunState.QUEUED, RunState.RUNNING)
            second = pool.submit(lambda: moved(database, run_id))
            session.rollback()
        assert second.result(timeout=10) is True


def moved(database: Database, run_id: int) -> bool:
    with database.transaction() as session:
        return move(session, Run, run_id, RunState.QUEUED, RunState.RUNNING)
