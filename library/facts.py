"""What a sample found out about a file, as far as choosing and filling a script needs it; no content, only facts."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum


class FileKind(StrEnum):
    TEXT_LOG = "text log"  # most lines begin with a time stamp, or have a level at one place
    JSON_LINES = "json lines"  # one JSON object per line; `csv` has their keys
    LOGFMT = "logfmt"  # key=value pairs on each line
    JSON = "json"  # one document that is a list of objects, or holds one; `csv` has their keys
    CSV = "csv"  # a header, and rows as wide as it
    EXCEL = "excel"  # a workbook; `sheet` names the one that `csv` is about
    PARQUET = "parquet"  # `csv` has its columns, with their types as kinds
    TEXT = "text"  # readable lines of no kind above
    EMPTY = "empty"  # no bytes, or only blank lines
    UNREADABLE = "unreadable"  # `problem` says why


@dataclass(frozen=True)
class LogFacts:
    """Where the level stands and which levels there are, counted over the whole file."""

    levels: Mapping[str, int]  # as written -> lines
    records: int
    stamp: str = "none"  # text: a name of kit.stamps
    level_word: int = 0  # text: the word after the stamp, counted from 1; 0 if none was found
    level_key: str = ""  # json: "" if none was found
    message_key: str = ""
    time_key: str = ""  # json: of the stamps that could be told
    keys: tuple[str, ...] = ()  # json: keys whose values could be levels, commonest first
    continuation_lines: int = 0
    unexplained_lines: int = 0

    @property
    def has_level(self) -> bool:
        return bool(self.level_word or self.level_key)


@dataclass(frozen=True)
class ColumnFacts:
    name: str
    kind: str  # "number", "date", "text", "empty", or "code of N digits" where zeros lead
    dates: tuple[str, ...] = ()  # layouts that read all its dates; two where day and month could change places
    ends: tuple[tuple[str, str], ...] = ()  # of each layout: its first and last date, ISO
    decimals: int = 0  # of every number in it, where all have the same
    empty: int = 0  # cells without a value, those of `nulls` among them
    nulls: tuple[str, ...] = ()  # what stands among its numbers or dates for no value
    symbols: tuple[str, ...] = ()  # what stands beside its numbers, such as $ or %
    digits: int = 0  # of every cell, where all are digits alone and have as many
    is_optional: bool = False  # json: some records lack the key
    is_unit: bool = False  # its values say in which currency or unit amounts beside them are
    is_money: bool = False  # these are currencies
    values: tuple[str, ...] = ()  # of a column of text, where only few different ones were seen; all of them, then


@dataclass(frozen=True)
class CsvFacts:
    delimiter: str
    columns: tuple[ColumnFacts, ...]
    rows: int
    decimal: str = "."
    thousands: str = ""
    numbers_are_ambiguous: bool = False  # 1.234 could be a thousand or one and a bit
    has_marks: bool = False  # some number shows a decimal or thousands mark
    multiline: bool = False
    exponents: bool = False  # some numbers are written with a power of ten, such as 9.8e-05
    garbled: bool = False  # some of its letters are such as a wrong encoding makes of others
    odd_rows: int = 0  # rows of another width
    quote: str = '"'
    escape: str = ""
    skip_lines: int = 0  # lines that seem to be a preamble above the header
    negative: str = "minus"  # how numbers below zero are written, in the words of kit.numbers
    has_twins: bool = False  # excel: other sheets have the same columns, and are not read
    json_form: str = ""  # lines, list or object
    json_records: str = ""  # object: the key that the list stands under
    oddities: tuple[str, ...] = ()  # what a person should hear of before this is read as a table, in sentences

    @property
    def header(self) -> tuple[str, ...]:
        return tuple(column.name for column in self.columns)


@dataclass(frozen=True)
class FileFacts:
    name: str
    size_bytes: int
    kind: FileKind
    compression: str = "none"
    encoding: str = "utf-8"
    encoding_is_certain: bool = True
    is_ascii: bool = False  # it has no other letter, so that many encodings would read it alike
    line_end: str = "lf"
    final_newline: bool = True
    is_whole: bool = True  # False: too large to be read through, so all counts are of its first part
    lines: int = 0
    log: LogFacts | None = None
    csv: CsvFacts | None = None
    sheet: str = ""
    problem: str = ""  # why it cannot be read, in words
    first_at: str = ""  # ISO, of the first and last time stamps that were recognised
    last_at: str = ""
    hidden: int = 0  # characters that cannot be seen, in the lines that a sample shows

    @property
    def is_page(self) -> bool:
        """An HTML page, as the sampler calls it in its problem."""
        return self.kind is FileKind.UNREADABLE and "HTML page" in self.problem


_DATES = re.compile(r"\d{4}[-_.]?\d\d[-_.]?\d\d(?:[-_T]?\d{2,6})?|\d{4}[-_]?[wW]\d\d|\d{4}[-_]\d\d")


def name_pattern(name: str) -> str:
    """The name with any digits for those of its date, so that next week's file has it too; others stay as they are.

    `app-2026-11-23.log` is `app-` and eight digits with their dashes, never `app-*`, which other files fit as well.
    """
    escaped = re.sub(r"([*?\[])", r"[\1]", name)
    return _DATES.sub(lambda date: re.sub(r"\d", "[0-9]", date[0]), escaped)
