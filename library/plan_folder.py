"""The plan folder: six files under one digest. Standard library only, because this very file also runs inside a box."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

FILES = ("plan.py", "report.md", "plan.toml", "resume.md", "shape.json", "box.json")
FILE_LIMIT_BYTES = 1_000_000


class PlanFolderError(ValueError):
    """This is not a plan folder, so nothing in it may run. Make the plan again from its draft."""


@dataclass(frozen=True)
class PlanFolder:
    """Everything a plan is, as bytes. Exactly the names in FILES, each at most FILE_LIMIT_BYTES."""

    files: Mapping[str, bytes]

    def __post_init__(self) -> None:
        missing = sorted(set(FILES) - set(self.files))
        extra = sorted(set(self.files) - set(FILES))
        if missing or extra:
            raise PlanFolderError(
                f"A plan folder holds exactly {', '.join(FILES)}. Missing: {missing}; extra: {extra}."
            )
        for name, data in self.files.items():
            if len(data) > FILE_LIMIT_BYTES:
                raise PlanFolderError(f"{name} has {len(data)} bytes; a plan's file has at most {FILE_LIMIT_BYTES}.")

    @property
    def digest(self) -> str:
        return digest_of(self.files)

    @classmethod
    def read(cls, folder: Path) -> PlanFolder:
        """Raises PlanFolderError for a missing, extra, linked or oversized file."""
        return cls(_read_files(folder))

    def write(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        for name in FILES:
            (folder / name).write_bytes(self.files[name])


def digest_of(files: Mapping[str, bytes]) -> str:
    """SHA-256 in hex over name, length and SHA-256 of each file, sorted by name.

    Lengths stand before names and are fixed in width, so that no two different sets of files write the same line.
    """
    whole = hashlib.sha256()
    for name in sorted(files):
        data = files[name]
        encoded = name.encode("utf-8")
        whole.update(len(encoded).to_bytes(8, "big") + encoded)
        whole.update(len(data).to_bytes(8, "big") + hashlib.sha256(data).digest())
    return whole.hexdigest()


def short(digest: str) -> str:
    """What people compare by eye: the first eight characters."""
    return digest[:8]


def read_tree(folder: Path, suffix: str = ".py") -> dict[str, bytes]:
    """The files of a folder with this suffix, by relative name with forward slashes; the kit is measured with it."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob(f"*{suffix}"))
        if path.is_file() and "__pycache__" not in path.parts
    }


def _read_files(folder: Path) -> dict[str, bytes]:
    if not folder.is_dir():
        raise PlanFolderError(f"{folder} is no folder.")
    files = {}
    for path in sorted(folder.iterdir()):
        if path.is_symlink() or not path.is_file():
            raise PlanFolderError(f"{path.name} is not an ordinary file; a plan folder holds only those.")
        if path.stat().st_size > FILE_LIMIT_BYTES:
            raise PlanFolderError(f"{path.name} is larger than {FILE_LIMIT_BYTES} bytes.")
        files[path.name] = path.read_bytes()
    return files
