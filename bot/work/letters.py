"""A report as a mail: HTML and plain text of the same content, charts drawn in it, nothing loaded from elsewhere."""

import re
from dataclasses import replace
from html import escape

from markdown_it import MarkdownIt

from bot.domain.csv_text import csv_file
from bot.domain.ports import Letter
from bot.domain.views import Chart, ReportView, Table

STYLE = (
    "body{font:15px/1.5 system-ui,sans-serif;color:#1d1c1d;max-width:44em;margin:1em auto}"
    "table{border-collapse:collapse;margin:1em 0}td,th{padding:.3em .8em;border-bottom:1px solid #ddd;text-align:left}"
    "td.n{text-align:right}footer,p.more{color:#616061;font-size:13px}footer{margin-top:2em}"
    "td.bar{min-width:12em}td.bar div{background:#3f7d6b;height:.9em}td.bar div.below{background:#b5533c}"
)
ROWS = 100
"""Rows of a table in the mail itself; a longer one is attached whole."""

POINTS = 60
"""Labels of a chart that are drawn; of more the first are, and all values are attached."""

# Raw HTML, links and pictures of a report stay text: nothing in a mail may lead or load from elsewhere.
_MARKDOWN = MarkdownIt("commonmark", {"html": False}).disable(["link", "image", "autolink"])
_NUMBER = re.compile(r"[-+]?[\d,]+(?:\.\d+)?(?: ?%)?")


def letter(
    view: ReportView, to: tuple[str, ...], message_id: str, attachments: tuple[tuple[str, bytes], ...]
) -> Letter:
    """`message_id` names this one sending; the mail carries it so that a recipient's server can see doubles."""
    whole = _whole_tables(view, {name for name, _ in attachments})
    return Letter(
        message_id=message_id,
        to=to,
        subject=" ".join(view.title.split()),
        text=_text(view, whole),
        html=_html(view, whole),
        attachments=(*attachments, *whole.values()),
    )


def in_words(view: ReportView) -> str:
    """The report as plain text alone, for where no file can follow; a long table says how much of it is shown."""
    return _text(view, {})


def without_files(full: Letter) -> Letter:
    """The same for a mail server that takes none so large; the mail says what is missing."""
    names = ", ".join(name for name, _ in full.attachments)
    note = f"Without its files ({names}): together they are more than the mail server takes. Ask in Slack for them."
    html = full.html.replace("<footer>", f'<p class="more">{escape(note)}</p><footer>', 1)
    return replace(full, text=f"{note}\n\n{full.text}", html=html, attachments=())


Whole = dict[str, tuple[str, bytes]]
"""Attached CSV files by the title of what does not stand in the mail in full."""


def _whole_tables(view: ReportView, taken: set[str]) -> Whole:
    found: Whole = {}
    long = [table for table in view.tables if len(table.rows) > ROWS]
    long += [_as_table(chart) for chart in view.charts if len(chart.labels) > POINTS]
    for number, table in enumerate(long, 1):
        name, data = csv_file(table, number)
        if name in taken:
            name = f"{name.removesuffix('.csv')}-{number}.csv"
        taken.add(name)
        found[f"{table.title}:{len(table.rows)}"] = (name, data)
    return found


def _more(title: str, count: int, shown: int, whole: Whole) -> str:
    """Where the rest is; empty where nothing is missing."""
    if count <= shown:
        return ""
    file = whole.get(f"{title}:{count}")
    return f"{shown} of {count} shown; all of them are in {file[0] if file else 'the report itself'}."


_BOLD = re.compile(r"\*\*(\S(?:[^*\n]*\S)?)\*\*")  # only stars to whoever reads plain text


def _text(view: ReportView, whole: Whole) -> str:
    charts = [_text_table(_as_table(chart), POINTS, whole) for chart in view.charts]
    tables = [_text_table(table, ROWS, whole) for table in view.tables]
    foot = [f"-- \n{view.foot}"] if view.foot else []
    return "\n\n".join([_BOLD.sub(r"\1", view.markdown.strip()), *charts, *tables, *foot]) + "\n"


def _text_table(table: Table, most: int, whole: Whole) -> str:
    rows = [table.columns, *table.rows[:most]]
    widths = [max(len(row[i]) for row in rows) for i in range(len(table.columns))]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
    more = _more(table.title, len(table.rows), min(most, len(table.rows)), whole)
    return "\n".join([table.title, *lines, *([more] if more else [])])


def _html(view: ReportView, whole: Whole) -> str:
    charts = "".join(_html_chart(chart, whole) for chart in view.charts)
    tables = "".join(_html_table(table, whole) for table in view.tables)
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{escape(view.title)}</title>'
        f"<style>{STYLE}</style></head><body>"
        f"<h2>{escape(view.title)}</h2>{_MARKDOWN.render(view.markdown)}{charts}{tables}"
        f"<footer>{escape(view.foot)}</footer></body></html>"
    )


def _html_table(table: Table, whole: Whole) -> str:
    head = "".join(f"<th>{escape(name)}</th>" for name in table.columns)
    body = "".join("<tr>" + "".join(_cell(cell) for cell in row) + "</tr>" for row in table.rows[:ROWS])
    more = _more(table.title, len(table.rows), min(ROWS, len(table.rows)), whole)
    return f"<h3>{escape(table.title)}</h3><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>" + (
        f'<p class="more">{escape(more)}</p>' if more else ""
    )


def _cell(cell: str) -> str:
    kind = ' class="n"' if _NUMBER.fullmatch(cell) else ""
    return f"<td{kind}>{escape(cell)}</td>"


def _html_chart(chart: Chart, whole: Whole) -> str:
    """Bars made of table cells: pictures would be blocked or fetched, and a reader that speaks reads the values."""
    values = [abs(value) for _, series in chart.series for value in series]
    largest = max(values, default=0.0) or 1.0
    rows = [
        _bar(label if number == 0 else "", name if len(chart.series) > 1 else "", series[at], largest)
        for at, label in enumerate(chart.labels[:POINTS])
        for number, (name, series) in enumerate(chart.series)
        if at < len(series)
    ]
    more = _more(chart.title, len(chart.labels), min(POINTS, len(chart.labels)), whole)
    return f'<h3>{escape(chart.title)}</h3><table class="chart">{"".join(rows)}</table>' + (
        f'<p class="more">{escape(more)}</p>' if more else ""
    )


def _bar(label: str, name: str, value: float, largest: float) -> str:
    share = round(abs(value) / largest * 100)
    below = ' class="below"' if value < 0 else ""
    return (
        f"<tr><td>{escape(label)}</td><td>{escape(name)}</td>"
        f'<td class="bar"><div{below} style="width:{share}%"></div></td><td class="n">{value:,g}</td></tr>'
    )


def _as_table(chart: Chart) -> Table:
    """A chart's values, one row a label."""
    rows = [
        (label, *(f"{series[at]:g}" if at < len(series) else "" for _, series in chart.series))
        for at, label in enumerate(chart.labels)
    ]
    return Table(chart.title, ("", *(name for name, _ in chart.series)), tuple(rows))
