"""A CSV table as rows, to be changed and written again."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from .drift import Aim, DoesNotFit, FileChange

NUMBER = re.compile(r"[-+]?[0-9]+([.,][0-9]+)?")
DATE = re.compile(r"(\d{4})-(\d\d)-(\d\d)(.*)", re.DOTALL)
_DELIMITERS = (",", ";", "\t", "|")
Row = list[str]


@dataclass
class Table:
    rows: list[Row]  # the first is the header
    delimiter: str
    decimal: str

    @property
    def header(self) -> Row:
        return self.rows[0]

    @property
    def body(self) -> list[Row]:
        return self.rows[1:]

    def written(self, **form: object) -> bytes:
        out = io.StringIO(newline="")
        keys = {"delimiter": self.delimiter, "lineterminator": "\n", **form}
        csv.writer(out, **keys).writerows(self.rows)  # type: ignore[arg-type]  # csv's own keywords
        return out.getvalue().encode()

    def numbers(self) -> list[int]:
        return self._columns(lambda cell: bool(NUMBER.fullmatch(cell)))

    def dates(self) -> list[int]:
        return self._columns(lambda cell: bool(DATE.fullmatch(cell)))

    def texts(self) -> list[int]:
        taken = {*self.numbers(), *self.dates()}
        return [place for place in range(len(self.header)) if place not in taken]

    def _columns(self, fits: Callable[[str], bool]) -> list[int]:
        """Columns of which every cell that is not empty fits."""
        cells = [
            [row[place] for row in self.body if len(row) > place and row[place]] for place in range(len(self.header))
        ]
        return [place for place, column in enumerate(cells) if column and all(map(fits, column))]

    def aimed(self, places: Sequence[int], aim: Aim) -> int:
        """One of these columns: one that the plan speaks of, if it speaks of any. Raises DoesNotFit."""
        spoken = [place for place in places if self.header[place] in aim.columns]
        chosen = spoken if aim.columns else list(places)
        if not chosen:
            raise DoesNotFit(f"{aim.name} has no such column that the plan speaks of")
        return aim.chance.choice(chosen)


def table_of(data: bytes, name: str) -> Table:
    text = data.decode("utf-8")
    head = text.split("\n", 1)[0]
    delimiter = max(_DELIMITERS, key=head.count)
    rows = [row for row in csv.reader(io.StringIO(text, newline=""), delimiter=delimiter) if row]
    if len(rows) < 2:
        raise DoesNotFit(f"{name} has no rows")
    decimal = "," if delimiter != "," and re.search(r"[0-9],[0-9]", text) else "."
    return Table(rows, delimiter, decimal)


def on_table(change: Callable[[Table, Aim], bytes]) -> FileChange:
    return lambda data, aim: change(table_of(data, aim.name), aim)


def on_cells(column: str, change: Callable[[str], str], share: float = 1.0) -> FileChange:
    """Cells of one aimed column ("numbers", "dates", "texts"), a seeded share of them, changed one by one."""

    def changed(table: Table, aim: Aim) -> bytes:
        place = table.aimed(getattr(table, column)(), aim)
        rows = table.body
        chosen = rows if share == 1.0 else aim.chance.sample(rows, max(1, round(len(rows) * share)))
        for row in chosen:
            row[place] = change(row[place])
        return table.written()

    return on_table(changed)
