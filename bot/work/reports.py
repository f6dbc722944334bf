"""A report as people see it: from what the box made to the values that cards and mails are built from."""

from bot.domain.views import Chart, ReportView, Table
from library.manifest import Manifest
from sandbox.outcome import Cell, Report


def report_view(title: str, report: Report, foot: str = "") -> ReportView:
    """The whole report; nothing is left out here, cards say where they cut."""
    tables = tuple(
        Table(table.title, table.columns, tuple(tuple(cell_text(cell) for cell in row) for row in table.rows))
        for table in report.tables
    )
    charts = tuple(
        Chart(
            chart.title,
            chart.kind,
            chart.labels,
            tuple((one.name, tuple(float(value) for value in one.values)) for one in chart.series),
            chart.picture,
        )
        for chart in report.charts
    )
    return ReportView(title, report.markdown, tables, charts, foot)


def left_out(manifest: Manifest) -> tuple[str, ...]:
    """The files that a report is made without, as approved: once for its slot, or every time."""
    always = manifest.parameters.get("leave_out")
    once = manifest.only.leave_out if manifest.only else ()
    return (*once, *(str(name) for name in (always if isinstance(always, list) else ())))


def cell_text(cell: Cell) -> str:
    """Numbers with thousands separated, nothing for nothing, text as it is."""
    if cell is None:
        return ""
    return cell if isinstance(cell, str) else f"{cell:,}"
