"""How many at once and how fast, over all who share a database; and who goes first."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

from sqlalchemy import text

from bot.store import pace
from bot.store.session import Database
from bot.work.jobs import Job, enqueue
from bot.work.places import Places
from tests.store.rows import NOW

KIND = 4711


def test_no_more_are_at_it_than_there_are_places_whoever_asks(database_url: str) -> None:
    processes = [Database(database_url, pool_size=8) for _ in range(2)]
    now, most, lock = 0, 0, threading.Lock()

    def work(number: int) -> None:
        nonlocal now, most
        with Places(processes[number % 2], KIND, 3).one():
            with lock:
                now += 1
                most = max(most, now)
            time.sleep(0.2)
            with lock:
                now -= 1

    with ThreadPoolExecutor(9) as pool:
        list(pool.map(work, range(9)))
    for process in processes:
        process.close()

    assert most == 3


def test_a_place_whose_holder_died_is_free(database: Database) -> None:
    places = Places(database, KIND, 1)
    held = places.one()
    held.__enter__()
    with database.transaction() as session:
        session.execute(
            text("select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and classid = :kind"),
            {"kind": KIND},
        )

    with places.one():
        pass
    held.__exit__(None, None, None)


def test_without_a_number_there_is_no_limit(database: Database) -> None:
    with Places(database, KIND, 0).one(), Places(database, KIND, 0).one():
        pass


def test_turns_are_given_out_one_after_the_other_and_start_anew_after_a_rest(database: Database) -> None:
    with database.transaction() as session:
        given = [pace.turn(session, "box", NOW, 1.0, most=20) for _ in range(3)]
        later = pace.turn(session, "box", NOW + timedelta(seconds=60), 1.0, most=20)

    assert given == [NOW, NOW + timedelta(seconds=1), NOW + timedelta(seconds=2)]
    assert later == NOW + timedelta(seconds=60)


def test_what_ends_something_goes_before_what_begins_something(database: Database) -> None:
    with database.transaction() as session:
        for number in range(3):
            enqueue(session, Job.RUN, run_id=number)
        enqueue(session, Job.DELIVER, delivery_id=1)
        enqueue(session, Job.TELL, surprise_id=1)
        order = session.execute(text("select task_name from procrastinate_jobs order by priority desc, id"))

        assert [str(name) for (name,) in order] == ["deliver", "tell", "run", "run", "run"]
