"""Records of JSON: one document that is a list of objects, or one object per line; each key once, numbers exact."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from functools import cached_property
from pathlib import Path
from typing import Any

from .given import Input, reader_for
from .keyed import once, says_more, value_at
from .numbers import TEXT_NUMBERS, text_number
from .packing import damaged, opened, torn
from .row_counts import refuse_empty
from .sql import query
from .stamps import any_moment
from .state import current
from .surprise import Surprise
from .text_lines import BOM, garbled, is_one_byte, is_web_page, reads_as_utf8, text_lines
from .totals import is_total
from .window import Span

DOCUMENT_LIMIT_BYTES = 64_000_000  # a larger document does not fit a box's memory as objects; write lines
_RAISED = ("BrokenJson", "OddKeys", "OddNumber", "TotalRow", "EmptyFile")


@dataclass(frozen=True)
class JsonReader:
    """How to read one file of records, as plan.toml has it. `keys` are written with dots for nested objects."""

    keys: Sequence[str]  # those every record must have, and
    columns: Mapping[str, str] = field(default_factory=dict)  # role in the script -> key
    dated: str = ""  # the key that says when each entry was; "" if none does
    nulls: Sequence[str] = ()  # texts that number_or_none reads as no value, as it reads null
    text_numbers: bool = False  # whether numbers may be written as text, with the marks that follow
    decimal: str = "."
    thousands: str = ""
    symbols: Sequence[str] = ()  # what may stand beside a number, such as $ or %
    negative: str = "minus"  # or: parentheses, trailing minus, long minus
    units: Mapping[str, Sequence[str]] = field(
        default_factory=dict
    )  # column of currencies or units -> those it may have
    totals: str = "refuse"  # records that add up others: or keep
    optional: Sequence[str] = ()  # those it may have; any other is a surprise
    format: str = "lines"  # or "list": the file is one list; or "object": the list stands under `records`
    records: str = ""
    pages: bool = False  # whether a document may say that there are more records than it holds
    garbled: bool = False  # whether its letters may be such as a wrong encoding makes of others
    other_keys: bool = False  # whether keys that nobody named may be there
    empty: bool = False  # whether it may have no records
    compression: str = "none"
    encoding: str = "utf-8"
    line_end: str = "lf"
    final_newline: bool = True


@dataclass(slots=True)
class JsonRecord:
    file: JsonFile
    line: int  # of the file, or the record's number in a list
    values: dict[str, Any]

    def value(self, key: str) -> Any:
        """Of a key or a role. None where an optional key is not there."""
        return value_at(self.values, self.file.reader.columns.get(key, key))

    def text(self, key: str) -> str:
        value = self.value(key)
        if not isinstance(value, str):
            raise self._odd("OddText", key, value, "text in quotes")
        return value

    def number(self, key: str) -> Decimal:
        """Exact, as it is written. Raises Surprise OddNumber for true, null and lists, and for text not admitted."""
        value = self.value(key)
        number = text_number(value, self.file.reader) if isinstance(value, str) else value
        if isinstance(number, bool) or not isinstance(number, int | Decimal):
            raise self._odd("OddNumber", key, value, "a number without quotes", TEXT_NUMBERS)
        return Decimal(number)

    def number_or_none(self, key: str) -> Decimal | None:
        value = self.value(key)
        return None if value is None or value in self.file.reader.nulls else self.number(key)

    def moment(self, key: str) -> datetime:
        """Of a time in ISO form, or of seconds or milliseconds since 1970. Raises Surprise OddDate."""
        value = self.value(key)
        moment = None if isinstance(value, bool) else any_moment(str(value))
        if moment is None:
            raise self._odd("OddDate", key, value, "a time in ISO form")
        return moment

    def moment_or_none(self, key: str) -> datetime | None:
        return None if self.value(key) is None else self.moment(key)

    def plain(self, place: int) -> str:
        """Any value as text; lists and objects as JSON."""
        value = self.value(self.file.names[place])
        if value is None or isinstance(value, str):
            return value or ""
        return f"{value:f}" if isinstance(value, Decimal) else json.dumps(value, default=str)

    def _odd(self, name: str, key: str, value: object, expected: str, admits: str = "") -> Surprise:
        words = f"record {self.line:,}: {key} is {value!r:.60}, not {expected}"
        return self.file.odd(name, words, value, expected, admits, json.dumps(self.values, default=str))


@dataclass
class JsonFile:
    """Iterate it for its records. Raises the Surprises of _RAISED, OddText, and those of kit.text_lines."""

    source: Input
    reader: JsonReader
    rows: int = 0
    span: Span | None = None  # after sql()

    @property
    def name(self) -> str:
        return self.source.name

    @cached_property
    def names(self) -> Sequence[str]:
        return [*self.reader.keys, *self.reader.optional]

    @cached_property
    def places(self) -> Mapping[str, int]:
        names = {name: place for place, name in enumerate(self.names)}
        return names | {role: names[key] for role, key in self.reader.columns.items()}

    @property
    def dated(self) -> str:
        return self.reader.dated

    @property
    def totals(self) -> str:
        return self.reader.totals

    def sql(self, question: str, numbers: Sequence[str] = ()) -> list[tuple[Any, ...]]:
        """As of CsvFile; nested keys are columns with dots in their names."""
        return query(self, question, numbers)

    def __iter__(self) -> Iterator[JsonRecord]:
        self.rows = 0
        for name in _RAISED:
            current().note_check(name, self.name)
        wanted, admitted = set(self.reader.keys), {*self.reader.keys, *self.reader.optional}
        for line, record in self._records():
            if not isinstance(record, dict):
                raise self.odd("BrokenJson", f"record {line:,} is no object", record, "one object per record")
            missing = [key for key in self.reader.keys if value_at(record, key) is None]
            new = set() if self.reader.other_keys else {*_paths(record)} - admitted - _parents(admitted)
            if missing or new:
                said = f"without {', '.join(missing)}" if missing else f"new are {', '.join(sorted(new))}"
                words = f"record {line:,} has other keys: {said}"
                raise self.odd("OddKeys", words, sorted(record), sorted(wanted), 'optional", "other_keys')
            found = JsonRecord(self, line, record)
            if self.reader.totals != "keep" and is_total([found.plain(place) for place in range(len(self.names))]):
                words = f"record {line:,} is a total, not an entry"
                raise self.odd("TotalRow", words, record, "entries", "totals")
            self.rows += 1
            yield found
        refuse_empty(self.name, self.rows, self.reader.empty, "records")

    def _records(self) -> Iterator[tuple[int, Any]]:
        if self.reader.format != "lines":
            yield from enumerate(self._document(), 1)
            return
        names = ("compression", "encoding", "line_end", "final_newline")
        lines = text_lines(self.source.path, **{name: getattr(self.reader, name) for name in names})
        for number, line in enumerate(lines, 1):
            if line.strip():
                self._refuse_garbled(line, f"line {number:,} ")
                yield number, self._parsed(line, f"line {number:,}")

    def _refuse_garbled(self, text: str, where: str = "") -> None:
        if not self.reader.garbled and (seen := garbled(text)):
            words = f"{where}has {seen}, so its letters were damaged before it was written"
            raise self.odd("OddEncoding", words, text[:200], "letters as they were", "garbled = true")

    def _document(self) -> list[Any]:
        text = self._text()
        self._refuse_garbled(text)
        whole = document = self._parsed(text, "the file")
        if self.reader.format == "object":
            document = value_at(document, self.reader.records) if isinstance(document, dict) else None
        if isinstance(document, list) and not self.reader.pages and (said := says_more(whole, len(document))):
            words = f"holds {len(document):,} records and says that there are more: {said}"
            raise self.odd("TornEnd", words, said, "all records", "pages = true")
        if not isinstance(document, list):
            raise self.odd(
                "BrokenJson", "holds no list of records", type(document).__name__, "a list", 'format", "records'
            )
        return document

    def _text(self) -> str:
        path: Path = self.source.path
        torn_by = damaged(self.reader.compression)
        try:
            with opened(path, self.reader.compression) as stream:
                data = stream.read(DOCUMENT_LIMIT_BYTES + 1)
            if len(data) > DOCUMENT_LIMIT_BYTES:
                raise self.odd("BrokenJson", "is too large for one document", len(data), "one object per line")
            text = io.TextIOWrapper(io.BytesIO(data), self.reader.encoding).read()
            if text.startswith(BOM):
                admits = 'encoding = "utf-8-sig'
                raise self.odd("OddEncoding", "begins with a byte order mark", "the mark", "none", admits)
            if is_web_page(text):
                raise self.odd("WebPage", "is an HTML page, not JSON", text[:200], "the data itself; fetch it again")
            if is_one_byte(self.reader.encoding) and reads_as_utf8(text, self.reader.encoding):
                raise self.odd("OddEncoding", "is written in utf-8", "utf-8", self.reader.encoding, "encoding")
            return text
        except torn_by as error:
            raise torn(path, self.reader.compression, error, 0) from error
        except UnicodeError as error:
            raise self.odd(
                "OddEncoding", f"is not {self.reader.encoding}", error, "that encoding", "encoding"
            ) from error

    def _parsed(self, text: str, where: str) -> Any:
        try:
            value = json.loads(text, object_pairs_hook=once, parse_float=Decimal, parse_constant=_no_number)
            if "\\ud" in text or "\\uD" in text:  # half a character can be written so, and nowhere else
                json.dumps(value, default=str, ensure_ascii=False).encode()
            return value
        except (ValueError, RecursionError) as error:
            raise self.odd("BrokenJson", f"{where} is no JSON: {error}", text[:300], "JSON") from error

    def odd(self, name: str, words: str, seen: object, expected: object, admits: str = "", row: str = "") -> Surprise:
        said = f'{expected} (the reader parameter "{admits}" admits others)' if admits else expected
        rows = [row or str(seen)]
        return Surprise(name, f"{self.name} {words}", seen=seen, expected=said, file=self.name, rows=rows)


def read_json(source: Input) -> JsonFile:
    """The records of this file, by the reader that plan.toml has for its name."""
    return JsonFile(source, JsonReader(**reader_for(source.name)))


def _paths(record: dict[str, Any], before: str = "") -> Iterator[str]:
    for key, value in record.items():
        yield f"{before}{key}"
        if isinstance(value, dict):
            yield from _paths(value, f"{before}{key}.")


def _parents(keys: set[str]) -> set[str]:
    """The objects that agreed keys stand in."""
    return {".".join(parts[:depth]) for key in keys for parts in [key.split(".")] for depth in range(1, len(parts))}


def _no_number(text: str) -> None:
    raise ValueError(f"{text} is no number")
