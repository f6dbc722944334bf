"""What the bytes of a CSV file show before anybody reads its rows: whether it is plain, and what is worth a look."""

from __future__ import annotations

import codecs
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .csv_reader import CsvReader

CHUNK = 1 << 20
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
    """What the bytes of a plain file show: its lines below the header, and signs that make a closer look necessary."""

    rows: int
    suspects: set[bytes]


def looked_through(path: Path, reader: CsvReader) -> Seen | None:
    """None unless: UTF-8, no quote, no NUL, no carriage return, the agreed header and once, and as many delimiters as
    cells need. Duckdb refuses rows that are too narrow and passes over empty lines; what it reads as many rows as there
    are lines therefore has rows of the right width alone.
    """
    header = f"{reader.delimiter.join(reader.header)}\n".encode()
    delimiter = reader.delimiter.encode()
    never = (reader.quote.encode(), b"\0", b"\r", b"\n" + header)
    longest = len(header) + 8  # of what is looked for
    delimiters = lines = 0
    suspects: set[bytes] = set()
    with path.open("rb") as stream:
        if stream.read(len(header)) != header:
            return None
        before, decoder = b"\n", codecs.getincrementaldecoder("utf-8")()
        while piece := stream.read(CHUNK):
            both = before + piece[:longest], piece  # something may lie across two pieces
            is_ascii = piece.isascii() and before.isascii()
            if any(sign in one for sign in never for one in both) or not _is_text(decoder, piece):
                return None
            if not is_ascii and any(b"\n" + codecs.BOM_UTF8 in one or _may_be_garbled(one) for one in both):
                return None
            suspects |= _signs_in(both, suspects)
            if not is_ascii:
                suspects.add(NOT_ASCII)
            delimiters += piece.count(delimiter)
            lines += piece.count(b"\n")
            before = (piece if len(piece) > longest else before + piece)[-longest:]
    is_whole = before.endswith(b"\n") and _is_text(decoder, b"", final=True)
    is_plain = is_whole and delimiters == lines * (len(reader.header) - 1)
    return Seen(lines, suspects) if is_plain else None


def _may_be_garbled(piece: bytes) -> bool:
    return any(begin in piece for begin in _BEGIN_GARBLED) and _GARBLED.search(piece) is not None


def _signs_in(pieces: Sequence[bytes], seen: set[bytes]) -> set[bytes]:
    """Signs that are new; behind the first sign of a word no other is looked for, as each leads to the same look."""
    wanted = [one for one in SIGNS if one not in seen and (one == QUOTE or seen <= {QUOTE})]
    likely = [one for one in wanted if any(_has_letters(piece, one) for piece in pieces)]
    lowered = [piece.lower() for piece in pieces] if likely else []
    return {one for one in likely if any(one in piece for piece in lowered)}


def _has_letters(piece: bytes, sign: bytes) -> bool:
    return all(any(one in piece for one in either) for either in LETTERS[sign])


def _is_text(decoder: codecs.IncrementalDecoder, piece: bytes, final: bool = False) -> bool:
    if piece.isascii() and not final and not decoder.getstate()[0]:
        return True
    try:
        decoder.decode(piece, final)
    except UnicodeDecodeError:
        return False
    return True
