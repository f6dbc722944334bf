"""A report: what it says, one native table, native charts, and as files whatever one message cannot hold."""

from dataclasses import dataclass, field

import slackblocks as sb

from bot.domain.counts import counted
from bot.domain.csv_text import csv_file
from bot.domain.views import Chart, ReportView, Table
from bot.slack.cards.blocks import (
    MESSAGE_WEIGHT,
    Rendered,
    foot,
    header,
    message,
    note,
    paragraph,
    text,
    weight,
)
from bot.slack.cards.markdown import rich_blocks
from bot.slack.cards.tables import as_table, chart_block, is_clipped, table_block
from bot.slack.text import clip, fallback

MOST_BLOCKS = 40
PREVIEW_BLOCKS = 12
MOST_CHARTS = 2
WORDS_ROOM = 6_000
CUT_NOTE = 260  # characters of the line that says where the rest of a table is
# Characters for title, foot and the names of files: as few as most reports need, then as many as any does.
AROUND = (700, 1_500, 4_500)


@dataclass
class Sheet:
    """A report being laid out: what fits, and what goes into files. Slack allows one table a message."""

    room: int
    is_preview: bool = False
    is_cut: bool = False
    blocks: list[sb.Block] = field(default_factory=list)
    files: list[tuple[str, bytes]] = field(default_factory=list)
    has_table: bool = False
    charts: int = 0

    def has_places(self, number: int) -> bool:
        return len(self.blocks) + number <= (PREVIEW_BLOCKS if self.is_preview else MOST_BLOCKS)

    def add(self, block: sb.Block) -> bool:
        cost = weight([block])
        if cost > self.room or not self.has_places(1):
            return False
        self.blocks.append(block)
        self.room -= cost
        return True


def render(view: ReportView) -> Rendered:
    """The report as one message; what is missing from it is in the files, and the message says so."""
    layouts = (_laid_out(view, MESSAGE_WEIGHT - around) for around in AROUND)
    blocks, files = next(one for one in layouts if weight(one[0]) <= MESSAGE_WEIGHT)
    words = fallback(f"{view.title}\n{view.markdown}", 1_000)
    return Rendered(text=words, blocks=message(blocks), files=tuple(files))


def _laid_out(view: ReportView, room: int) -> tuple[list[sb.Block], list[tuple[str, bytes]]]:
    sheet = lay_out(view, room, WORDS_ROOM)
    blocks: list[sb.Block] = [header(view.title), *sheet.blocks]
    if sheet.files:
        names = ", ".join(name for name, _ in sheet.files)
        blocks.append(note(f"In full in this thread: {names}"))
    if view.foot:
        blocks.append(foot(clip(view.foot, 600)))
    return blocks, sheet.files


def lay_out(view: ReportView, room: int, words_room: int, *, is_preview: bool = False) -> Sheet:
    """Words first, then charts, then tables, as far as the room goes; the rest becomes files (not in a preview)."""
    sheet = Sheet(room=min(room, words_room), is_preview=is_preview)
    for block in rich_blocks(view.markdown):
        if not sheet.add(block):
            _cut_words(sheet, view.markdown)
            break
    sheet.room += room - min(room, words_room)
    for chart in view.charts:
        _add_chart(sheet, chart)
    for table in view.tables:
        _add_table(sheet, table)
    return sheet


def _cut_words(sheet: Sheet, markdown: str) -> None:
    sheet.is_cut = True
    if not sheet.is_preview:
        sheet.files.append(("report.md", markdown.encode("utf-8", "replace")))
        sheet.blocks.append(note("… the report goes on in report.md."))


def _add_chart(sheet: Sheet, chart: Chart) -> None:
    block = chart_block(chart) if sheet.charts < MOST_CHARTS else None
    if block is not None and sheet.add(block):
        sheet.charts += 1
        return
    how = f"is drawn in {clip(chart.picture, 60)} in this thread" if chart.picture else "does not fit here"
    _as_file(sheet, as_table(chart), f"The chart “{clip(chart.title, 80)}” {how}; its values are in")


def _add_table(sheet: Sheet, table: Table) -> None:
    title = [paragraph(text(clip(table.title, 150), bold=True))] if table.title else []
    room = sheet.room - weight(title) - CUT_NOTE
    block, shown = (None, 0) if sheet.has_table or not sheet.has_places(2) else table_block(table, room)
    if block is None:
        _as_file(sheet, table, f"The table “{clip(table.title, 80)}” ({counted(len(table.rows), 'row')}) is in")
        return
    for one in (*title, block):
        added = sheet.add(one)
        assert added, "it was made for this room"
    sheet.has_table = True
    if shown < len(table.rows) or is_clipped(table):
        _as_file(sheet, table, f"{shown} of {counted(len(table.rows), 'row')} shown; the whole table is in")


def _as_file(sheet: Sheet, table: Table, words: str) -> None:
    sheet.is_cut = True
    if sheet.is_preview:
        return
    name, data = csv_file(table, len(sheet.files) + 1)
    taken = {other for other, _ in sheet.files}
    if name in taken:
        name = f"{name.removesuffix('.csv')}-{len(sheet.files) + 1}.csv"
    sheet.files.append((name, data))
    line = note(f"{words} {name}.")
    if len(sheet.blocks) < MOST_BLOCKS + 4:
        sheet.blocks.append(line)
        sheet.room -= weight([line])
