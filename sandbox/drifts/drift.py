"""What a drift is: an id, what happened in plain words, what it fits, and a pure function over a week's files."""

from __future__ import annotations

import gzip
import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum

Drifted = tuple[str, bytes]  # a file's name and bytes
Files = Mapping[str, bytes]

TEXT_LOG, JSON_LINES, CSV, EXCEL = "text log", "json lines", "csv", "excel"
PARQUET, JSON = "parquet", "json"
LOGS = (TEXT_LOG, JSON_LINES)
TEXT = (TEXT_LOG, JSON_LINES, CSV)
ANY = (*TEXT, EXCEL, PARQUET, JSON)
GZIP = b"\x1f\x8b"


class DoesNotFit(ValueError):
    """The file has nothing this drift could change, such as no decimal number for a decimal comma."""


class Need(StrEnum):
    """What a file must have besides its kind. Told from facts about it, before anything runs."""

    NUMBERS = "a column of numbers"
    DECIMALS = "numbers with a decimal mark"
    DATES = "a column of dates"
    TEXTS = "a column of text"
    CODES = "a column of codes with leading zeros"
    STAMPS = "time stamps with a date"
    LEVELS = "a level in each record"
    UNITS = "a column of currencies or units"
    NEIGHBOURS = "another file beside it"


@dataclass(frozen=True)
class Aim:
    """Where a drift strikes: the file, the columns the plan speaks of (none: any), and seeded chance."""

    name: str
    chance: random.Random
    columns: tuple[str, ...] = ()


FileChange = Callable[[bytes, Aim], bytes]
SetChange = Callable[[Files, Aim], dict[str, bytes]]


@dataclass(frozen=True)
class Drift:
    """`says` is what happened to the files, as one would tell a colleague; it also reads after "if" on a card."""

    id: str
    says: str
    fits: tuple[str, ...]  # kinds of files
    keeps_meaning: bool  # True: a right report is allowed; False: information is gone, only a surprise is right
    change: FileChange | None = None  # of one file, its name kept
    change_set: SetChange | None = None  # of all files
    needs: tuple[Need, ...] = ()
    opens_archives: bool = True  # what is inside a gzip archive changes, and is packed again
    is_sent_again: bool = False  # the files are those of the slot before, so its metrics are already known

    def happen(self, files: Files, victim: str, seed: int, columns: tuple[str, ...] = ()) -> dict[str, bytes]:
        """The files afterwards; the same for the same arguments. Raises DoesNotFit if nothing would change."""
        aim = Aim(victim, random.Random(f"{self.id} {victim} {seed}"), columns)
        if self.change_set is not None:
            changed = self.change_set(files, aim)
        else:
            changed = {**files, victim: self._changed(files[victim], aim)}
        if changed == dict(files) and not self.is_sent_again:
            raise DoesNotFit(f"{self.id} changes nothing in {victim}")
        return changed

    def apply(self, name: str, data: bytes, seed: int) -> Drifted:
        """One file alone: the first of what there is instead of it. Raises DoesNotFit."""
        changed = self.happen({name: data}, name, seed)
        return next((one, body) for one, body in changed.items() if one != name or body != data)

    def _changed(self, data: bytes, aim: Aim) -> bytes:
        assert self.change is not None, "a drift changes one file or all of them"
        if not (self.opens_archives and data.startswith(GZIP)):
            return self.change(data, aim)
        return gzip.compress(self.change(gzip.decompress(data), aim), mtime=0)


Make = Callable[..., Drift]  # id, what it says, the change of one file, and what a file must have for it


def keeping(*fits: str) -> Make:
    """Makes drifts of these kinds of files that keep the meaning."""
    return lambda id_, says, change, *needs: Drift(id_, says, fits, True, change, needs=needs)


def losing(*fits: str) -> Make:
    """Makes drifts of these kinds of files after which information is gone or wrong."""
    return lambda id_, says, change, *needs: Drift(id_, says, fits, False, change, needs=needs)


def lines_of(data: bytes) -> list[str]:
    """Lines with their ends. Only healthy samples are drifted, so anything but UTF-8 is an error here."""
    return data.decode("utf-8").splitlines(keepends=True)
