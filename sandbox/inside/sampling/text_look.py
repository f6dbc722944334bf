"""The first look at a file's bytes: packed or plain, which encoding, or why it is no text at all."""

from __future__ import annotations

import codecs
import gzip
import io
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, cast

from kit.text_lines import LINE_LIMIT, packing_of

_BOMS = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))
_NOT_TEXT = {b"%PDF": "a PDF", b"\x89PNG": "an image", b"\xff\xd8\xff": "an image", b"PAR1": "a Parquet file"}
HEAD_BYTES = 65_536


class Unreadable(Exception):
    """The file cannot be sampled; the message says why, for a person."""


@dataclass(frozen=True)
class TextLook:
    """How the file's text is reached: open it as often as needed with `lines`."""

    path: Path
    compression: str
    encoding: str
    encoding_is_certain: bool

    def lines(self) -> Iterator[str]:
        """Every line without its line end. Raises Unreadable where the file breaks off."""
        try:
            with _opened(self.path, self.compression) as stream:
                text = io.TextIOWrapper(stream, encoding=self.encoding, errors="strict", newline="\n")
                while line := text.readline(LINE_LIMIT + 1):
                    if len(line) > LINE_LIMIT:
                        raise Unreadable(f"it has a line of more than {LINE_LIMIT:,} characters")
                    yield line.rstrip("\r\n")
        except (EOFError, gzip.BadGzipFile, zlib.error) as error:
            raise Unreadable(f"its archive breaks off or is damaged ({error})") from error


def look_at_text(path: Path) -> TextLook:
    """Raises Unreadable for what is no text or is packed in a way that is not read here."""
    with path.open("rb") as stream:
        head = stream.read(HEAD_BYTES)
    compression = packing_of(head)
    if compression not in ("none", "gzip"):
        raise Unreadable(f"it is packed with {compression}; only plain files and gzip are read")
    if compression == "gzip":
        head = _unpacked_head(path)
    for magic, words in _NOT_TEXT.items():
        if head.startswith(magic):
            raise Unreadable(f"it is {words}, not text")
    encoding = next((name for mark, name in _BOMS if head.startswith(mark)), "")
    if not encoding and b"\0" in head:
        raise Unreadable("it holds NUL bytes, so it is no text or was damaged by a crash")
    return _decodable(path, compression, encoding)


def _decodable(path: Path, compression: str, marked: str) -> TextLook:
    """UTF-8 proves itself over a whole file; that anything else is Windows' Latin is a guess and is said to be one."""
    for encoding, certain in ((marked or "utf-8", True), ("cp1252", False)):
        look = TextLook(path, compression, encoding, certain)
        try:
            for _ in look.lines():
                pass
            return look
        except UnicodeError:
            continue
    raise Unreadable("its text is in no encoding that is known here")


def _opened(path: Path, compression: str) -> BinaryIO:
    return cast(BinaryIO, gzip.open(path, "rb")) if compression == "gzip" else path.open("rb")


def _unpacked_head(path: Path) -> bytes:
    try:
        with gzip.open(path, "rb") as stream:
            return stream.read(HEAD_BYTES)
    except (EOFError, OSError, zlib.error) as error:
        raise Unreadable(f"its archive breaks off or is damaged ({error})") from error
