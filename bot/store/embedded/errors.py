"""Why the embedded database cannot be had, each with what to do about it.

StandbyError → EmbeddedError
├── AlreadyRunning      another Standby holds this folder
├── FolderNotOurs       the folder belongs to another user
├── FolderUnreachable   the account that runs the server cannot get to the folder
├── SocketPathTooLong   no place short enough for the socket
├── WrongVersion        the rows were written by a PostgreSQL that is not here
└── CannotStart         the server said no; its own last words are in the message
"""

from __future__ import annotations

from pathlib import Path

from bot.domain.errors import StandbyError


class EmbeddedError(StandbyError):
    """The embedded database is not available; the message says why and what to do."""


class AlreadyRunning(EmbeddedError):
    """Another process runs the database of this folder. `pid` is 0 where it did not say who it is."""

    def __init__(self, folder: Path, pid: int) -> None:
        self.pid = pid
        who = f" by process {pid}" if pid else ""
        super().__init__(
            f"The data folder {folder} is already in use{who}: Standby is already running there. "
            "Use the running one, stop it first, or choose another folder with --data."
        )


class FolderNotOurs(EmbeddedError):
    """The folder was made by another user of this computer."""

    def __init__(self, folder: Path, owner: str) -> None:
        super().__init__(
            f"{folder} belongs to the user {owner}, so this user can neither use nor repair it. "
            f"Run Standby as {owner}, or choose another folder with --data."
        )


class FolderUnreachable(EmbeddedError):
    """PostgreSQL does not run as root; the account it runs as instead cannot reach the folder."""

    def __init__(self, folder: Path, closed: Path, account: str) -> None:
        super().__init__(
            f"PostgreSQL refuses to run as root, so it runs as {account}, and {account} cannot get to {folder} "
            f"because {closed} is closed to others. Choose a folder outside it (--data /var/lib/standby), "
            "run Standby as an ordinary user, or set STANDBY_DATABASE_URL to a PostgreSQL of your own."
        )


class SocketPathTooLong(EmbeddedError):
    """The operating system limits a socket's path to about a hundred bytes."""

    def __init__(self, folder: Path, limit_bytes: int) -> None:
        super().__init__(
            f"The database's socket under {folder} would have a path of more than {limit_bytes} bytes, which the "
            "operating system does not allow, and no private place with a shorter one was found. "
            "Choose a shorter folder with --data."
        )


class WrongVersion(EmbeddedError):
    """The folder's rows are of a major version that the installed wheel does not bring."""

    def __init__(self, folder: Path, theirs: int, ours: list[int]) -> None:
        have = " and ".join(map(str, ours))
        super().__init__(
            f"The database in {folder} was written by PostgreSQL {theirs}; here is PostgreSQL {have}. Nothing was "
            f"changed. Install the Standby that made it and move the rows with pg_dump, or choose another folder."
        )


class CannotStart(EmbeddedError):
    """The server or its set-up ended instead of becoming ready."""
