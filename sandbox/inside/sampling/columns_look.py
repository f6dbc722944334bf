"""What a column's cells are, from the forms they take: numbers with which marks, dates in which order, codes, text."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cache

from kit.numbers import exact_number

from .dialect_look import is_date
from .few_values import FewValues

# (decimal mark, thousands mark), plain ones first
MARKS = (
    (".", ""),
    (",", ""),
    (".", ","),
    (",", "."),
    (",", "\u00a0"),
    (",", "\u202f"),
    (",", " "),
    (".", " "),
    (".", "'"),
)
SMALL = "e-"  # in 9.8e-05; 1.23E+11 is what a sheet makes of a long code, whose digits are lost
FORMS = 2_000  # different forms of cells that are told apart; a column with more is text
DATES = 5_000  # different dates of a column that are looked at
MANY = 20  # numbers that look alike by more than chance
FORM_LIMIT = 40  # characters; longer is text
_DIGITS = str.maketrans("123456789", "000000000")
_DATE_ORDERS = ("%Y-%m-%d", "%d/%m/%Y", "%m/%d/%Y", "%d.%m.%Y", "%m.%d.%Y", "%d-%m-%Y", "%m-%d-%Y")
_SHORT_ORDERS = ("%d/%m/%y", "%m/%d/%y", "%d.%m.%y", "%d-%m-%y")
_CLOCKS = ("", " %H:%M", " %H:%M:%S", "T%H:%M:%S", " %H:%M:%S.%f", "T%H:%M:%S.%f", "T%H:%M:%S%z", "T%H:%M")
Marks = tuple[str, str]


@dataclass
class Column:
    name: str
    filled: int = 0
    forms: dict[str, list[int]] = field(default_factory=dict)  # digits as 0 -> times
    examples: dict[str, str] = field(default_factory=dict)  # form -> the first cell of it
    dates: set[str] = field(default_factory=set)
    last_date: str = ""
    leading_zeros: int = 0
    values: FewValues = field(default_factory=FewValues)

    def note(self, cell: str) -> None:
        text = cell.strip(" ")
        if not text:
            return
        self.filled += 1
        self.values.note(text)
        form = text[:FORM_LIMIT].translate(_DIGITS)
        known = self.forms.get(form)
        if known is not None:
            known[0] += 1
        elif len(self.forms) < FORMS:
            self.forms[form] = [1]
            self.examples[form] = text[:FORM_LIMIT]
        if len(text) > 1 and text[0] == "0" and text.isdigit():
            self.leading_zeros += 1
        if is_date(text):
            self.last_date = text
            if len(self.dates) < DATES:
                self.dates.add(text)

    def times(self, forms: Iterable[str]) -> int:
        return sum(self.forms[form][0] for form in forms)

    @property
    def dated(self) -> int:
        return self.times(form for form in self.forms if is_date(form))

    def numbers(self, marks: Marks) -> int:
        return self.times(form for form in self.forms if is_number(form, marks))

    def has_marks(self) -> bool:
        """Whether some number of it shows a decimal or thousands mark."""
        return any("." in form or "," in form for form in self.forms if any(is_number(form, one) for one in MARKS))

    def has_powers(self) -> bool:
        """Whether some number of it is written with a power of ten, as programs write small ones."""
        return any(SMALL in form and is_number(form, marks) for form in self.forms for marks in MARKS)

    def kind(self, marks: Marks) -> str:
        if not self.filled:
            return "empty"
        if self.dated == self.filled:
            return "date"
        if self.leading_zeros and len(self.forms) == 1 and (form := next(iter(self.forms))).isdigit():
            return f"code of {len(form)} digits"
        return "number" if self.numbers(marks) == self.filled else "text"

    def digits(self) -> int:
        """Of every cell, where all are digits alone and have as many; else 0."""
        form = next(iter(self.forms), "")
        return len(form) if len(self.forms) == 1 and form.isdigit() and len(form) < FORM_LIMIT else 0

    def odd_cells(self, marks: Marks) -> tuple[str, list[str], int]:
        """What nearly all cells are, the first of those that are not, and how many; empty if nothing stands out."""
        for kind, fits, count in (
            ("dates", is_date, self.dated),
            ("numbers", lambda form: is_number(form, marks), self.numbers(marks)),
        ):
            odd = self.filled - count
            if odd and count >= 3 and odd <= max(1, self.filled // 10):
                return kind, [cell for form, cell in self.examples.items() if not fits(form)][:3], odd
        return "", [], 0

    def date_formats(self) -> list[str]:
        """Every layout that reads all dates; two where day and month could change places, none where they do."""
        layouts = [f"{order}{clock}" for order in (*_DATE_ORDERS, *_SHORT_ORDERS) for clock in _CLOCKS]
        cells = {*self.dates, self.last_date}
        return [layout for layout in layouts if self.dates and all(_parses(cell, layout) for cell in cells)]

    def ends(self, layout: str) -> tuple[str, str]:
        """First and last date by a layout that reads all of them, in ISO form."""
        moments = [datetime.strptime(cell, layout) for cell in (*self.dates, self.last_date)]
        aware = [one if one.tzinfo else one.replace(tzinfo=UTC) for one in moments]
        return min(aware).isoformat(), max(aware).isoformat()

    def decimals(self, marks: Marks) -> int:
        """How many digits stand behind the decimal mark, where all of at least MANY numbers have as many; else 0."""
        if self.has_powers():
            return 0
        seen = {len(form.partition(marks[0])[2]) for form in self.forms}
        return seen.pop() if len(seen) == 1 and self.filled >= MANY else 0


@cache
def is_number(form: str, marks: Marks) -> bool:
    return exact_number(form, decimal=marks[0], thousands=marks[1], exponents=SMALL in form) is not None


def marks_of(columns: list[Column]) -> Marks:
    """One pair for the whole file, because a file is written by one program: the one that explains most."""

    def explained(marks: Marks) -> tuple[int, int]:
        whole = sum(1 for column in columns if column.filled and column.numbers(marks) == column.filled)
        return whole, sum(column.numbers(marks) for column in columns)

    return max(MARKS, key=explained)


def are_ambiguous(columns: list[Column]) -> bool:
    """Whether every number with a mark could be read two ways, as 1.234 can."""
    pairs = ((".", ""), (",", ".")), ((",", ""), (".", ","))
    marked = [column for column in columns if column.filled and column.has_marks()]
    return any(all(one.numbers(marks) == one.filled for marks in pair) for one in marked for pair in pairs)


def _parses(cell: str, layout: str) -> bool:
    try:
        datetime.strptime(cell, layout)
    except ValueError:
        return False
    return True
