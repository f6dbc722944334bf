"""`standby export` and `standby run`: scripts leave Standby, and a folder of a script is rehearsed in a box."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path

from bot.domain.errors import StandbyError
from bot.processes.local_servers import LocalBoxes
from bot.processes.many import Roster, is_for_many
from bot.processes.running import Running
from bot.processes.wiring import boxes as provider
from bot.settings import Settings, SettingsError
from bot.store.blobs import Blobs
from bot.store.embedded import Embedded
from bot.store.migrate import migrate
from bot.store.session import Database
from bot.work import shelve, take_in
from bot.work.export import export
from bot.work.rehearse_folder import rehearse_folder
from sandbox.client import Boxes
from sandbox.errors import BoxError

READY_S = 30.0


def export_routine(environ: Mapping[str, str], name: str, into: Path, workspace: str = "") -> str:
    """Writes INTO/NAME. Raises StandbyError or SettingsError in words."""
    settings = settings_in(environ, workspace)
    with database_of(settings) as url, closing(Database(url)) as db:
        folder = export(db, Blobs(settings.blobs), name, into, datetime.now(UTC))
    return f"{folder} runs anywhere: put files into {folder}/inputs, then `python {folder}/plan.py`."


def run_folder(environ: Mapping[str, str], folder: Path) -> tuple[str, bool]:
    """What running the folder's script twice in a box came to, and whether it is a report. Raises StandbyError."""
    try:
        with _boxes(settings_of(environ), environ) as boxes:
            return rehearse_folder(boxes, folder)
    except BoxError as error:
        raise StandbyError(f"The box failed, so the script did not run: {error}") from error


def own_scripts(environ: Mapping[str, str], name: str, export_to: Path | None, workspace: str = "") -> str:
    """The team's own proven plans listed, or one shown or written below a folder. Raises StandbyError."""
    settings = settings_in(environ, workspace)
    with database_of(settings) as url, closing(Database(url)) as db:
        if export_to is not None:
            return shelve.written(db, Blobs(settings.blobs), name, export_to)
        return shelve.shown(db, name) if name else shelve.listed(db)


def import_script(environ: Mapping[str, str], folder: Path, workspace: str = "") -> str:
    """What came of a folder that is taken in as a plan of the team's own. Raises StandbyError."""
    settings = settings_in(environ, workspace)
    try:
        with database_of(settings) as url, closing(Database(url)) as db, _boxes(settings, environ) as boxes:
            return take_in.taken_in(db, boxes, folder, datetime.now(UTC))
    except BoxError as error:
        raise StandbyError(f"The box failed, so nothing was taken in: {error}") from error


def settings_of(environ: Mapping[str, str]) -> Settings:
    """With what a running `up` decided itself, such as where its database and boxes are."""
    settings = Settings.load(environ)
    there = Running.read(settings.data_dir)
    if there is None or not there.up.process():
        return settings
    return Settings.load({**environ, **there.variables})


def settings_in(environ: Mapping[str, str], workspace: str = "") -> Settings:
    """Where Standby is in many workspaces, those of one. Raises SettingsError where none, or no such one, is named."""
    settings = settings_of(environ)
    if not is_for_many(settings):
        if workspace:
            raise SettingsError("STANDBY_SLACK_CLIENT_ID is not set: Standby has one workspace. Leave --workspace out.")
        return settings
    with closing(Roster(settings)) as roster:
        found = {one.team_id: one for one in roster.all()}
        if workspace not in found:
            raise SettingsError(
                f"Standby is in many workspaces; say which with --workspace: {', '.join(found) or 'there is none yet'}."
            )
        return roster.settings_of(found[workspace])


@contextmanager
def database_of(settings: Settings) -> Iterator[str]:
    if settings.database_url:
        yield settings.database_url
        return
    with Embedded(settings.data_dir) as embedded:
        migrate(embedded.url)
        yield embedded.url


@contextmanager
def _boxes(settings: Settings, environ: Mapping[str, str]) -> Iterator[Boxes]:
    """Those of the settings or of a running `up`; else boxes of our own for as long as the block lasts."""
    if settings.box_api_key.get_secret_value():
        yield provider(settings)
        return
    with tempfile.TemporaryDirectory(prefix="sb-") as folder:
        home = Path(folder)
        (home / "logs").mkdir()
        local = LocalBoxes(home, environ)
        local.part.start()
        try:
            _wait_until_ready(local)
            yield provider(local.settle(settings))
        finally:
            local.part.ask_to_stop()
            local.part.end()


def _wait_until_ready(local: LocalBoxes) -> None:
    deadline = time.monotonic() + READY_S
    while not local.part.is_ready():
        if not local.part.is_alive() or time.monotonic() > deadline:
            raise StandbyError(f"No box can be had here: the box server ended with {local.part.ended_with()}.")
        time.sleep(0.05)
