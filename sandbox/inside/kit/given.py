"""What a script is given: its parameters, the slot it runs for, and the slot's files."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cached_property
from pathlib import Path
from typing import Any

from .state import SlotFacts, current

_PACKED = (".gz", ".zip", ".zst", ".bz2", ".xz")


@dataclass(frozen=True)
class Input:
    name: str
    path: Path  # relative to where the script runs
    size_bytes: int

    @cached_property
    def sha256(self) -> str:
        """Of its bytes; two files of one content are one file that came twice."""
        with self.path.open("rb") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()

    @property
    def stem(self) -> str:
        """Its name without what it is packed in and without the ending of its kind."""
        name = self.name
        for ending in _PACKED:
            name = name.removesuffix(ending)
        return Path(name).stem or self.name

    @property
    def size(self) -> str:
        """As people say it: 1.4 MB, 12 kB, 80 bytes."""
        if self.size_bytes >= 100_000:
            return f"{self.size_bytes / 1_000_000:.1f} MB"
        return f"{self.size_bytes / 1_000:.0f} kB" if self.size_bytes >= 1_000 else f"{self.size_bytes} bytes"


def inputs(leave_out: Sequence[str] = ()) -> list[Input]:
    """The slot's files, sorted by name, without those whose name fits a pattern of `leave_out`."""
    folder = current().inputs_folder
    paths = sorted(folder.iterdir()) if folder.is_dir() else []
    used = [path for path in paths if path.is_file() and not any(fnmatchcase(path.name, one) for one in leave_out)]
    return [Input(path.name, path, path.stat().st_size) for path in used]


class _Parameters(Mapping[str, Any]):
    """The [parameters] of plan.toml."""

    def __getitem__(self, key: str) -> Any:
        return current().parameters[key]

    def __iter__(self) -> Iterator[str]:
        return iter(current().parameters)

    def __len__(self) -> int:
        return len(current().parameters)


class _Slot:
    """The slot's moment and window, as aware UTC times, and the zone its schedule is written in."""

    def __getattr__(self, name: str) -> Any:
        return getattr(_facts(), name)


def _facts() -> SlotFacts:
    return current().slot


params = _Parameters()
slot = _Slot()


def reader_for(name: str) -> Mapping[str, Any]:
    """The reader parameters for a file: those of the first pattern that fits its name, else the default's."""
    readers: Mapping[str, Any] = params["readers"]
    fitting = (one for pattern, one in readers.items() if pattern != "default" and fnmatchcase(name, pattern))
    return {key: value for key, value in next(fitting, readers["default"]).items() if key != "kind"}


def kind_for(name: str) -> str:
    """Of table: csv, excel, parquet or json."""
    readers: Mapping[str, Any] = params["readers"]
    fitting = (one for pattern, one in readers.items() if pattern != "default" and fnmatchcase(name, pattern))
    return str(next(fitting, readers["default"]).get("kind", "csv"))
