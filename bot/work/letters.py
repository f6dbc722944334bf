"""A report as a mail: HTML and plain text of the same content, nothing loaded from elsewhere."""

import re
from html import escape

from markdown_it import MarkdownIt

from bot.domain.ports import Letter
from bot.domain.views import ReportView, Table

STYLE = (
    "body{font:15px/1.5 system-ui,sans-serif;color:#1d1c1d;max-width:44em;margin:1em auto}"
    "table{border-collapse:collapse;margin:1em 0}td,th{padding:.3em .8em;border-bottom:1px solid #ddd;text-align:left}"
    "td.n{text-align:right}footer{color:#616061;font-size:13px;margin-top:2em}"
)
# Raw HTML, links and pictures of a report stay text: nothing in a mail may lead or load from elsewhere.
_MARKDOWN = MarkdownIt("commonmark", {"html": False}).disable(["link", "image", "autolink"])
_NUMBER = re.compile(r"[-+]?[\d,]+(?:\.\d+)?(?: ?%)?")


def letter(
    view: ReportView, to: tuple[str, ...], message_id: str, attachments: tuple[tuple[str, bytes], ...]
) -> Letter:
    """`message_id` names this one sending; the mail carries it so that a recipient's server can see doubles."""
    return Letter(
        message_id=message_id,
        to=to,
        subject=" ".join(view.title.split()),
        text=_text(view),
        html=_html(view),
        attachments=attachments,
    )


def _text(view: ReportView) -> str:
    parts = [view.markdown.strip(), *(_text_table(table) for table in view.tables), f"-- \n{view.foot}"]
    return "\n\n".join(parts) + "\n"


def _text_table(table: Table) -> str:
    rows = [table.columns, *table.rows]
    widths = [max(len(row[i]) for row in rows) for i in range(len(table.columns))]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
    return "\n".join([table.title, *lines])


def _html(view: ReportView) -> str:
    tables = "".join(_html_table(table) for table in view.tables)
    return (
        f"<!doctype html><html><head><meta charset=utf-8><style>{STYLE}</style></head><body>"
        f"<h2>{escape(view.title)}</h2>{_MARKDOWN.render(view.markdown)}{tables}"
        f"<footer>{escape(view.foot)}</footer></body></html>"
    )


def _html_table(table: Table) -> str:
    head = "".join(f"<th>{escape(name)}</th>" for name in table.columns)
    body = "".join("<tr>" + "".join(_cell(cell) for cell in row) + "</tr>" for row in table.rows)
    return f"<h3>{escape(table.title)}</h3><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _cell(cell: str) -> str:
    kind = ' class="n"' if _NUMBER.fullmatch(cell) else ""
    return f"<td{kind}>{escape(cell)}</td>"
