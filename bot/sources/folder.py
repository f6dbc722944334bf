"""A folder of this machine, below the one that settings name; links that lead out of it lead nowhere."""

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from bot.sources.errors import SourceChanged, SourceError, SourceRefused
from bot.sources.place import PIECE, Entry, Reading


class Folder:
    """A place on this machine. `root` is what settings allow."""

    def __init__(self, root: str) -> None:
        self._root = Path(root).resolve()
        if not self._root.is_dir():
            raise SourceError(
                f"The folder {root} is not there on the computer that Standby's runner runs on, so there is no report "
                "from it. If it is a network drive, see that it is mounted."
            )

    def entry(self, path: str) -> Entry | None:
        try:
            real = self._inside(Path(path))
            seen = real.stat()
        except FileNotFoundError:
            return None
        except OSError as error:
            raise _refused(path, error) from None
        return _entry(path, seen) if stat.S_ISREG(seen.st_mode) or stat.S_ISDIR(seen.st_mode) else None

    def entries(self, path: str) -> Iterator[Entry]:
        try:
            names = sorted(one.name for one in self._inside(Path(path)).iterdir())
        except (FileNotFoundError, NotADirectoryError):
            return
        except OSError as error:
            raise _refused(path, error) from None
        for name in names:
            if (found := self.entry(f"{path.rstrip('/')}/{name}")) is not None:
                yield found

    @contextmanager
    def read(self, entry: Entry, start: int) -> Iterator[Reading]:
        try:
            real = self._inside(Path(entry.path))
            # A pipe that took the file's place would be waited for without end.
            number = os.open(real, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW)
        except OSError as error:
            raise _refused(entry.path, error) from None
        with os.fdopen(number, "rb", buffering=0) as file:
            self._compare(entry, os.fstat(number))
            file.seek(start)
            yield Reading(start, iter(lambda: file.read(PIECE), b""))
            self._compare(entry, os.fstat(number))
            self._compare(entry, real.stat())  # another file may have taken its name

    def _inside(self, path: Path) -> Path:
        real = path.resolve(strict=True)
        if real != self._root and self._root not in real.parents:
            raise SourceRefused(
                f"{path} is a link that leads out of {self._root}, so it was not read and there is no report. "
                "Put the file itself there, or let an admin add where it leads to STANDBY_SOURCES."
            )
        return real

    def _compare(self, entry: Entry, seen: os.stat_result) -> None:
        if _mark(seen) != entry.mark or not stat.S_ISREG(seen.st_mode):
            raise SourceChanged(f"{entry.path} changed while it was read, so what was read of it does not count.")


def _entry(path: str, seen: os.stat_result) -> Entry:
    return Entry(
        path,
        is_folder=stat.S_ISDIR(seen.st_mode),
        size_bytes=seen.st_size,
        mark=_mark(seen),
        modified_at=datetime.fromtimestamp(seen.st_mtime, UTC),
    )


def _mark(seen: os.stat_result) -> str:
    return f"{seen.st_ino}-{seen.st_size}-{seen.st_mtime_ns}"


def _refused(path: str, error: OSError) -> SourceError:
    return SourceRefused(
        f"{path} cannot be read ({error.strerror}), so there is no report from it. "
        "Give the account that Standby's runner has the right to read it."
    )
