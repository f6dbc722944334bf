"""`standby up`: everything on one computer, as the same separate processes as in production, supervised."""

from __future__ import annotations

import os
import signal
import socket
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from bot.domain.errors import StandbyError
from bot.processes import running
from bot.processes.behind import Behind
from bot.processes.environment import as_variables, for_part
from bot.processes.local_servers import LocalBoxes, LocalDesk
from bot.processes.many import check, is_for_many
from bot.processes.parts import DatabasePart, ProcessPart, Program
from bot.processes.release import migrate_all
from bot.processes.running import ProcessMark, Running
from bot.processes.supervisor import StopAsked, Supervisor
from bot.processes.way_in import way_in
from bot.settings import Settings, SettingsError, model_keys
from bot.settings_table import unknown
from bot.store.embedded import AlreadyRunning, Embedded, folders
from bot.store.embedded.lock import FolderLock

# The desk's page is there unless something else is, so that a bookmark stays good.
USUAL_PORT = 8425
# Settings that `up` finds out itself; a second process (doctor) gets them from up.json.
_DECIDED = (
    *("data_dir", "database_url", "slack_api_url", "slack_bot_token", "slack_app_token"),
    *("approvers", "clock_url", "box_api_key", "box_api_url", "box_sandbox_url"),
    *("smtp_host", "smtp_port", "smtp_starttls", "mail_from"),
)
_WORKERS = ("bot", "agent", "runner", "clock")

Say = Callable[[str], None]


def up(environ: Mapping[str, str], say: Say, port: int | None = None) -> int:
    """Runs Standby until Ctrl-C or SIGTERM. Returns the exit code: 0 when it was asked to stop, else 1.

    `port` is the desk's; None takes USUAL_PORT or, where that is taken, any.
    """
    try:
        settings = Settings.load(environ)
        for slip in unknown(environ):
            say(f"Note: {slip}")
        with _alone(settings, say):
            return Up(settings, environ, say, port).run()
    except AlreadyRunning as error:
        say(_where(settings.data_dir, error))
    except (StandbyError, SettingsError) as error:
        say(str(error))
    return 1


class Up:
    """One run of `standby up`. The settings grow as its parts become known."""

    def __init__(self, settings: Settings, environ: Mapping[str, str], say: Say, port: int | None) -> None:
        self._settings = settings
        self._given = settings
        self._environ = environ
        self._say = say
        self._port = _free_port(port, say)
        self._url = ""
        self._supervisor = Supervisor(say, self._note)
        self._behind: Behind | None = None

    def run(self) -> int:
        """Starts, watches, stops. Raises StandbyError where a part does not start; nothing is left then."""
        with self._signals():
            try:
                with suppress(StopAsked):
                    self._start()
                    self._greet()
                    self._supervisor.watch()
                self._say("Stopping.")
            finally:
                self._supervisor.stop()
                if self._behind is not None:
                    self._behind.close()
                running.forget(self._settings.data_dir)
        self._say("Stopped; nothing is left running.")
        return 0

    def _start(self) -> None:
        data_dir, has_workspace = self._settings.data_dir, self._has_workspace()
        if not self._settings.database_url:
            embedded = Embedded(data_dir)
            self._supervisor.start(DatabasePart(embedded))
            self._settings = self._settings.model_copy(update={"database_url": embedded.url})
        migrate_all(self._settings.database_url)
        boxes = None if self._settings.box_api_key else LocalBoxes(data_dir, self._environ)
        desk = None if has_workspace else self._desk()
        self._supervisor.start(*[server.part for server in (boxes, desk) if server is not None])
        if boxes is not None:
            self._settings = boxes.settle(self._settings)
        if desk is not None:
            self._settings, self._url = desk.settle(self._settings), desk.url
        self._supervisor.start(*[self._worker(name) for name in _WORKERS])

    def _desk(self) -> LocalDesk:
        """The local workspace, and what its page may ask us about the parts behind it."""
        self._behind = Behind(lambda: self._settings, self._environ)
        return LocalDesk(self._settings.data_dir, self._environ, self._port, self._behind.url)

    def _worker(self, name: str) -> ProcessPart:
        environment = for_part(name, self._settings, self._environ)
        program = Program(name, f"bot.processes.{name}", environment, ready=f"standby {name} ready")
        return ProcessPart(program, self._settings.data_dir / "logs")

    def _has_workspace(self) -> bool:
        """Raises SettingsError where only some of what Slack needs is given."""
        given = self._settings
        if is_for_many(given):
            check(given)
            return True
        if not (given.slack_bot_token or given.slack_app_token or given.slack_signing_secret):
            return False
        if not given.slack_bot_token:
            raise SettingsError(
                "STANDBY_SLACK_BOT_TOKEN is not set, and Slack needs both it and a way in. Set it, or unset "
                "STANDBY_SLACK_APP_TOKEN and STANDBY_SLACK_SIGNING_SECRET to use the desk."
            )
        way_in(given)
        return True

    def _greet(self) -> None:
        names = ", ".join(part.name for part in self._supervisor.parts)
        self._say(f"Standby is running: {names}. Folder: {self._settings.data_dir}")
        if not model_keys(self._environ):
            self._say("No model key: it works from its library of proven scripts. ANTHROPIC_API_KEY connects a model.")
        if self._url:
            self._say(f"Open {self._url}")
        else:
            self._say("Mention it in a channel of your Slack workspace.")
        self._say("Ctrl-C stops everything.")

    def _note(self) -> None:
        """Keeps up.json true, so that after a crash the next start knows what to look for."""
        variables = as_variables(self._settings, tuple(name for name in _DECIDED if self._was_decided(name)))
        decided = {f"STANDBY_{name.upper()}" for name in _DECIDED if self._was_decided(name)}
        Running(
            ProcessMark.of("up", os.getpid()),
            self._url,
            {name: value for name, value in variables.items() if name in decided},
            running.marks(self._supervisor.parts),
        ).write(self._settings.data_dir)

    def _was_decided(self, name: str) -> bool:
        """Secrets that a person gave us are not written down; whoever needs them has them where we had them from."""
        return getattr(self._settings, name) != getattr(self._given, name) or name == "data_dir"

    @contextmanager
    def _signals(self) -> Iterator[None]:
        asked = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
        before = {number: signal.signal(number, lambda *_: self._supervisor.ask_to_stop()) for number in asked}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)


@contextmanager
def _alone(settings: Settings, say: Say) -> Iterator[None]:
    """Nobody else runs `up` on this folder inside the block. Raises AlreadyRunning, or EmbeddedError."""
    data_dir = settings.data_dir
    # As root the database runs as somebody else, who must be able to pass through.
    folders.make(data_dir, 0o711 if os.geteuid() == 0 else 0o700)
    lock = FolderLock(data_dir / "up.lock", data_dir)
    lock.take()
    try:
        for inner in ("logs", "run", "desk", "blobs"):
            folders.make_inner(data_dir / inner, 0o700)
        for name in running.end_leftovers(data_dir):
            say(f"{name} was left over from a Standby that was killed, and was ended.")
        yield
    finally:
        lock.release()


def _where(data_dir: Path, error: AlreadyRunning) -> str:
    there = Running.read(data_dir)
    return f"{error} It is at {there.url}" if there and there.url else str(error)


def _free_port(asked: int | None, say: Say) -> int:
    """The desk's port; 0 for any. Raises SettingsError where the one that was asked for is taken."""
    wanted = USUAL_PORT if asked is None else asked
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", wanted))
        except OSError as error:
            if asked is not None:
                said = f"Port {asked} cannot be used ({error.strerror}): choose another one, or leave out --port."
                raise SettingsError(said) from error
            say(f"Port {USUAL_PORT} is taken by another program: the desk is at another port this time.")
            return 0
    return wanted
