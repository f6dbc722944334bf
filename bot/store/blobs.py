"""Kept files by content: a folder by default, S3 and others by URL."""

import hashlib
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, cast

import fsspec

CHUNK = 1 << 20


@dataclass(frozen=True)
class Kept:
    sha256: str
    size_bytes: int


class Blobs:
    """Files under their own sha256. Writing the same bytes twice keeps them once."""

    def __init__(self, url: str) -> None:
        self._files, self._root = fsspec.core.url_to_fs(url)
        self._files.makedirs(self._root, exist_ok=True)

    def keep(self, write: Callable[[BinaryIO], None]) -> Kept:
        """Take what `write` writes. The bytes are whole before anybody can open them under their name."""
        with tempfile.TemporaryFile() as spool:
            write(cast(BinaryIO, spool))
            spool.seek(0)
            sha256 = hashlib.file_digest(spool, "sha256").hexdigest()
            size_bytes = spool.tell()
            spool.seek(0)
            if not self._files.exists(self._path(sha256)):
                self._place(cast(BinaryIO, spool), sha256)
        return Kept(sha256, size_bytes)

    def _place(self, source: BinaryIO, sha256: str) -> None:
        path = self._path(sha256)
        self._files.makedirs(path.rsplit("/", 1)[0], exist_ok=True)
        with self._files.transaction, self._files.open(path, "wb") as target:
            shutil.copyfileobj(source, target, CHUNK)

    def open(self, sha256: str) -> BinaryIO:
        """The bytes kept under this name. Raises FileNotFoundError."""
        return cast(BinaryIO, self._files.open(self._path(sha256), "rb"))

    @contextmanager
    def local(self, shas: dict[str, str]) -> Iterator[dict[str, Path]]:
        """Paths on this machine for `name -> sha256`, for as long as the block lasts."""
        with tempfile.TemporaryDirectory(prefix="standby-") as folder:
            yield {name: self._local(sha256, Path(folder)) for name, sha256 in shas.items()}

    def _local(self, sha256: str, folder: Path) -> Path:
        if "file" in self._files.protocol or self._files.protocol == "file":
            return Path(self._path(sha256))
        copy = folder / sha256
        if not copy.exists():
            with self.open(sha256) as source, copy.open("wb") as target:
                shutil.copyfileobj(source, target, CHUNK)
        return copy

    def _path(self, sha256: str) -> str:
        return f"{self._root}/{sha256[:2]}/{sha256}"
