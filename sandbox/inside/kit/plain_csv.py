"""A CSV file whose bytes show that it is plain, read by duckdb itself with the agreed dialect and nothing to find out.

What row by row would be checked is proven by the bytes, or else by duckdb. Where anything is not plain or looks odd,
the kit reads the rows, and names what is wrong.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from functools import cached_property
from typing import TYPE_CHECKING, Any

from .csv_reader import CsvReader
from .numbers import exact_number
from .plain_bytes import CHUNK, looked_through
from .plain_sql import ODD, Size, cast_source, ends, oddities, sizes_in_sql
from .rewritten import NARROW, WIDE, Rows, decimal, name_in_sql, plain_source, typed_source
from .row_counts import CAPS
from .sql import KEPT, keep
from .totals import adds_up
from .window import Span

if TYPE_CHECKING:
    from .tables import CsvFile

FIRST_ROWS = 10_000
ADDED_ROWS = 100  # most often they come to more than the last row, which then is not the sum of all


def plain_csv(connection: Any, file: CsvFile, numbers: Sequence[str]) -> Rows | None:
    """The file as it came, if its bytes and duckdb prove it; None where the kit has to look."""
    if not _has_plain_form(file.reader):
        return None
    try:
        rows = _PlainCsv(connection, file, list(dict.fromkeys(map(file.place, numbers)))).rows()
    except importlib.import_module("duckdb").Error:
        return None
    if rows is not None:
        file.note_checks()
    return rows


@dataclass
class _PlainCsv:
    connection: Any
    file: CsvFile
    numbers: Sequence[int]  # their places

    def rows(self) -> Rows | None:
        reader, path = self.file.reader, self.file.source.path
        usual = self._usual_sizes()
        # The characters of codes are counted by duckdb, so they stay text for it.
        is_provable = not usual.keys() & dict(reader.code_widths).keys()
        seen = looked_through(path, reader, {at: usual[at][1] for at in usual} if is_provable else {})
        if seen is None or not seen.rows or seen.rows in CAPS:
            return None
        odd = list(oddities(reader, self.numbers, seen.suspects))
        if seen.has_numbers:
            kinds = {place: decimal(*size) for place, size in usual.items()}
            rows = self._rows(seen.rows, typed_source(path, reader.header, reader.delimiter, "", kinds, reader.decimal))
            if odd or seen.may_be_negative or not self._come_to_more_than_the_last():
                return self._proven(rows, odd)
            return rows  # nothing is left to ask, so the rows need not be read for it
        odd.append(f"count(*) FILTER ({name_in_sql(ODD)})")
        rows = self._rows(seen.rows, cast_source(self.file, usual))
        proven = self._proven(rows, odd) if len(usual) == len(self.numbers) else None
        return proven or self._measured(seen.rows, odd)

    def _measured(self, count: int, odd: Sequence[str]) -> Rows | None:
        """With numbers of the sizes that all of them fit in."""
        asked = list(sizes_in_sql(self.file.reader, self.numbers))
        if not asked:
            return None
        source = plain_source(self.file.source.path, self.file.reader.header, self.file.reader.delimiter, "")
        answer = self.connection.execute(f"SELECT {', '.join(asked)} FROM {source}").fetchone()
        before, behind = ([int(one or 0) for one in answer[half::2]] for half in (0, 1))
        digits = [most + more for most, more in zip(before, behind, strict=True)]
        if max(digits) > WIDE:
            return None
        wide = [NARROW if most <= NARROW else WIDE for most in digits]
        sizes = dict(zip(self.numbers, zip(wide, behind, strict=True), strict=True))
        return self._proven(self._rows(count, cast_source(self.file, sizes)), odd)

    def _proven(self, rows: Rows, odd: Sequence[str]) -> Rows | None:
        """Rows that are kept, if duckdb finds as many, none of them odd, and none that adds up the others."""
        keep(self.connection, rows)
        names = [name_in_sql(self.file.names[place]) for place in self.numbers]
        asked = ["count(*)", *ends(self.file.reader), *(f"sum({name})" for name in names), *odd]
        answer = self.connection.execute(f"SELECT {', '.join(asked)} FROM {KEPT}").fetchone()
        count, first, last, *sums = answer[: 3 + len(names)]
        if count != rows.count or any(answer[3 + len(names) :]) or adds_up(self._last, sums, count):
            return None
        span = None if first is None else Span(*(datetime.fromtimestamp(one, UTC) for one in (first, last)))
        return Rows(KEPT, count, rows.size_bytes, span)

    def _rows(self, count: int, source: str) -> Rows:
        return Rows(source, count, self.file.source.size_bytes)

    @cached_property
    def _first(self) -> list[list[str]]:
        """Cells of the first rows, without the last row of all."""
        with self.file.source.path.open("rb") as stream:
            lines = stream.read(CHUNK).decode("utf-8", "replace").split("\n")[1:-1][:FIRST_ROWS]
        return [cells for line in lines if len(cells := line.split(self.file.reader.delimiter)) == len(self.file.names)]

    @cached_property
    def _last(self) -> list[Decimal | None]:
        """Numbers of the last row."""
        with self.file.source.path.open("rb") as stream:
            stream.seek(max(0, self.file.source.size_bytes - CHUNK))
            last = stream.read().rstrip(b"\n").rpartition(b"\n")[2].decode("utf-8", "replace")
        cells = last.split(self.file.reader.delimiter)
        return [exact_number(cells[place], **self.file.reader.marks) for place in self.numbers]

    def _usual_sizes(self) -> Mapping[int, Size]:
        """Those of the first rows: to prove that all others are not larger is less work than to measure each."""
        mark = self.file.reader.decimal
        behind = [max((len(row[at].partition(mark)[2]) for row in self._first), default=0) for at in self.numbers]
        if max(behind, default=0) >= NARROW:
            return {}
        return {place: (NARROW, most) for place, most in zip(self.numbers, behind, strict=True)}

    def _come_to_more_than_the_last(self) -> bool:
        """Of a file that is larger than what the first rows are of; where no number is below zero, it stays so."""
        for place, last in zip(self.numbers, self._last, strict=True):
            found = (exact_number(row[place], **self.file.reader.marks) for row in self._first[:ADDED_ROWS])
            if last and sum(one or 0 for one in found) > last:
                return True
        return False


def _has_plain_form(reader: CsvReader) -> bool:
    """Whether duckdb knows this form without our help."""
    named = (reader.symbols, reader.thousands, reader.skip_lines, reader.blank_lines, reader.escape, reader.footer)
    one_letter = len(reader.delimiter) == 1 and len(reader.header) > 1
    usual = (reader.negative, reader.line_end, reader.compression, reader.encoding, reader.totals)
    return one_letter and not any(named) and usual == ("minus", "lf", "none", "utf-8", "refuse")
