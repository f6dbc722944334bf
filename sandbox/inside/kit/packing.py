"""Packed files: told by their first bytes, opened as streams, refused in words where they are not what was agreed."""

from __future__ import annotations

import bz2
import gzip
import importlib
import io
import lzma
import re
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any, BinaryIO, cast

from .surprise import Surprise

_MAGIC = {b"\x1f\x8b": "gzip", b"PK\x03\x04": "zip", b"\x28\xb5\x2f\xfd": "zstd", b"BZh": "bzip2", b"\xfd7zXZ": "xz"}
_SKIPPED = b"\x2a\x4d\x18"  # zstd: what some programs write before the first frame, behind a byte of fifty and more
_NOT_THE_DATA = re.compile(r"(?:^|/)(?:__MACOSX/|\.DS_Store$|Thumbs\.db$|desktop\.ini$)")
CHUNK = 1 << 18


class OddArchive(ValueError):
    """A zip archive that is not exactly one file which can be read; the message says what it is."""


class BrokenStream(Exception):
    """Packed bytes that are damaged."""


DAMAGED = (EOFError, BrokenStream, gzip.BadGzipFile, zlib.error, lzma.LZMAError, zipfile.BadZipFile)


def packing_of(head: bytes) -> str:
    """What the first bytes say: none, gzip, zip, zstd, bzip2 or xz. A workbook is a zip archive too."""
    if head[1:4] == _SKIPPED and head[0] >> 4 == 5:
        return "zstd"
    return next((name for magic, name in _MAGIC.items() if head.startswith(magic)), "none")


def opened(path: Path, compression: str) -> BinaryIO:
    """The unpacked bytes as a stream, of the agreed packing. Raises Surprise PackedFile, OddArchive.

    Reading it raises one of damaged(compression)."""
    _refuse_other_packing(path, compression)
    try:
        return unpacked(path, compression)
    except OddArchive as odd:
        expected = "a zip archive of exactly one file, without a password"
        raise Surprise("OddArchive", f"{path.name} {odd}", seen=odd, expected=expected, file=path.name) from odd


def unpacked(path: Path, compression: str) -> BinaryIO:
    """The same without asking what the file is. Raises OddArchive, and ValueError for a packing nobody knows."""
    if compression == "none":
        return path.open("rb")
    if compression == "gzip":
        return cast(BinaryIO, gzip.open(path, "rb"))
    if compression == "bzip2":
        return cast(BinaryIO, io.BufferedReader(_Streams(path, bz2.BZ2Decompressor)))
    if compression == "xz":
        return cast(BinaryIO, io.BufferedReader(_Streams(path, lzma.LZMADecompressor)))
    if compression == "zip":
        return _only_member(path)
    if compression == "zstd":
        return cast(BinaryIO, _zstd().open(path, "rb"))
    known = ", ".join(sorted(_MAGIC.values()))
    raise ValueError(f'compression = "{compression}" is not known; it is none, {known}.')


def damaged(compression: str) -> tuple[type[Exception], ...]:
    """What reading a torn or damaged archive raises; zstd has an error of its own."""
    return (*DAMAGED, _zstd().ZstdError) if compression == "zstd" else DAMAGED


def torn(path: Path, compression: str, error: Exception, number: int) -> Surprise:
    return Surprise(
        "TornArchive",
        f"{path.name} breaks off or is damaged after line {number:,}",
        seen=error,
        expected=f"a whole {compression} archive",
        file=path.name,
    )


class _Streams(io.RawIOBase):
    """The packed streams of a file, one after the other, to its last byte.

    The library's own readers of bzip2 and xz take whatever stands behind the first stream and is none for nothing, so
    that the rest of a damaged file would be missing without a word.
    """

    def __init__(self, path: Path, new: Callable[[], Any]) -> None:
        self._file, self._new, self._stream = path.open("rb"), new, new()

    def readable(self) -> bool:
        return True

    def close(self) -> None:
        self._file.close()
        super().close()

    def readinto(self, into: Any) -> int:
        piece = b""
        while not piece:
            if self._stream.eof:
                packed = self._behind()
                if not packed:
                    return 0
                self._stream = self._new()
            else:
                packed = self._file.read(CHUNK) if self._stream.needs_input else b""
                if self._stream.needs_input and not packed:
                    raise EOFError("it ends in the middle")
            try:
                piece = self._stream.decompress(packed, len(into))
            except OSError as error:
                raise BrokenStream(str(error)) from error
        into[: len(piece)] = piece
        return len(piece)

    def _behind(self) -> bytes:
        """What follows the end of a stream, without the zeros that may fill up an archive."""
        packed: bytes = self._stream.unused_data.lstrip(b"\0")
        while not packed and (more := self._file.read(CHUNK)):
            packed = more.lstrip(b"\0")
        return packed


def _zstd() -> Any:
    """The standard library's module from 3.14 on, its twin before. Raises ImportError."""
    try:
        return importlib.import_module("compression.zstd")
    except ImportError:
        return importlib.import_module("backports.zstd")


def _only_member(path: Path) -> BinaryIO:
    """An archive of one file is that file; of several, nobody said which. Raises OddArchive."""
    archive = zipfile.ZipFile(path)
    members = [one for one in archive.infolist() if not one.is_dir() and not _NOT_THE_DATA.search(one.filename)]
    if len(members) != 1:
        raise OddArchive(f"holds {len(members)} files: {', '.join(one.filename for one in members[:6])}")
    if members[0].flag_bits & 1:
        raise OddArchive("is locked with a password")
    try:
        return cast(BinaryIO, archive.open(members[0]))
    except NotImplementedError as error:
        raise OddArchive(f"is packed by a method that is not read here ({error})") from error


def _refuse_other_packing(path: Path, compression: str) -> None:
    with path.open("rb") as stream:
        seen = packing_of(stream.read(8))
    # An empty file is nobody's archive; that it is empty is said by the script's own check.
    if seen != compression and path.stat().st_size:
        raise Surprise(
            "PackedFile",
            f"{path.name} is {_words(seen)}, and the plan expects {_words(compression)}",
            seen=f'compression "{seen}"',
            expected=f'compression "{compression}" (the reader parameter "compression" admits another)',
            file=path.name,
        )


def _words(packing: str) -> str:
    return "plain, not packed" if packing == "none" else f"packed with {packing}"
