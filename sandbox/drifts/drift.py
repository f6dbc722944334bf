"""What a drift is: an id, what happened in plain words, what it fits, and a pure function over one file."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from dataclasses import dataclass

Drifted = tuple[str, bytes]  # the file's name and bytes afterwards

TEXT_LOG, JSON_LINES, CSV = "text log", "json lines", "csv"
ANY = (TEXT_LOG, JSON_LINES, CSV)


class DoesNotFit(ValueError):
    """The file has nothing this drift could change, such as no decimal number for a decimal comma."""


@dataclass(frozen=True)
class Drift:
    id: str
    says: str  # what happened to the file, as one would tell a colleague
    fits: tuple[str, ...]  # kinds of files
    keeps_meaning: bool  # True: a right report is allowed; False: information is gone, only a surprise is right
    change: Callable[[str, bytes, int], Drifted]
    opens_archives: bool = True  # what is inside a gzip archive changes, and is packed again

    def apply(self, name: str, data: bytes, seed: int) -> Drifted:
        """The drifted file; the same for the same arguments. Raises DoesNotFit if nothing would change."""
        is_packed = self.opens_archives and data.startswith(b"\x1f\x8b")
        new_name, inner = self.change(name, gzip.decompress(data) if is_packed else data, seed)
        changed = (new_name, gzip.compress(inner, mtime=0) if is_packed else inner)
        if changed == (name, data):
            raise DoesNotFit(f"{self.id} changes nothing in {name}")
        return changed


def lines_of(data: bytes) -> list[str]:
    """Lines with their ends. Only healthy samples are drifted, so anything but UTF-8 is an error here."""
    return data.decode("utf-8").splitlines(keepends=True)
