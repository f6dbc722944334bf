"""Boxes that nobody uses any more are ended by us, and no other box is touched."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import psycopg
import pytest

from bot.processes.reaping import keep_ending_orphans, keep_ending_overdue, keep_reaping
from bot.store.session import Database, libpq_url
from bot.work.holders import Deaths
from sandbox.tags import OURS
from tests.box import wire
from tests.box.conftest import start_or_skip
from tests.box.local_server import LocalServer, until

SILENT_S = 0.4


@pytest.fixture
def server(tmp_path: Path) -> Iterator[LocalServer]:
    server = start_or_skip(tmp_path, ("--faults",))
    yield server
    server.stop()


@pytest.fixture
def db(database_url: str) -> Iterator[Database]:
    with closing(Database(database_url)) as db:
        yield db


def made(server: LocalServer, **tags: str) -> str:
    """A box that its provider keeps for ten minutes, whatever its tags say."""
    return str(wire.create(server, timeout=600, metadata=tags).json()["sandboxID"])


def worker(db: Database, silent_s: float) -> str:
    """A worker that was heard of so long ago."""
    with psycopg.connect(libpq_url(db.url)) as connection:
        asked = (
            "insert into procrastinate_workers (last_heartbeat) values (now() - make_interval(secs => %s)) returning id"
        )
        found = connection.execute(asked, (silent_s,)).fetchone()
    assert found is not None
    return str(found[0])


def test_only_what_outlived_its_own_time_is_ended_again_and_again(server: LocalServer, db: Database) -> None:
    kept = {made(server, **OURS, lifetime_s="600"), made(server, lifetime_s="0"), made(server, **OURS, lifetime_s="x")}
    forgotten = made(server, **OURS, lifetime_s="0")

    stop = keep_reaping(server.boxes(), db, SILENT_S, grace_s=0)
    assert until(lambda: forgotten not in server.folders())
    later = made(server, **OURS, lifetime_s="0")
    assert until(lambda: later not in server.folders())
    stop.set()

    assert set(server.folders()) == kept


def test_of_many_workspaces_one_look_ends_what_is_overdue(server: LocalServer, db: Database) -> None:
    ours = {**OURS, "install": db.identity}
    forgotten, orphan = made(server, **OURS, lifetime_s="0"), made(server, **ours, lifetime_s="600", worker="0")

    of_one = keep_ending_orphans(server.boxes(), db, SILENT_S)
    assert until(lambda: orphan not in server.folders(), within_s=3 * SILENT_S + 5)
    assert forgotten in server.folders()

    of_all = keep_ending_overdue(server.boxes(), SILENT_S, grace_s=0)
    assert until(lambda: forgotten not in server.folders())
    of_one.set()
    of_all.set()


def test_a_dead_workers_boxes_are_ended_long_before_their_time(server: LocalServer, db: Database) -> None:
    ours = {**OURS, "install": db.identity, "lifetime_s": "600"}
    dead, gone, living = worker(db, 60), "0", worker(db, -60)
    kept = {
        made(server, **ours, worker=living),
        made(server, **ours),
        made(server, **{**ours, "install": "another"}, worker=dead),
    }
    orphans = {made(server, **ours, worker=dead), made(server, **ours, worker=gone)}

    stop = keep_reaping(server.boxes(), db, SILENT_S)

    assert until(lambda: not orphans & set(server.folders()), within_s=3 * SILENT_S + 5)
    stop.set()
    assert set(server.folders()) == kept


def test_nobody_is_dead_before_the_database_was_there_for_as_long_as_one_may_be_silent(db: Database) -> None:
    silent, deaths = worker(db, 60), Deaths(db, SILENT_S)

    assert deaths.among({silent}) == ()
    time.sleep(SILENT_S)
    assert deaths.among({silent, worker(db, 0)}) == {silent}


def test_a_provider_that_fails_stops_no_reaper(server: LocalServer, db: Database) -> None:
    server.fault("status", "/v2/sandboxes", method="GET", status=500, times=2)
    forgotten = made(server, **OURS, lifetime_s="0")

    stop = keep_reaping(server.boxes(), db, SILENT_S, grace_s=0)

    assert until(lambda: forgotten not in server.folders())
    stop.set()


def test_a_database_is_itself_by_whatever_name_and_no_other(db: Database, fresh_database: Callable[[], str]) -> None:
    with closing(Database(db.url)) as same, closing(Database(fresh_database())) as other:
        assert same.identity == db.identity != other.identity
