"""What a script declares. It sends nothing: Standby delivers what was declared, after all checks passed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any

from .picture import draw
from .state import current

Cell = str | int | float | Decimal | None
TABLE_ROWS = 2_000
CHART_POINTS = 10_000
DECLARATIONS = 200  # of each sort; more is no report but data, and belongs into an attachment
ATTACHMENTS = 50
# What Slack draws natively: so many charts in a message, points and series; beyond that a picture is drawn.
NATIVE_CHARTS, NATIVE_POINTS, NATIVE_SERIES = 2, 20, 12


def metric(name: str, number: float | Decimal) -> None:
    """A number kept per slot, so that later runs can compare."""
    metrics = current().declared.metrics
    metrics[_text(name)] = _number(number)
    _refuse_more("metrics", len(metrics))


def intermediate(name: str, count: float | Decimal, unit: str) -> None:
    """The size of something the script handled and the conversation never sees."""
    intermediates = current().declared.intermediates
    intermediates.append({"name": _text(name), "count": _number(count), "unit": _text(unit)})
    _refuse_more("intermediates", len(intermediates))


def report(**values: str | int | float | Decimal) -> None:
    """Fills report.md. Every placeholder needs a value and every value a placeholder; called once."""
    declared = current().declared
    if declared.values is not None:
        raise ValueError("report() was called twice; a run has one report.")
    declared.values = {name: _written(value) for name, value in values.items()}


def table(title: str, columns: Sequence[str], rows: Iterable[Sequence[Cell]]) -> None:
    """A table of at most 2,000 rows below the report's text; more belongs into an attachment."""
    cells = [[_cell(cell) for cell in row] for row in rows]
    if len(cells) > TABLE_ROWS:
        raise ValueError(f"Table {title!r} has {len(cells)} rows; at most {TABLE_ROWS}. Attach a file instead.")
    odd = next((row for row in cells if len(row) != len(columns)), None)
    if odd is not None:
        raise ValueError(f"Table {title!r} has {len(columns)} columns and a row with {len(odd)} cells: {odd}")
    tables = current().declared.tables
    tables.append({"title": _text(title), "columns": [_text(one) for one in columns], "rows": cells})
    _refuse_more("tables", len(tables))
    _refuse_more("columns", len(columns))


def chart(title: str, labels: Sequence[str], series: Mapping[str, Sequence[float]], kind: str = "bar") -> None:
    """A bar or line chart; each series has one value per label.

    One that Slack cannot draw itself is drawn here, and attached as a picture.
    """
    if kind not in ("bar", "line"):
        raise ValueError(f"A chart is a bar or a line chart, not {kind!r}.")
    if len(labels) > CHART_POINTS or any(len(values) != len(labels) for values in series.values()):
        raise ValueError(f"Chart {title!r}: each series needs one value for each of {len(labels)} labels.")
    named = [{"name": _text(name), "values": [_number(one) for one in values]} for name, values in series.items()]
    charts = current().declared.charts
    made = {"title": _text(title), "kind": kind, "labels": [_text(one) for one in labels], "series": named}
    charts.append({**made, "picture": _picture(made, len(charts) + 1)})
    _refuse_more("charts", len(charts))
    _refuse_more("series", len(named))


def attach(name: str, path: Path | str) -> None:
    """A file the script wrote below outputs/, to be delivered under this name."""
    relative = Path(path)
    if relative.is_absolute() or ".." in relative.parts or relative.parts[:1] != ("outputs",):
        raise ValueError(f"{path} is not below outputs/; write attachments there.")
    if not relative.is_file():
        raise FileNotFoundError(f"{path} does not exist, so it cannot be attached.")
    attachments = current().declared.attachments
    attachments.append({"name": _text(name), "path": relative.as_posix()})
    _refuse_more("attachments", len(attachments), ATTACHMENTS)


def _picture(made: dict[str, Any], number: int) -> str:
    """The name of its picture; empty where Slack draws it, or nothing here can."""
    if number <= NATIVE_CHARTS and len(made["labels"]) <= NATIVE_POINTS and len(made["series"]) <= NATIVE_SERIES:
        return ""
    name = f"chart-{number}.png"
    if not draw(made, Path("outputs") / name):
        return ""
    attach(name, f"outputs/{name}")
    return name


def _refuse_more(what: str, count: int, limit: int = DECLARATIONS) -> None:
    if count > limit:
        raise ValueError(f"The script declared more than {limit} {what}.")


def _written(value: str | int | float | Decimal) -> str:
    if isinstance(value, str):
        return value
    return f"{value:,}" if isinstance(value, int | Decimal) else f"{value:,.6g}"


def _cell(cell: Cell) -> str | int | float | None:
    if isinstance(cell, Decimal):
        return f"{cell:,}"
    if cell is None or isinstance(cell, int):
        return cell
    return _number(cell) if isinstance(cell, float) else _text(cell, 4_000)


def _number(number: float | Decimal) -> float:
    """Whole numbers stay whole; NaN and infinity are no result."""
    if isinstance(number, bool) or not isinstance(number, int | float | Decimal):
        raise TypeError(f"{number!r} is no number.")
    if isinstance(number, int):
        return number
    if not Decimal(number).is_finite():
        raise ValueError(f"{number} is no result; check for it before declaring it.")
    return float(number)


def _text(text: str, limit: int = 1_000) -> str:
    if not isinstance(text, str):
        raise TypeError(f"{text!r} is no text.")
    if len(text) > limit:
        raise ValueError(f"A text of {len(text)} characters begins {text[:40]!r}; at most {limit} fit here.")
    return text
