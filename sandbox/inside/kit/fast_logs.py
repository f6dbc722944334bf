"""Text logs by the block: where every line of a block is a record with a known level, one search counts them all.

A block that holds anything else, such as a stack trace, is read line by line as always, so that what is counted is
the same; only the time it takes is not.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, BinaryIO

from .log_days import LogDays
from .stamps import BY_NAME
from .text_lines import LINE_LIMIT

if TYPE_CHECKING:
    from .log_reader import LogReader
    from .logs import LogFile, LogRecord

BLOCK_BYTES = 4_000_000
LARGE_BYTES = 1_000_000
FIRST_LINES = 3
WINDOW = LINE_LIMIT // 2  # a line above the limit fills one such window of a block
# ASCII only, and none of the rarer blanks: a line that has them before its level is read line by line.
_WORD = rb"[^\s|\x00-\x1f\x7f-\xff]+"
_BLANKS = rb"[ \t|]+"
_BARE = "[({<\"'", "])}>:;,\"'"  # what may stand around a level


class NotPlain(Exception):
    """The file holds something that only the line reader names; it is read again from its start."""


def can_read(reader: LogReader) -> bool:
    return reader.format == "text" and reader.stamp != "none" and reader.encoding == "utf-8"


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
        block, rest = rest + piece[:cut], piece[cut:]
        if first and block.startswith((b"\xef\xbb\xbf", b"<")):
            raise NotPlain
        first = False
        if any(block.find(b"\n", at, at + WINDOW) < 0 for at in range(0, len(block) - WINDOW, WINDOW)):
            raise NotPlain  # perhaps an endless line
        yield block
    if rest:
        raise NotPlain  # no line end after the last line: whether that is admitted, the line reader knows


def count(log: LogFile, stream: BinaryIO) -> None:
    """Counts all records of the log. Raises NotPlain, with counts half done."""
    # A search for a line end and what follows it is twice as fast as one for the heads of lines.
    head = b"\n" + _head(log.reader)
    records, others = re.compile(head), re.compile(b"\n(?!" + head[1:] + rb")[^\n]*(?=\n)")
    stamps = re.compile(b"\n(" + _stamp(log.reader) + b")")
    for whole in blocks(stream, log.block_bytes):
        block = whole if log.has_begun else _begun(log, whole)
        lined = b"\n" + block
        levels = _levels(log.reader, records.findall(lined))
        is_odd = levels.total() != block.count(b"\n")
        if not block:
            continue
        if "" in levels or (is_odd and not log.has_begun):
            log.take_lines(_text(block))
            continue
        if not block.isascii():
            _text(block)
        log.note_records(block, levels)
        days, log.days = log.days, LogDays()  # of these lines' stamps as of all others of the block, in their order
        for line in others.finditer(lined) if is_odd else ():
            log.take_lines(line.group()[1:].decode())
        log.days = days
        log.note_end(block)
        _note_days(log, lined, stamps, levels.total())


def _begun(log: LogFile, block: bytes) -> bytes:
    """Takes the first lines one by one, which are shown as evidence; the rest of the block."""
    lines = block.split(b"\n", FIRST_LINES)
    rest = lines.pop() if len(lines) > FIRST_LINES else b""
    log.take_lines(_text(block[: len(block) - len(rest)]))
    return rest


def _note_days(log: LogFile, lined: bytes, stamps: re.Pattern[bytes], records: int) -> None:
    """A large block is asked for its days; whatever is small, or whose days are not in order, for each record."""
    first = stamps.search(lined)
    is_large = len(lined) > min(LARGE_BYTES, log.block_bytes // 2)
    if first and not (is_large and log.days.note_block(lined, first[1].decode(), log.last_stamp, records)):
        for found in stamps.finditer(lined):
            log.days.note(found[1].decode())


def chosen(log: LogFile, stream: BinaryIO, wanted: frozenset[str]) -> Iterator[LogRecord]:
    """The records of these levels of a log that was counted, each read by the line reader."""
    words = [re.escape(word.encode()) for word, level in log.reader.levels.items() if level in wanted]
    # Around a level stand blanks, bars and brackets; a longer word that contains it is none.
    pattern = re.compile(b"(?:" + b"|".join(words) + rb")(?![0-9A-Za-z_])")
    head = re.compile(b"(" + _stamp(log.reader) + b")" + _after_stamp(log.reader))
    number = 0
    for block in blocks(stream, log.block_bytes):
        begin = at = 0  # of the line that is looked at, and of the search
        while found := pattern.search(block, at):
            at = found.end()
            if block[found.start() - 1 : found.start()].isalnum():
                continue
            start = block.rfind(b"\n", begin, found.start()) + 1 or begin
            end = block.find(b"\n", start)
            number += block.count(b"\n", begin, start)
            record = _record(log, head.match(block, start, end + 1), block, start, end, number + 1)
            if record is not None and record.level in wanted:
                yield record
            number, begin, at = number + 1, end + 1, end + 1
        number += block.count(b"\n", begin)


def _record(
    log: LogFile, head: re.Match[bytes] | None, block: bytes, start: int, end: int, number: int
) -> LogRecord | None:
    """Of the line from start to end: as its head shows, else as the line reader reads it."""
    level = log.reader.levels.get(_bare(head[2])) if head else None
    if head is None or level is None:
        return log.record_of(block[start:end].decode().rstrip("\r"), number)
    return log.record(level, block[head.end() : end].decode().rstrip("\r"), number, head[1].decode())


def _levels(reader: LogReader, words: list[bytes]) -> Counter[str]:
    """Records by what they are counted as; under "" those of no known level."""
    levels: Counter[str] = Counter()
    for word, times in Counter(words).items():
        levels[reader.levels.get(_bare(word), "")] += times
    return levels


def _head(reader: LogReader) -> bytes:
    """A record's head up to its level."""
    return _stamp(reader) + _after_stamp(reader)


def _after_stamp(reader: LogReader) -> bytes:
    middle = (_WORD + _BLANKS) * (reader.level_word - 1)
    return rb"[ \t|]*" + middle + b"(" + _WORD + rb")(?=[ \t|\r\n])"


def _stamp(reader: LogReader) -> bytes:
    return BY_NAME[reader.stamp].pattern.pattern.encode()


def _bare(word: bytes) -> str:
    return word.decode("ascii").lstrip(_BARE[0]).rstrip(_BARE[1])


def _text(block: bytes) -> str:
    try:
        return block.decode("utf-8")
    except UnicodeDecodeError as error:
        raise NotPlain from error
