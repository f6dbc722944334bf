"""Kept files by content, and marks of what was sent: a folder by default, S3 and others by URL."""

import hashlib
import os
import secrets
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, cast

import fsspec
from fsspec.implementations.local import LocalFileSystem

CHUNK = 1 << 20


@dataclass(frozen=True)
class Kept:
    sha256: str
    size_bytes: int


class Blobs:
    """Files under their own sha256. Writing the same bytes twice keeps them once."""

    def __init__(self, url: str) -> None:
        self._files, self._root = fsspec.core.url_to_fs(url)
        self._is_local = isinstance(self._files, LocalFileSystem)
        self._files.makedirs(self._root, exist_ok=True)

    def keep(self, write: Callable[[BinaryIO], None]) -> Kept:
        """Take what `write` writes. The bytes are whole before anybody can open them under their name."""
        with tempfile.NamedTemporaryFile(prefix="standby-") as spool:
            write(cast(BinaryIO, spool))
            spool.flush()
            with Path(spool.name).open("rb") as whole:
                sha256 = hashlib.file_digest(whole, "sha256").hexdigest()
                size_bytes = whole.tell()
            if not self._files.exists(self._path(sha256)):
                self._place(Path(spool.name), sha256)
        return Kept(sha256, size_bytes)

    def _place(self, spool: Path, sha256: str) -> None:
        """An object store shows an upload whole or not at all; in a folder, so does a rename.

        (fsspec's own transactions are shared by all threads of a process, and lose files between them.)
        """
        if not self._is_local:
            self._files.put_file(str(spool), self._path(sha256))
            return
        path = Path(self._path(sha256))
        path.parent.mkdir(parents=True, exist_ok=True)
        partial = path.with_name(f".{sha256}.{secrets.token_hex(4)}")
        try:
            with spool.open("rb") as source, partial.open("xb") as target:
                shutil.copyfileobj(source, target, CHUNK)
                target.flush()
                os.fsync(target.fileno())
            partial.replace(path)
        finally:
            partial.unlink(missing_ok=True)

    def open(self, sha256: str) -> BinaryIO:
        """The bytes kept under this name. Raises FileNotFoundError."""
        return cast(BinaryIO, self._files.open(self._path(sha256), "rb"))

    def remove(self, sha256: str) -> None:
        """The bytes are gone for good; nothing happens where they were gone before."""
        if self._files.exists(self._path(sha256)):
            self._files.rm_file(self._path(sha256))

    @contextmanager
    def local(self, shas: dict[str, str]) -> Iterator[dict[str, Path]]:
        """Paths on this machine for `name -> sha256`, for as long as the block lasts."""
        with tempfile.TemporaryDirectory(prefix="standby-") as folder:
            yield {name: self._local(sha256, Path(folder)) for name, sha256 in shas.items()}

    def _local(self, sha256: str, folder: Path) -> Path:
        if self._is_local:
            return Path(self._path(sha256))
        copy = folder / sha256
        if not copy.exists():
            with self.open(sha256) as source, copy.open("wb") as target:
                shutil.copyfileobj(source, target, CHUNK)
        return copy

    def mark(self, key: str) -> bool:
        """Leave a mark beside the files, which a database that is restored from a backup does not forget.

        False where it was there already.
        """
        path = self._mark(key)
        if self._files.exists(path):
            return False
        self._files.makedirs(path.rpartition("/")[0], exist_ok=True)
        self._files.pipe_file(path, key.encode())
        return True

    def unmark(self, key: str) -> None:
        """Take the mark away again."""
        if self._files.exists(self._mark(key)):
            self._files.rm_file(self._mark(key))

    def _mark(self, key: str) -> str:
        return f"{self._root}/marks/{hashlib.sha256(key.encode()).hexdigest()}"

    def _path(self, sha256: str) -> str:
        return f"{self._root}/{sha256[:2]}/{sha256}"
