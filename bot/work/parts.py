"""The real things that jobs and listeners work with, put together once per process."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bot.domain.ports import Chat, Clock, Mail
from bot.settings import Settings
from bot.store.blobs import Blobs
from bot.store.session import Database

if TYPE_CHECKING:
    from sandbox.client import Boxes


@dataclass(frozen=True)
class Parts:
    """What listeners need: rows, the workspace, the time, the settings."""

    db: Database
    chat: Chat
    clock: Clock
    settings: Settings


@dataclass(frozen=True)
class JobParts(Parts):
    """What jobs need besides: boxes, kept files, and mail where it is set up."""

    boxes: Boxes
    blobs: Blobs
    mail: Mail | None
