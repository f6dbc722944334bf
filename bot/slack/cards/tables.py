"""Tables and charts as Slack draws them, and as CSV files where Slack cannot show all of it."""

import json
import math
import re
from collections.abc import Sequence

import slackblocks as sb

from bot.domain.views import Chart, Table
from bot.slack.cards.blocks import NOTHING, weight
from bot.slack.text import clip, units

COLUMNS = 20
ROWS = 99  # Slack's 100 with the header
CELL = 200
POINTS, SERIES, LABEL = 20, 12, 20

_NUMBER = re.compile(r"[-+]?\s?[$€£¥]?\s?[\d\s.,'\u00a0\u202f]*\d\s?%?")


def table_block(table: Table, room: int) -> tuple[sb.TableBlock | None, int]:
    """A native table of as many rows as `room` characters hold, and how many rows it shows."""
    width = min(len(table.columns), COLUMNS)
    if not width:
        return None, 0
    columns = [_column(table, n) for n in range(width)]
    rows = [_cells([clip(name, CELL) or NOTHING for name in table.columns[:width]])]
    left = room - weight([sb.TableBlock(rows, column_settings=columns)])
    for row in table.rows[:ROWS]:
        shown = _cells([clip(cell, CELL) or NOTHING for cell in (*row, *[""] * width)[:width]])
        left -= _cost(shown)
        if left < 0:
            break
        rows.append(shown)
    if len(rows) < min(2, 1 + len(table.rows)) or (left < 0 and len(rows) == 1):
        return None, 0
    return sb.TableBlock(rows, column_settings=columns), len(rows) - 1


def is_clipped(table: Table) -> bool:
    """Whether Slack's table cannot show every cell of this one in full."""
    return len(table.columns) > COLUMNS or any(units(cell) > CELL for row in table.rows for cell in row)


def _cells(texts: Sequence[str]) -> list[sb.RawText | sb.RichTextObject]:
    return [sb.RawText(words) for words in texts]


def _cost(cells: Sequence[sb.RawText | sb.RichTextObject]) -> int:
    """What a row adds to a table, as `weight` counts it: its JSON, and the comma before it."""
    made = [cell._resolve() for cell in cells]
    return units(json.dumps(made, ensure_ascii=False, separators=(",", ":"))) + 1


def _column(table: Table, number: int) -> sb.ColumnSettings:
    cells = [row[number] for row in table.rows if number < len(row) and row[number]]
    is_number = bool(cells) and all(_NUMBER.fullmatch(cell.strip()) for cell in cells)
    return sb.ColumnSettings(align="right" if is_number else "left", is_wrapped=True)


def chart_block(chart: Chart) -> sb.DataVisualizationBlock | None:
    """A native chart, or None where Slack's limits do not allow this one."""
    labels = [clip(label, LABEL) or NOTHING for label in chart.labels]
    names = [clip(name, LABEL) or NOTHING for name, _ in chart.series]
    if not _fits(chart, labels, names):
        return None
    series = [
        sb.DataSeries(name, [sb.DataPoint(label, value) for label, value in zip(labels, values, strict=True)])
        for name, (_, values) in zip(names, chart.series, strict=True)
    ]
    kind = sb.LineChart if chart.kind == "line" else sb.BarChart
    return sb.DataVisualizationBlock(clip(chart.title, 50) or NOTHING, kind(series, sb.AxisConfig(labels)))


def _fits(chart: Chart, labels: Sequence[str], names: Sequence[str]) -> bool:
    return (
        1 <= len(labels) <= POINTS
        and 1 <= len(names) <= SERIES
        and len(set(labels)) == len(labels)
        and len(set(names)) == len(names)
        and all(len(values) == len(labels) for _, values in chart.series)
        and all(math.isfinite(value) for _, values in chart.series for value in values)
    )


def as_table(chart: Chart) -> Table:
    """A chart's values, for where it cannot be drawn."""
    rows = [
        (label, *(f"{values[n]:g}" if n < len(values) else "" for _, values in chart.series))
        for n, label in enumerate(chart.labels)
    ]
    return Table(chart.title, ("", *(name for name, _ in chart.series)), tuple(rows))
