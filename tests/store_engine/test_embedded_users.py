"""Several users on one computer: the embedded database keeps to its own. Needs root, which can play them all."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
import psycopg
import pytest

from bot.store.embedded import Embedded, FolderNotOurs, FolderUnreachable
from bot.store.embedded.account import closed_to, server_account
from bot.store.embedded.binaries import Programs, choose, within_reach

pytestmark = pytest.mark.root


@contextmanager
def as_user(name: str) -> Iterator[None]:
    """For the operating system, and for Standby, we are `name` inside the block."""
    os.seteuid(pwd.getpwnam(name).pw_uid)
    try:
        yield
    finally:
        os.seteuid(0)


def test_as_root_the_server_runs_as_somebody_else_and_owns_only_its_rows(data_dir: Path) -> None:
    account = server_account()
    with Embedded(data_dir) as server:
        assert psutil.Process(server.pid).uids().real == account.uid != 0
    assert (data_dir / "database" / "cluster").stat().st_uid == account.uid
    assert data_dir.stat().st_uid == (data_dir / "database").stat().st_uid == 0


def test_another_user_of_the_computer_cannot_connect(data_dir: Path) -> None:
    with Embedded(data_dir) as server:
        address = server.url.replace("+psycopg", "")
        with as_user("daemon"), pytest.raises(psycopg.OperationalError, match="ermission denied"):
            psycopg.connect(address)


def test_not_even_the_account_it_runs_as_may_connect(data_dir: Path) -> None:
    with Embedded(data_dir) as server:
        address = server.url.replace("+psycopg", "")
        refused = pytest.raises(psycopg.OperationalError, match="Peer authentication failed")
        with as_user(server_account().name), refused:
            psycopg.connect(address)


def test_a_folder_of_another_user_is_told_with_the_owners_name(data_dir: Path) -> None:
    with Embedded(data_dir), as_user("daemon"), pytest.raises(FolderNotOurs, match="belongs to the user root"):
        Embedded(data_dir).start()


def test_another_users_lock_file_is_told_with_the_owners_name(data_dir: Path) -> None:
    (data_dir / "database").mkdir(parents=True)
    for folder in (data_dir, data_dir / "database"):
        os.chown(folder, pwd.getpwnam("daemon").pw_uid, -1)
    lock = data_dir / "database" / "lock"
    lock.touch(0o600)
    with as_user("daemon"), pytest.raises(FolderNotOurs, match=r"lock belongs to the user root.*Run Standby as root"):
        Embedded(data_dir).start()


def test_root_does_not_take_over_a_database_of_another_user(data_dir: Path) -> None:
    (data_dir / "database").mkdir(parents=True)
    os.chown(data_dir / "database", pwd.getpwnam("daemon").pw_uid, -1)
    with pytest.raises(FolderNotOurs, match="belongs to the user daemon"):
        Embedded(data_dir).start()


def test_a_folder_closed_to_the_servers_account_is_told_and_nothing_is_opened(data_dir: Path) -> None:
    closed = data_dir / "closed"
    closed.mkdir(parents=True)
    closed.chmod(0o700)
    with pytest.raises(FolderUnreachable, match="closed is closed to others"):
        Embedded(closed / "data").start()
    assert closed.stat().st_mode & 0o777 == 0o700 and not list(closed.iterdir())


def test_programs_the_account_cannot_reach_are_copied_to_where_it_can(data_dir: Path) -> None:
    account = server_account()
    data_dir.mkdir()
    wheel = choose(data_dir).home.parent
    with tempfile.TemporaryDirectory() as closed:
        shutil.copytree(wheel, Path(closed) / wheel.name)
        shutil.copytree(wheel.with_name(f"{wheel.name}.libs"), Path(closed) / f"{wheel.name}.libs")
        hidden = Programs(Path(closed) / wheel.name / choose(data_dir).home.name, choose(data_dir).major)
        copied = within_reach(hidden, account, data_dir)
    assert closed_to(account, copied.postgres) is None
    for program in (copied.postgres, copied.initdb):
        subprocess.run([program, "--version"], user=account.uid, group=account.gid, check=True)
