"""What the bytes of a CSV file show before anybody reads its rows: whether it is plain, and what is worth a look."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from .plain_numbers import PlainNumbers
from .text_lines import LARGE_BYTES, LINE_LIMIT

if TYPE_CHECKING:
    from .csv_reader import CsvReader

CHUNK = LINE_LIMIT  # so that a block holds no line above the limit
# Every word for a total has one of these in it, in small letters, or a letter that is not ASCII; the quote is that of
# another dialect.
QUOTE = b"'"
SIGNS = (
    b"tot",
    b"sum",
    b"som",
    b"gesamt",
    b"i alt",
    b"ialt",
    b"samlet",
    b"razem",
    b"celkem",
    b"ergebnis",
    b"toplam",
    QUOTE,
)
# A single byte is found ten times as fast as several, and a table of numbers has few letters.
LETTERS = {sign: [{one, one.upper()} for one in {bytes([byte]) for byte in sign}] for sign in SIGNS}
NOT_ASCII = b"\x80"
# Letters that a wrong encoding may have made, each with what it begins with; text_lines.garbled decides.
_GARBLED = re.compile(
    rb"\xc2[\x80-\x9f]|\xef\xbf\xbd|\xc3(?:[\x82-\x85](?:\xc2|\xe2|\xc5|\xc6|\xcb)|[\x90\x91]\xc2|\xa2\xe2)"
)
_BEGIN_GARBLED = (
    b"\xc2",
    b"\xef\xbf\xbd",
    b"\xc3\xa2\xe2",
    *(b"\xc3" + bytes([one]) for one in b"\x82\x83\x84\x85\x90\x91"),
)


@dataclass(frozen=True)
class Seen:
    """What the bytes of a plain file show."""

    rows: int
    suspects: set[bytes]  # signs that make a closer look necessary
    has_numbers: bool = False  # whether all cells of the number columns are numbers of the sizes that were asked for
    may_be_negative: bool = True  # whether one of them may be below zero


def looked_through(path: Path, reader: CsvReader, behind: Mapping[int, int] | None = None) -> Seen | None:
    """None unless: UTF-8, no double quote and none of its own, no NUL, no carriage return, the agreed header and once,
    and as many delimiters as cells need. Duckdb refuses rows that are too narrow and passes over empty lines; what it
    reads as many rows as there are lines therefore has rows of the right width alone.

    `behind` are the places of number columns, with the most digits behind the mark that are to be proven.
    """
    header = f"{reader.delimiter.join(reader.header)}\n".encode()
    delimiter, never = reader.delimiter.encode(), (reader.quote.encode(), b'"', b"\0", b"\r")
    numbers = PlainNumbers(reader, behind) if behind and path.stat().st_size > LARGE_BYTES else None
    lines = 0
    suspects: set[bytes] = set()
    with path.open("rb", buffering=0) as stream:
        if stream.read(len(header)) != header:
            return None
        for block in whole_lines(stream, CHUNK):
            if any(sign in block for sign in never) or block.startswith(header) or b"\n" + header in block:
                return None
            if not block.isascii():
                has_mark = block.startswith(codecs.BOM_UTF8) or b"\n" + codecs.BOM_UTF8 in block
                if has_mark or not _is_text(block) or _may_be_garbled(block):
                    return None
                suspects.add(NOT_ASCII)
            suspects |= _signs_in(block, suspects)
            proven = numbers.lines_in(block) if numbers else 0
            count = proven or block.count(b"\n")
            if not proven:
                numbers = None
                if block.count(delimiter) != count * (len(reader.header) - 1):
                    return None
            lines += count
        is_whole = stream.tell() == path.stat().st_size
    return Seen(lines, suspects, numbers is not None, numbers is None or numbers.are_signed) if is_whole else None


def _may_be_garbled(piece: bytes) -> bool:
    return any(begin in piece for begin in _BEGIN_GARBLED) and _GARBLED.search(piece) is not None


def whole_lines(stream: BinaryIO, size: int) -> Iterator[bytes]:
    """Blocks that end with a line; it stops before a line that is longer than a block, and before one without an end.

    Of a stream without a buffer, where reading half a line twice costs less than putting its halves together.
    """
    while piece := stream.read(size):
        end = piece.rfind(b"\n") + 1
        stream.seek(end - len(piece), 1)
        if not end:
            return
        yield piece[:end]


def _signs_in(block: bytes, seen: set[bytes]) -> set[bytes]:
    """Signs that are new; behind the first sign of a word no other is looked for, as each leads to the same look."""
    wanted = [one for one in SIGNS if one not in seen and (one == QUOTE or seen <= {QUOTE})]
    likely = [one for one in wanted if _has_letters(block, one)]
    lowered = block.lower() if likely else b""
    return {one for one in likely if one in lowered}


def _has_letters(block: bytes, sign: bytes) -> bool:
    return all(any(one in block for one in either) for either in LETTERS[sign])


def _is_text(block: bytes) -> bool:
    try:
        block.decode()
    except UnicodeDecodeError:
        return False
    return True
