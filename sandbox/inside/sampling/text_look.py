"""The first look at a file's bytes: packed or plain, which encoding, or why it is no text at all."""

from __future__ import annotations

import codecs
import io
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from kit.packing import OddArchive, damaged, packing_of, unpacked
from kit.text_lines import LINE_ENDS, LINE_LIMIT, is_web_page, reads_as_utf8

_BOMS = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))
_NOT_TEXT = {
    b"%PDF": "a PDF",
    b"\x89PNG": "an image",
    b"\xff\xd8\xff": "an image",
    b"GIF8": "an image",
    b"\xd0\xcf\x11\xe0": "an old or a locked Office file; save it as .xlsx without a password",
    b"7z\xbc\xaf": "packed with 7-zip; gzip, zip, zstd, bzip2 and xz are read",
    b"RIFF": "an image or a recording",
    b"II*\0": "an image",
    b"MM\0*": "an image",
    b"{\\rtf": "a document of a word processor",
    b"-----BEGIN PGP MESSAGE": "an encrypted message",
    b"age-encryption.org/": "an encrypted file",
    b"Rar!": "packed with RAR; gzip, zip, zstd, bzip2 and xz are read",
    b"SQLite format 3": "a database",
    b"\x7fELF": "a program",
    b"\x04\x22\x4d\x18": "packed with lz4; gzip, zip, zstd, bzip2 and xz are read",
    b"\x1f\x9d": "packed with compress; gzip, zip, zstd, bzip2 and xz are read",
}
TAR_AT = 257  # where a tar archive says what it is
HEAD_BYTES = 65_536
DOCUMENT_CHARACTERS = 64_000_000  # a document of JSON may be one line; as much as the kit reads of one
LOOK_CHARACTERS = 200_000_000  # of a larger file only this much is read, so that a look takes bounded time
SHORT = 10  # characters that lines count for at least, as each takes a while however short it is
BLOCK_CHARACTERS = LINE_LIMIT
TAIL = 5


class Unreadable(Exception):
    """The file cannot be sampled; the message says why, for a person."""


@dataclass(frozen=True)
class TextLook:
    """How the file's text is reached: open it as often as needed with `lines`."""

    path: Path
    compression: str
    encoding: str
    encoding_is_certain: bool
    line_end: str = "lf"
    final_newline: bool = True
    line_limit: int = LINE_LIMIT  # characters
    is_ascii: bool = False
    count: int = 0  # of lines
    is_whole: bool = True  # False: the file is larger than what is looked at, so counts are of its first part
    tail: list[str] = field(default_factory=list)

    @property
    def facts(self) -> dict[str, object]:
        names = ("compression", "encoding", "encoding_is_certain", "is_ascii", "line_end", "final_newline", "is_whole")
        return {name: getattr(self, name) for name in names} | {"lines": self.count}

    def lines(self) -> Iterator[str]:
        """Every line without its line end, up to LOOK_CHARACTERS. Raises Unreadable where the file breaks off."""
        for block in self.blocks():
            yield from self.lines_of(block)

    def lines_of(self, block: str) -> Iterator[str]:
        *lines, rest = block.split(LINE_ENDS[self.line_end])
        yield from (line.removesuffix("\r") for line in lines)
        if rest:
            yield rest.removesuffix("\n").removesuffix("\r")

    def cost(self, block: str) -> int:
        """In characters, of which a look reads so many."""
        return max(len(block), SHORT * block.count(LINE_ENDS[self.line_end]))

    def letters_in(self, block: str) -> Iterator[str]:
        """The lines of a block that are not ASCII alone."""
        return iter(()) if block.isascii() else (line for line in self.lines_of(block) if not line.isascii())

    def blocks(self) -> Iterator[str]:
        """The same as whole lines with their ends, many at a time, since each step of a look at millions counts."""
        end, left, torn_by = LINE_ENDS[self.line_end], LOOK_CHARACTERS, damaged(self.compression)
        try:
            with unpacked(self.path, self.compression) as stream:
                text = io.TextIOWrapper(stream, self.encoding, errors="strict", newline=end)
                while left > 0 and (block := text.read(BLOCK_CHARACTERS) + text.readline(self.line_limit + 1)):
                    # Only the last line of a block can be longer than what a block has without it.
                    if len(block) - (block.rfind(end, 0, -1) + 1) > self.line_limit:
                        raise Unreadable(f"it has a line of more than {self.line_limit:,} characters")
                    if len(block) > left:
                        block = block[: block.find(end, left - 1) + 1] or block
                    left -= self.cost(block)
                    yield block
        except torn_by as error:
            raise Unreadable(f"its archive breaks off or is damaged ({error})") from error


def look_at_text(path: Path) -> TextLook:
    """Raises Unreadable for what is no text or is packed in a way that is not read here."""
    with path.open("rb") as stream:
        compression = packing_of(stream.read(16))
    head = _head(path, compression)
    for magic, words in _NOT_TEXT.items():
        if head.startswith(magic):
            raise Unreadable(f"it is {words}{', not text' if words.startswith('a') else ''}")
    if head[TAR_AT : TAR_AT + 5] == b"ustar":
        raise Unreadable("it is a tar archive; a file packed by itself is read, and a zip archive of one file")
    encoding = next((name for mark, name in _BOMS if head.startswith(mark)), "") or _wide(head)
    if not encoding and b"\0" in head:
        raise Unreadable("it holds NUL bytes, so it is no text or was damaged by a crash")
    has_feed = b"\n" in head or encoding.startswith("utf-16")
    line_end = "cr" if b"\r" in head and not has_feed else "lf"
    limit = DOCUMENT_CHARACTERS if head.lstrip()[:1] in (b"[", b"{") else LINE_LIMIT
    return _decodable(TextLook(path, compression, encoding, True, line_end, line_limit=limit))


def _wide(head: bytes) -> str:
    """UTF-16 without its mark: most characters have a zero as one of their two bytes, always the same one."""
    even, odd = head[::2].count(0), head[1::2].count(0)
    if min(even, odd) or 4 * max(even, odd) < len(head):
        return ""
    return "utf-16-le" if odd else "utf-16-be"


def _decodable(look: TextLook) -> TextLook:
    """UTF-8 proves itself over a whole file; that anything else is Windows' Latin is a guess and is said to be one."""
    for encoding, certain in ((look.encoding or "utf-8", True), ("cp1252", False)):
        try:
            return _read_through(replace(look, encoding=encoding, encoding_is_certain=certain))
        except UnicodeError:
            continue
    raise Unreadable("its text is in no encoding that is known here")


def _read_through(look: TextLook) -> TextLook:
    """One pass: is everything text, how many lines are there, and how does it end?"""
    count, read, block, end, is_ascii = 0, 0, "", LINE_ENDS[look.line_end], True
    last: deque[str] = deque(maxlen=TAIL)
    for block in look.blocks():
        if "\0" in block:
            raise Unreadable("it holds NUL bytes, so it is no text or was damaged by a crash")
        if not look.encoding_is_certain and any(reads_as_utf8(one, look.encoding) for one in look.letters_in(block)):
            raise Unreadable("parts of its text are UTF-8 and others are not, so two encodings are mixed")
        if not count and is_web_page(block.partition(end)[0]):
            raise Unreadable("it is an HTML page, such as a login form or an error saved in the file's place")
        count += block.count(end) + (not block.endswith(end))
        is_ascii = is_ascii and block.isascii()
        read += look.cost(block)
        last.extend(line.rstrip("\r\n") for line in block.removesuffix(end).rsplit(end, TAIL)[-TAIL:])
    ends = not block or block.endswith(end)
    is_whole = read < LOOK_CHARACTERS
    found = replace(look, count=count, final_newline=ends or not is_whole, is_whole=is_whole, tail=list(last))
    return replace(found, is_ascii=is_ascii)


def _head(path: Path, compression: str) -> bytes:
    try:
        torn_by = (*damaged(compression), OSError)
    except ImportError as error:
        raise Unreadable(f"it is packed with {compression}, which is not read here") from error
    try:
        with unpacked(path, compression) as stream:
            head: bytes = stream.read(HEAD_BYTES)
            return head
    except torn_by as error:
        raise Unreadable(f"its archive breaks off or is damaged ({error})") from error
    except OddArchive as odd:
        raise Unreadable(f"its archive {odd}") from odd
