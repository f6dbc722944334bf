"""The PostgreSQL that Standby brings along: one server per data folder, reached by a private socket."""

from bot.store.embedded.errors import (
    AlreadyRunning,
    CannotStart,
    EmbeddedError,
    FolderNotOurs,
    FolderUnreachable,
    SocketPathTooLong,
    WrongVersion,
)
from bot.store.embedded.server import Embedded

__all__ = [
    "AlreadyRunning",
    "CannotStart",
    "Embedded",
    "EmbeddedError",
    "FolderNotOurs",
    "FolderUnreachable",
    "SocketPathTooLong",
    "WrongVersion",
]
