"""What one run of a plan came to: a report, a surprise, a crash, or nothing at all."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

Number = int | float
Cell = str | int | float | None


@dataclass(frozen=True)
class Table:
    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]


@dataclass(frozen=True)
class Series:
    name: str
    values: tuple[Number, ...]


@dataclass(frozen=True)
class Chart:
    title: str
    kind: str  # "bar" or "line"
    labels: tuple[str, ...]
    series: tuple[Series, ...]
    picture: str = ""  # the name of the attachment that shows it, where Slack cannot draw it


@dataclass(frozen=True)
class Attachment:
    """A file that stays in the box until `StagedBox.fetch` copies it out."""

    name: str  # what people see; never used as a path
    path: str  # in the box, always inside outputs/
    size_bytes: int
    sha256: str


@dataclass(frozen=True)
class Intermediate:
    """A measured size of what the script held and the conversation never saw."""

    name: str
    count: Number
    unit: str


@dataclass(frozen=True)
class CheckTally:
    name: str
    times: int  # how often it was asked in this run, passed or not


@dataclass(frozen=True)
class Report:
    markdown: str
    tables: tuple[Table, ...] = ()
    charts: tuple[Chart, ...] = ()
    attachments: tuple[Attachment, ...] = ()
    metrics: Mapping[str, Number] = field(default_factory=dict)
    intermediates: tuple[Intermediate, ...] = ()
    checks: tuple[CheckTally, ...] = ()
    seconds: float = 0.0

    def same_as(self, other: Outcome) -> bool:
        """Equal in everything a reader could see; how long it took may differ."""
        return isinstance(other, Report) and replace(self, seconds=0.0) == replace(other, seconds=0.0)

    def document(self, rows_per_table: int = 60) -> str:
        """The whole report as Markdown: its text, then each table, cut in words where it is long."""
        return (
            "\n\n".join([self.markdown.strip(), *(_table_text(table, rows_per_table) for table in self.tables)]) + "\n"
        )


@dataclass(frozen=True)
class Surprised:
    """The script's own check found the world other than expected. Nothing may be delivered."""

    name: str
    message: str
    seen: str = ""
    expected: str = ""
    file: str = ""
    rows: tuple[str, ...] = ()  # at most three
    intermediates: tuple[Intermediate, ...] = ()
    checks: tuple[CheckTally, ...] = ()


@dataclass(frozen=True)
class Crashed:
    """The script failed as a program; a fault of the script, not of the world."""

    error: str
    message: str
    traceback: str = ""
    line: int = 0  # in plan.py, 0 if the failure stands nowhere in it


@dataclass(frozen=True)
class Lost:
    """The box left no readable outcome: infrastructure, to be run again on the same slot, never shown to a model."""

    why: str


Outcome = Report | Surprised | Crashed | Lost

KINDS: Mapping[type, str] = {Report: "report", Surprised: "surprise", Crashed: "crash"}
"""What outcome.json calls them; the runner in the box, which imports nothing of this, writes the same words."""


def _table_text(table: Table, limit: int) -> str:
    lines = [f"### {table.title}", "", _row(table.columns), _row(["---"] * len(table.columns))]
    lines += [_row(row) for row in table.rows[:limit]]
    if len(table.rows) > limit:
        lines += ["", f"({len(table.rows) - limit} more rows)"]
    return "\n".join(lines)


def _row(cells: tuple[Cell, ...] | tuple[str, ...] | list[str]) -> str:
    return "| " + " | ".join(_cell(cell) for cell in cells) + " |"


def _cell(cell: Cell) -> str:
    if cell is None:
        return ""
    if isinstance(cell, int):
        return f"{cell:,}"
    return str(cell).replace("|", "\\|").replace("\n", " ")
