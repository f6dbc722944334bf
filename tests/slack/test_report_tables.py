"""A table of a report stands whole in its message as long as there is room, and never goes missing without a word."""

from __future__ import annotations

from bot.domain.views import ReportView, Table
from bot.slack.cards import render
from bot.slack.cards.blocks import MESSAGE_WEIGHT, weight
from tests import views

COLUMNS = ("rank", "name", "rows", "revenue", "costs", "net", "margin")
WORDS = """**Net margin of 30 files**, best shop-aa (31.00 %), worst shop-ef (2.00 %); all together 16.50 %.

- Making a loss: none
- 72,000,000 rows of 2025-01-01 to 2025-12-01, posted 2026-11-30 to 2026-11-30
"""


def ranked(rows: int) -> ReportView:
    """Thirty subsidiaries with so many rows each."""
    cells = tuple(
        (
            str(rank),
            f"shop-{rank:02d}",
            f"{rows:,}",
            *(f"{rows * 4_781:,}.00" for _ in range(3)),
            f"{32 - rank}.00 %",
        )
        for rank in range(1, 31)
    )
    return views.report(
        title="Ranked margin", markdown=WORDS, charts=(), tables=(Table("Net margin, best first", COLUMNS, cells),)
    )


def rows_of(view: ReportView) -> int:
    card = render(view)
    assert weight(card.blocks) <= MESSAGE_WEIGHT
    return sum(len(block["rows"]) - 1 for block in card.blocks if block["type"] == "table")


def test_thirty_subsidiaries_stand_in_one_message_however_long_their_numbers_are() -> None:
    for rows in (2_400, 240_000, 2_400_000):
        assert rows_of(ranked(rows)) == 30
        assert render(ranked(rows)).files == ()


def test_cells_that_take_twice_their_room_are_cut_with_a_word_and_the_whole_is_a_file() -> None:
    quoted = tuple(tuple('"' * 40 for _ in range(6)) for _ in range(99))
    view = views.report(charts=(), tables=(Table("Quoted", tuple("abcdef"), quoted),))

    shown = rows_of(view)

    assert 10 < shown < 99
    [(name, data)] = render(view).files
    assert len(data.splitlines()) == 100
    assert any(f"{shown} of 99 rows shown; the whole table is in {name}" in str(block) for block in render(view).blocks)


def test_a_table_that_has_no_room_at_all_is_a_file_that_is_named() -> None:
    wide = Table("Wide", tuple('"' * 200 for _ in range(20)), (tuple('"' * 200 for _ in range(20)),))
    view = views.report(charts=(), tables=(wide,))

    assert rows_of(view) == 0
    [(name, _)] = render(view).files
    assert any(f"The table “Wide” (1 row) is in {name}" in str(block) for block in render(view).blocks)
