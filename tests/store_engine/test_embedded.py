"""The embedded database starts from whatever state its folder is in, and leaves nothing behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import psycopg
import pytest

from bot.store.embedded import AlreadyRunning, CannotStart, Embedded, WrongVersion
from bot.store.embedded.leftovers import servers_of

STARTER = "import sys, time; from pathlib import Path; from bot.store.embedded import Embedded; \
e = Embedded(Path(sys.argv[1]), dies_with_us=sys.argv[2] == 'together'); e.start(); print(e.pid, flush=True); \
time.sleep(60)"


@pytest.fixture
def embedded(data_dir: Path) -> Iterator[Embedded]:
    server = Embedded(data_dir)
    yield server
    server.stop()  # a test may have started it or not


def connect(server: Embedded) -> psycopg.Connection[tuple[object, ...]]:
    return psycopg.connect(server.url.replace("+psycopg", ""), autocommit=True)


def keep(server: Embedded, word: str) -> None:
    with connect(server) as connection:
        connection.execute("CREATE TABLE IF NOT EXISTS kept (word text)")
        connection.execute("INSERT INTO kept VALUES (%s)", (word,))


def kept(server: Embedded) -> list[object]:
    with connect(server) as connection:
        return [row[0] for row in connection.execute("SELECT word FROM kept ORDER BY 1")]


def pid_file(data_dir: Path) -> Path:
    return data_dir / "database" / "cluster" / "postmaster.pid"


def name_in_pid_file(data_dir: Path, template: str, pid: int) -> None:
    lines = template.splitlines()
    pid_file(data_dir).write_text("\n".join([str(pid), *lines[1:]]) + "\n")


def gone(pid: int, within_s: float = 15.0) -> bool:
    deadline = time.monotonic() + within_s
    while psutil.pid_exists(pid) and psutil.Process(pid).status() != psutil.STATUS_ZOMBIE:
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True


def test_rows_are_there_after_stop_and_start_and_nothing_runs_in_between(embedded: Embedded, data_dir: Path) -> None:
    embedded.start()
    keep(embedded, "first")
    embedded.stop()
    assert servers_of((data_dir / "database" / "cluster").resolve()) == [] and not embedded.running
    embedded.start()
    assert kept(embedded) == ["first"]


def test_it_listens_on_a_private_socket_alone_and_writes_through_to_the_disk(embedded: Embedded) -> None:
    embedded.start()
    assert psutil.Process(embedded.pid).net_connections("inet") == []
    with connect(embedded) as connection:
        shown = connection.execute(
            "SELECT current_setting('fsync'), current_setting('listen_addresses'), "
            "current_setting('unix_socket_directories'), datcollate, current_user FROM pg_database "
            "WHERE datname = 'standby'"
        ).fetchone()
    assert shown is not None
    assert shown[:2] == ("on", "") and shown[3:] == ("C", "standby")
    assert Path(str(shown[2])).stat().st_mode & 0o777 == 0o700


def test_folders_above_are_left_as_they_are(data_dir: Path) -> None:
    before = data_dir.parent.stat().st_mode
    with Embedded(data_dir):
        pass
    assert data_dir.parent.stat().st_mode == before


def test_a_second_starter_is_told_who_has_the_folder(embedded: Embedded, data_dir: Path) -> None:
    embedded.start()
    with pytest.raises(AlreadyRunning, match="already running") as told:
        Embedded(data_dir).start()
    assert told.value.pid == os.getpid()
    assert embedded.running


def test_a_pid_file_that_names_a_living_stranger_is_not_believed(embedded: Embedded, data_dir: Path) -> None:
    embedded.start()
    keep(embedded, "first")
    written = pid_file(data_dir).read_text()
    embedded.stop()
    with subprocess.Popen(["sleep", "60"]) as stranger:
        name_in_pid_file(data_dir, written, stranger.pid)
        embedded.start()
        assert kept(embedded) == ["first"]
        assert stranger.poll() is None, "a stranger is none of our business"
        stranger.kill()


def test_a_pid_file_that_names_a_zombie_is_not_believed(embedded: Embedded, data_dir: Path) -> None:
    embedded.start()
    keep(embedded, "first")
    written = pid_file(data_dir).read_text()
    embedded.stop()
    zombie = subprocess.Popen(["true"])
    while psutil.Process(zombie.pid).status() != psutil.STATUS_ZOMBIE:
        time.sleep(0.01)
    name_in_pid_file(data_dir, written, zombie.pid)
    embedded.start()
    assert kept(embedded) == ["first"]
    zombie.wait()


def test_a_stale_lock_beside_the_socket_is_not_believed(embedded: Embedded, data_dir: Path) -> None:
    embedded.start()
    lock = data_dir / "database" / "socket" / ".s.PGSQL.5432.lock"
    written = lock.read_text()
    embedded.stop()
    lock.write_text("\n".join([str(os.getppid()), *written.splitlines()[1:]]) + "\n")
    embedded.start()
    assert embedded.running


def test_after_kill_9_of_the_server_what_was_committed_is_there_at_the_same_url(embedded: Embedded) -> None:
    url = embedded.start()
    keep(embedded, "first")
    os.kill(embedded.pid, signal.SIGKILL)
    while embedded.running:
        time.sleep(0.01)
    assert embedded.start() == url
    assert kept(embedded) == ["first"]


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells a process that its starter died")
def test_after_kill_9_of_the_starter_the_server_shuts_down_by_itself(data_dir: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", STARTER, data_dir, "together"], stdout=subprocess.PIPE) as starter:
        assert starter.stdout is not None
        pid = int(starter.stdout.readline())
        starter.kill()
    assert gone(pid)


def test_a_server_that_outlived_its_starter_is_found_and_replaced(embedded: Embedded, data_dir: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", STARTER, data_dir, "apart"], stdout=subprocess.PIPE) as starter:
        assert starter.stdout is not None
        pid = int(starter.stdout.readline())
        starter.kill()
    assert psutil.pid_exists(pid)
    embedded.start()
    assert gone(pid) and embedded.pid != pid
    keep(embedded, "first")


def test_a_path_too_long_for_a_socket_gets_a_short_private_place_that_is_removed_again(data_dir: Path) -> None:
    server = Embedded(data_dir / ("long" * 40))
    server.start()
    keep(server, "first")
    with connect(server) as connection:
        shown = connection.execute("SELECT current_setting('unix_socket_directories')").fetchone()
    assert shown is not None
    short = Path(str(shown[0]))
    assert short.stat().st_mode & 0o777 == 0o700
    server.stop()
    assert not short.exists()


def test_rows_of_another_major_version_are_left_alone_and_told(data_dir: Path) -> None:
    cluster = data_dir / "database" / "cluster"
    cluster.mkdir(parents=True)
    (cluster / "PG_VERSION").write_text("17\n")
    with pytest.raises(WrongVersion, match="written by PostgreSQL 17; here is PostgreSQL 16 and 18"):
        Embedded(data_dir).start()
    assert [p.name for p in cluster.iterdir()] == ["PG_VERSION"]


def test_what_an_interrupted_set_up_left_is_cleared_away(embedded: Embedded, data_dir: Path) -> None:
    (data_dir / "database" / "making-half").mkdir(parents=True)
    embedded.start()
    assert not list((data_dir / "database").glob("making-*"))


def test_a_setting_that_postgresql_refuses_is_told_in_its_own_words(data_dir: Path) -> None:
    server = Embedded(data_dir, settings={"shared_buffers": "much"})
    with pytest.raises(CannotStart, match='invalid value for parameter "shared_buffers"'):
        server.start()
    assert not server.running
    with Embedded(data_dir) as repaired:  # the folder's lock was given back
        assert repaired.running
