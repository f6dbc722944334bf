"""Bytes to lines of text, strictly: they are what the parameters say, or a surprise names what they are."""

from __future__ import annotations

import gzip
import io
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, cast

from .surprise import Surprise

LINE_LIMIT = 1_000_000  # characters; longer is not a line that a person wrote or a logger meant
_MAGIC = {b"\x1f\x8b": "gzip", b"PK\x03\x04": "zip", b"\x28\xb5\x2f\xfd": "zstd", b"BZh": "bzip2", b"\xfd7zXZ": "xz"}


def text_lines(path: Path, *, compression: str = "none", encoding: str = "utf-8") -> Iterator[str]:
    """Lines with their line feed. Raises Surprise: PackedFile, TornArchive, OddEncoding, NulBytes, EndlessLine."""
    _refuse_other_packing(path, compression)
    number = 0
    try:
        with _opened(path, compression) as stream:
            # newline="\n": a lone carriage return within a line is data, not a line end
            text = io.TextIOWrapper(stream, encoding=encoding, errors="strict", newline="\n")
            while line := text.readline(LINE_LIMIT + 1):
                number += 1
                _refuse_odd_line(path, line, number)
                yield line
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise Surprise(
            "TornArchive",
            f"{path.name} breaks off or is damaged after line {number:,}",
            seen=error,
            expected="a whole gzip archive",
            file=path.name,
        ) from error
    except UnicodeError as error:
        raise Surprise(
            "OddEncoding",
            f"{path.name} is not {encoding} after line {number:,}",
            seen=error,
            expected=f'text in {encoding} (the reader parameter "encoding" admits another)',
            file=path.name,
        ) from error


def packing_of(head: bytes) -> str:
    """What the first bytes say: none, gzip, zip, zstd, bzip2 or xz."""
    return next((name for magic, name in _MAGIC.items() if head.startswith(magic)), "none")


def _opened(path: Path, compression: str) -> BinaryIO:
    if compression == "gzip":
        return cast(BinaryIO, gzip.open(path, "rb"))
    if compression == "none":
        return path.open("rb")
    raise ValueError(f'compression = "{compression}" is not known; it is "none" or "gzip".')


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


def _refuse_odd_line(path: Path, line: str, number: int) -> None:
    if len(line) > LINE_LIMIT:
        raise Surprise(
            "EndlessLine",
            f"line {number:,} of {path.name} is longer than {LINE_LIMIT:,} characters",
            expected="lines",
            file=path.name,
            rows=[line[:200]],
        )
    if "\0" in line:
        raise Surprise(
            "NulBytes",
            f"line {number:,} of {path.name} holds NUL bytes, as files do after a crash or a full disk",
            seen=f"{line.count(chr(0)):,} NUL bytes",
            expected="text",
            file=path.name,
            rows=[line[:200]],
        )
    if number == 1 and line.startswith("\ufeff"):
        raise Surprise(
            "OddEncoding",
            f"{path.name} begins with a byte order mark",
            seen="utf-8 with a byte order mark",
            expected='no byte order mark (the reader parameter encoding = "utf-8-sig" admits it)',
            file=path.name,
        )
