"""Kept files by content, and marks of what was sent: a folder by default, S3 and others by URL."""

import hashlib
import os
import secrets
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, cast

import fsspec
from fsspec.implementations.local import LocalFileSystem

CHUNK = 1 << 20
INCOMING = ".incoming-"


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
        with self._spool() as spool:
            write(spool)
            spool.flush()
            with Path(spool.name).open("rb") as whole:
                sha256 = hashlib.file_digest(whole, "sha256").hexdigest()
                size_bytes = whole.tell()
            if not self._files.exists(self._path(sha256)):
                self._place(spool, sha256)
        return Kept(sha256, size_bytes)

    @contextmanager
    def _spool(self) -> Iterator[BinaryIO]:
        """Where bytes are gathered: beside the kept files if those are here, so that they need not be copied."""
        if not self._is_local:
            with tempfile.NamedTemporaryFile(prefix="standby-") as spool:
                yield cast(BinaryIO, spool)
            return
        path = Path(self._root) / f"{INCOMING}{secrets.token_hex(8)}"
        try:
            with path.open("xb") as file:
                yield cast(BinaryIO, file)
        finally:
            path.unlink(missing_ok=True)

    def _place(self, spool: BinaryIO, sha256: str) -> None:
        """An object store shows an upload whole or not at all; in a folder, so does a rename.

        (fsspec's own transactions are shared by all threads of a process, and lose files between them.)
        """
        if not self._is_local:
            self._files.put_file(spool.name, self._path(sha256))
            return
        path = Path(self._path(sha256))
        path.parent.mkdir(parents=True, exist_ok=True)
        os.fsync(spool.fileno())
        Path(spool.name).replace(path)

    def forget_incoming(self, older_than_s: float) -> None:
        """Remove what a process that was killed had not gathered to its end."""
        if self._is_local:
            for path in Path(self._root).glob(f"{INCOMING}*"):
                with suppress(FileNotFoundError):  # it was placed, or given up, just now
                    if time.time() - path.stat().st_mtime > older_than_s:
                        path.unlink()

    def open(self, sha256: str) -> BinaryIO:
        """The bytes kept under this name. Raises FileNotFoundError."""
        return cast(BinaryIO, self._files.open(self._path(sha256), "rb"))

    def has(self, sha256: str) -> bool:
        """Whether the bytes are kept still; they go when their time is over."""
        return bool(self._files.exists(self._path(sha256)))

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
