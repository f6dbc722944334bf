"""The real parts of a process, put together from its settings."""

from __future__ import annotations

from contextlib import closing, suppress
from typing import TYPE_CHECKING

from sqlalchemy.exc import SQLAlchemyError

from bot.processes.database import database
from bot.processes.many import POOL
from bot.processes.workspace import refuse_another
from bot.settings import Settings, SettingsError
from bot.slack.calls import Calls
from bot.slack.chat import SlackChat
from bot.store.blobs import Blobs
from bot.store.session import Database
from bot.work.in_line import PATIENCE_S
from bot.work.mail import mail_from
from bot.work.paced_boxes import PacedBoxes
from bot.work.parts import JobParts
from bot.work.wall import clock_from
from sandbox.client import Boxes, BoxSettings
from sandbox.tags import INSTALL

if TYPE_CHECKING:
    from bot.processes.installed import Installed
    from bot.store.tables_installed import Workspace


def job_parts(settings: Settings) -> JobParts:
    """What jobs work with. Raises SettingsError when something they cannot do without is not set, or another's."""
    db, chat = database(settings), SlackChat(settings, Calls(patience_s=PATIENCE_S))
    refuse_another(db, chat)
    return _parts(settings, db, chat, boxes(settings, db))


def parts_of(installed: Installed, one: Workspace) -> JobParts:
    """The same for one of many workspaces. Boxes have their places and their pace from all together."""
    settings = installed.settings_of(one)
    token, calls = installed.token_of(one), Calls(patience_s=PATIENCE_S)
    chat = SlackChat(settings, calls, token=token, team_id=one.team_id)
    return _parts(settings, database(settings, pool_size=POOL), chat, boxes(settings, installed.control))


def _parts(settings: Settings, db: Database, chat: SlackChat, provider: Boxes) -> JobParts:
    return JobParts(
        db=db,
        chat=chat,
        clock=clock_from(settings),
        settings=settings,
        boxes=provider,
        blobs=Blobs(settings.blobs),
        mail=mail_from(settings),
    )


def boxes(settings: Settings, db: Database | None = None) -> Boxes:
    """The provider; with a database, as many boxes as all processes on it may have together, at its pace."""
    key = settings.box_api_key.get_secret_value()
    if not key:
        raise SettingsError(
            "STANDBY_BOX_API_KEY is not set, so there is no box to run a script in, and nothing runs outside one. "
            "Set an E2B key, or start everything with `uv run standby up`."
        )
    provider = BoxSettings(
        api_key=key,
        api_url=settings.box_api_url or None,
        sandbox_url=settings.box_sandbox_url or None,
        template=settings.box_template,
    )
    if db is None:
        return Boxes(provider, _install(settings))
    every_s = 0.0 if settings.box_api_url else settings.box_every_s
    return PacedBoxes(provider, _install(settings), db, settings.boxes_at_once, every_s)


def _install(settings: Settings) -> dict[str, str]:
    """Which Standby a box belongs to; nothing where its database cannot be asked, as when doctor looks."""
    if settings.database_url:
        with closing(Database(settings.database_url)) as db, suppress(SQLAlchemyError):
            return {INSTALL: db.identity}
    return {}
