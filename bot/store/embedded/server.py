"""Makes, starts and stops the PostgreSQL of one data folder.

DATA/database/lock            held by the process that runs it
DATA/database/cluster         the rows, owned by the account that the server runs as
DATA/database/socket          the socket's private folder (or a link to a shorter place)
DATA/database/access          who may connect: the user who started it, told by the operating system, no password
DATA/database/postgresql-18   the programs, only where that account cannot reach the installed ones
DATA/logs/database.log        what the server says
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Self
from urllib.parse import quote

import psutil
import psycopg

from bot.store.embedded import folders, leftovers, sockets
from bot.store.embedded.account import Account, closed_to, current_user, owner, server_account
from bot.store.embedded.binaries import Programs, choose, within_reach
from bot.store.embedded.errors import CannotStart, FolderNotOurs, FolderUnreachable
from bot.store.embedded.lock import FolderLock

ROLE = "standby"
READY_S = 60.0  # recovery after a crash replays at most max_wal_size, seconds on any disk
LOG_LIMIT_BYTES = 5_000_000

# Small, because it shares a laptop; connections are for six processes with a pool each, and a person looking in.
_SETTINGS = {
    "listen_addresses": "",
    "unix_socket_permissions": "0700",
    "max_connections": "100",
    "shared_buffers": "64MB",
    "max_wal_size": "256MB",
    "timezone": "UTC",
    "log_timezone": "UTC",
    "log_checkpoints": "off",
    "log_line_prefix": "%m [%p] ",
}


class Embedded:
    """The database server of one data folder; start it from the main thread.

    `dies_with_us` (Linux) has the server shut down when this process dies. `settings` are PostgreSQL's own.
    """

    def __init__(self, data_dir: Path, *, dies_with_us: bool = True, settings: Mapping[str, str] | None = None) -> None:
        self._data = data_dir.expanduser().absolute()
        self._database = self._data / "database"
        self._dies_with_us = dies_with_us
        self._settings = {**_SETTINGS, **(settings or {})}
        self._lock = FolderLock(self._database / "lock", self._data)
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    @property
    def running(self) -> bool:
        """Whether the server that we started lives."""
        return self._process is not None and self._process.poll() is None

    @property
    def pid(self) -> int:
        """The postmaster's process number; 0 where we run none."""
        return self._process.pid if self._process is not None and self.running else 0

    @property
    def log(self) -> Path:
        """The file in which the server says what it does."""
        return self._data / "logs" / "database.log"

    @property
    def url(self) -> str:
        """Where a started server is, for SQLAlchemy. It holds no secret: the socket knows who connects."""
        return self._url_of(ROLE)

    def start(self) -> str:
        """Makes the cluster if there is none, clears what a crash left, starts the server, and returns its URL.

        Blocks until it accepts connections (first time about 2 s). Raises an EmbeddedError with what to do.
        """
        if self.running:
            return self.url
        account = server_account()
        self._make_folders(account)
        self._lock.take()
        try:
            programs = self._prepare(account)
            self._run(programs, account, sockets.make(self._database, account))
            self._wait_until_ready()
            self._make_database()
        except BaseException:
            self.stop()
            raise
        return self.url

    def stop(self) -> None:
        """A fast shutdown: open transactions are undone, nothing committed is lost. Harmless when not running."""
        if self._process is not None:
            if self.running:
                leftovers.stop(psutil.Process(self._process.pid))
            self._process.wait()
            self._process = None
            sockets.forget(self._database)
        self._lock.release()

    @property
    def _cluster(self) -> Path:
        return self._database.resolve() / "cluster"

    def _url_of(self, name: str) -> str:
        return f"postgresql+psycopg://{ROLE}@/{name}?host={quote(str(sockets.current(self._database)), safe='')}"

    def _make_folders(self, account: Account) -> None:
        """Our folders, and nothing above them. Others may pass through only where the server is another account."""
        if closed := closed_to(account, self._database):
            if account.other:
                raise FolderUnreachable(self._database, closed, account.name)
            raise FolderNotOurs(closed, owner(closed))
        mode = 0o711 if account.other else 0o700
        folders.make(self._data, mode)
        folders.make_inner(self._database, mode)
        folders.make_inner(self.log.parent, 0o700)

    def _prepare(self, account: Account) -> Programs:
        """Leaves a cluster that no server works on, and who may connect to it; returns the programs for it."""
        leftovers.clear(self._cluster, sockets.current(self._database))
        programs = within_reach(choose(self._cluster), account, self._database)
        self._write_access()
        if not self._cluster.exists():
            self._make_cluster(programs, account)
        return programs

    def _write_access(self) -> None:
        """Only the user who starts it may connect; the operating system vouches for who that is."""
        access = self._database / "access"
        access.mkdir(exist_ok=True)
        (access / "hba.conf").write_text("local all all peer map=starter\n")
        (access / "ident.conf").write_text(f'starter "{current_user()}" {ROLE}\n')
        for path in (access, *access.iterdir()):
            path.chmod(0o755 if path.is_dir() else 0o644)

    def _make_cluster(self, programs: Programs, account: Account) -> None:
        """An empty cluster, put in its place only when complete: a crash in here leaves nothing half made."""
        for abandoned in self._database.glob("making-*"):
            shutil.rmtree(abandoned)
        partial = Path(tempfile.mkdtemp(prefix="making-", dir=self._database))
        account.own(partial)
        # The builtin locale sorts alike on every computer, whatever languages it has installed.
        options = ["--encoding=UTF8", "--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"]
        argv = [str(programs.initdb), f"--username={ROLE}", "--auth=peer", "--no-instructions", *options]
        done = subprocess.run(
            _as(account, 0, [*argv, f"--pgdata={partial}"]), env=_environment(), capture_output=True, check=False
        )
        if done.returncode != 0:
            raise CannotStart(f"A new database could not be made in {self._database}: {_last_words(done.stderr)}")
        partial.rename(self._cluster)

    def _run(self, programs: Programs, account: Account, socket_folder: Path) -> None:
        access = self._database.resolve() / "access"
        settings = {
            **self._settings,
            "unix_socket_directories": str(socket_folder),
            "hba_file": str(access / "hba.conf"),
            "ident_file": str(access / "ident.conf"),
        }
        argv = [str(programs.postgres), "-D", str(self._cluster)]
        argv += [word for name, value in settings.items() for word in ("-c", f"{name}={value}")]
        if self.log.exists() and self.log.stat().st_size > LOG_LIMIT_BYTES:
            self.log.replace(self.log.with_suffix(".log.1"))
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                _as(account, os.getpid() if self._dies_with_us else 0, argv),
                env=_environment(),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,  # a Ctrl-C in the terminal is for us; we stop the server when it is its turn
            )

    def _wait_until_ready(self) -> None:
        """Its own pid file says so: the eighth line is the state."""
        deadline = time.monotonic() + READY_S
        while time.monotonic() < deadline:
            if not self.running:
                raise CannotStart(f"The database did not start: {_last_words(self.log.read_bytes())} ({self.log})")
            try:
                if (self._cluster / "postmaster.pid").read_text().splitlines()[7].strip() == "ready":
                    return
            except (FileNotFoundError, IndexError):
                pass  # not written, or not to the end
            time.sleep(0.02)
        raise CannotStart(f"The database was not ready after {READY_S:.0f} s; {self.log} says what it does.")

    def _make_database(self) -> None:
        address = self._url_of("postgres").replace("+psycopg", "")
        with psycopg.connect(address, autocommit=True, connect_timeout=10) as connection:
            exists = connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", (ROLE,)).fetchone()
            if exists is None:
                connection.execute(f"CREATE DATABASE {ROLE}")


def _as(account: Account, parent: int, argv: list[str]) -> list[str]:
    uid = account.uid if account.other else -1
    launch = str(Path(__file__).with_name("launch.py"))
    return [sys.executable, "-I", "-S", launch, str(uid), str(account.gid), str(parent), *argv]


def _environment() -> dict[str, str]:
    """Nothing of ours: no key, no PG* variable of a person's shell."""
    return {"PATH": os.defpath, "LC_ALL": "C", "TZ": "UTC"}


def _last_words(said: bytes, lines: int = 4) -> str:
    return " / ".join(said.decode(errors="replace").strip().splitlines()[-lines:]) or "it said nothing"
