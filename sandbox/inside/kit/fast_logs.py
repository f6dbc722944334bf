"""Text logs by the block: where each line of a block begins as lines before it did, it is counted without reading it.

A block that holds anything else is read by regular expressions, or line by line as always, so that what is counted is
the same; only the time it takes is not.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, BinaryIO

from .log_days import LogDays
from .log_heads import Head, LogHeads, Places, head_pattern, stamp_pattern
from .log_splitters import bare
from .text_lines import LINE_LIMIT

if TYPE_CHECKING:
    from .log_begins import LineBegins
    from .log_reader import LogReader
    from .logs import LogFile, LogRecord

BLOCK_BYTES = 1_000_000
Likely = tuple[int, int, int, Head | None]  # a line: number in its block, from 0, begin and end, and its head
Search = Callable[..., re.Match[bytes] | None]
FIRST_LINES = 3
KEPT_LINES = 1_000_000  # that may be wanted and are remembered, in some 15 MB
WINDOW = LINE_LIMIT // 2  # a line above the limit fills one such window of a block


@dataclass
class Seen:
    """What counting a log shows: of each block the lines that may be wanted, as far as there is room for them."""

    heads: LogHeads
    blocks: list[Places | None] = field(default_factory=list)
    room: int = KEPT_LINES

    def note(self, likely: Places | None) -> None:
        """Of the last block."""
        if likely is not None and len(likely) <= self.room:
            self.room -= len(likely)
            self.blocks[-1] = likely


class NotPlain(Exception):
    """The file holds something that only the line reader names; it is read again from its start."""


def can_read(reader: LogReader) -> bool:
    usual = (reader.format, reader.encoding, reader.line_end) == ("text", "utf-8", "lf")
    return usual and reader.stamp != "none"


def blocks(stream: BinaryIO, block_bytes: int) -> Iterator[bytes]:
    """Whole lines, a few megabytes at a time. Raises NotPlain for what is no plain UTF-8 text of lines."""
    rest = b""
    first = True
    while piece := stream.read(block_bytes):
        cut = piece.rfind(b"\n") + 1
        if b"\0" in piece or len(rest) > LINE_LIMIT:
            raise NotPlain
        if not cut:
            rest += piece
            continue
        block, rest = b"".join((rest, memoryview(piece)[:cut])), piece[cut:]
        if _has_mark(block) or (first and block.startswith(b"<")):
            raise NotPlain
        first = False
        if any(block.find(b"\n", at, at + WINDOW) < 0 for at in range(0, len(block) - WINDOW, WINDOW)):
            raise NotPlain  # perhaps an endless line
        yield block
    if rest:
        raise NotPlain  # no line end after the last line: whether that is admitted, the line reader knows


def _has_mark(block: bytes) -> bool:
    """A byte order mark at a line's beginning; a single byte is found ten times as fast as several."""
    is_there = codecs.BOM_UTF8[:1] in block
    return is_there and (block.startswith(codecs.BOM_UTF8) or b"\n" + codecs.BOM_UTF8 in block)


def count(log: LogFile, stream: BinaryIO, wanted: frozenset[str]) -> Seen:
    """Counts all records of the log; which lines may be wanted. Raises NotPlain, with counts half done."""
    is_large = log.source.size_bytes > log.large_bytes
    heads, stamps = LogHeads(log.reader, wanted), re.compile(b"\n(" + stamp_pattern(log.reader) + b")")
    seen = Seen(heads)
    for whole in blocks(stream, log.block_bytes):
        block = whole if log.has_begun else _begun(log, whole)
        seen.blocks.append(None)
        if not block:
            continue
        begins = heads.begins(block) if is_large else None
        lined = begins.lined if begins else b"\n" + block
        found = None if _has_lone_returns(block) else heads.take_apart(lined, begins)
        if found is None or (found.others and not log.has_begun):
            log.take_lines(_text(block))
            continue
        if not block.isascii():
            _text(block)
        if block is whole:
            seen.note(found.likely)
        log.note_records(block, found.levels)
        days, log.days = log.days, LogDays()  # of these lines' stamps as of all others of the block, in their order
        _take_others(log, found.others)
        log.days = days
        log.note_end(block)
        _note_days(log, lined, begins, stamps, found.levels.total())
    return seen


def _begun(log: LogFile, block: bytes) -> bytes:
    """Takes the first lines one by one, which are shown as evidence; the rest of the block."""
    lines = block.split(b"\n", FIRST_LINES)
    rest = lines.pop() if len(lines) > FIRST_LINES else b""
    log.take_lines(_text(block[: len(block) - len(rest)]))
    return rest


def _take_others(log: LogFile, lines: Iterable[bytes]) -> None:
    """Lines that begin otherwise; an indented one is no record of any kind, so it continues the one above."""
    indented = 0
    for line in lines:
        if line.startswith((b" ", b"\t")):
            indented += 1
        else:
            log.take_lines(line.decode())
    log.note_continued(indented)


def _has_lone_returns(block: bytes) -> bool:
    return b"\r" in block and block.count(b"\r") != block.count(b"\r\n")


def _note_days(log: LogFile, lined: bytes, begins: LineBegins | None, stamps: re.Pattern[bytes], records: int) -> None:
    """A block of a large log is asked for its days; where they are not in order, or it is small, each record is."""
    first = stamps.search(lined)
    if first and not (begins and log.days.note_block(begins, first[1].decode(), log.last_stamp, records)):
        for found in stamps.finditer(lined):
            log.days.note(found[1].decode())


def chosen(log: LogFile, stream: BinaryIO, wanted: frozenset[str], seen: Seen) -> Iterator[LogRecord]:
    """The records of these levels of a log that was counted, as the line reader reads them."""
    words = [re.escape(word.encode()) for word, level in log.reader.levels.items() if level in wanted]
    # Around a level stand blanks, bars and brackets; a longer word that contains it is none.
    search = re.compile(b"(?:" + b"|".join(words) + rb")(?![0-9A-Za-z_])").search
    read, first = _record_reader(log), 1
    for block, known in zip(blocks(stream, log.block_bytes), seen.blocks, strict=True):
        likely = seen.heads.likely(block) if known is None else known
        for number, start, end, head in _by_search(block, search) if likely is None else likely:
            if head is not None:
                record = log.record(head, block[start:end], first + number)
            else:
                record = read(block, start, end, first + number) if search(block, start, end) else None
            if record is not None and record.level in wanted:
                yield record
        first += block.count(b"\n")


def _by_search(block: bytes, search: Search) -> Iterator[Likely]:
    """Lines that hold the word of a wanted level."""
    number = begin = at = 0  # of the line that is looked at, where it begins, and where the search does
    while found := search(block, at):
        word, at = found.span()
        if block[word - 1 : word].isalnum():
            continue
        start = block.rfind(b"\n", begin, word) + 1 or begin
        end = block.find(b"\n", at)
        number += block.count(b"\n", begin, start)
        yield number, start, end, None
        number, begin, at = number + 1, end + 1, end + 1


def _record_reader(log: LogFile) -> Callable[[bytes, int, int, int], LogRecord | None]:
    """Reads a line of a block, from start to end, of this number: as its head shows, else as the line reader does."""
    match, levels = re.compile(head_pattern(log.reader)).match, log.reader.levels

    def read(block: bytes, start: int, end: int, number: int) -> LogRecord | None:
        found, line = match(block, start, end + 1), block[start:end]
        if found and (level := levels.get(bare(found["level"].decode()))) is not None:
            return log.record(Head(level, len(found["stamp"]), found.end() - start), line, number)
        return log.record_of(line.decode().rstrip("\r"), number)

    return read


def _text(block: bytes) -> str:
    try:
        return block.decode("utf-8")
    except UnicodeDecodeError as error:
        raise NotPlain from error
