"""Rows that add up other rows: told by a word in them, or by adding up."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal

# In the languages of the labs we know. A whole cell of them, or one that begins so and stands nearly alone in its row.
TOTAL_WORDS = (
    *("total", "totals", "totalt", "totale", "totales", "totaal", "totalsum", "total général", "total general"),
    *("sum", "sums", "summe", "summa", "suma", "soma", "somme", "sum total", "total sum", "delsum", "delsumma"),
    *("subtotal", "sub-total", "sub total", "grand total", "overall total"),
    *("gesamt", "gesamtsumme", "gesamtbetrag", "zwischensumme", "endsumme", "insgesamt", "i alt", "ialt", "samlet"),
    *("yhteensä", "razem", "celkem", "összesen", "итого", "всего", "合計", "合计", "总计", "小计", "총계"),
    # As sheets write them below their own tables, and others that begin with no word above.
    *("gesamtergebnis", "eindtotaal", "totaal generaal", "totalsumma", "hovedtotal", "totale complessivo"),
    *("totale generale", "total geral", "suma total", "suma końcowa", "kaikki yhteensä", "celkový součet", "végösszeg"),
    *("genel toplam", "toplam", "общий итог", "итог", "総計", "grand-total", "in total", "slutsum", "sluttsum"),
)
# Behind a name in the same cell, as sheets write subtotals; "sum" is not here, as a lump sum is an entry.
_END_WORDS = (
    *("total", "totals", "totalt", "totale", "totaal", "subtotal", "sub-total", "summe", "summa", "suma", "ergebnis"),
    *("gesamt", "razem", "celkem", "yhteensä", "összesen", "toplam", "итог", "итого", "集計", "汇总"),
)
_ENDS = re.compile(rf"[\w).] (?:{'|'.join(map(re.escape, _END_WORDS))})\W*$", re.I)
# One search instead of one a word. What may follow: nothing, a year, a currency, brackets, or the like.
_BEGINS = re.compile(rf"\W*(?:{'|'.join(sorted(map(re.escape, TOTAL_WORDS), key=len, reverse=True))})(?!\w)", re.I)
_REST = re.compile(r"\W*(?:[\(\[:=].*|\d{4}\b.*|NOK|SEK|DKK|EUR|USD|GBP|CHF|JPY|%|[$€£¥])?\W*")
_NUMBER = re.compile(r"[\d\s.,'%$€£¥()+\u2212-]*")
# In SQL and without case; what it finds is looked at by is_total. RE2 has no look-ahead.
LIKE_A_TOTAL = (
    rf"(?i)^\W*({'|'.join(map(re.escape, TOTAL_WORDS))})([^\pL\pN_]|$)"
    rf"|[\pL\pN_).] ({'|'.join(map(re.escape, _END_WORDS))})\W*$"
)
FIRST_LETTERS = frozenset(word[0] for word in TOTAL_WORDS) | frozenset(word[0].upper() for word in TOTAL_WORDS)
BY_CHANCE = 4  # numbers of a single column that one of them may add up to by chance


def is_total(cells: Sequence[str]) -> bool:
    """Whether a cell says that this row adds up others."""
    has_gap = "" in cells
    for cell in cells:
        if has_gap and " " in cell and _ENDS.search(cell) and _stands_alone(cell, cells):
            return True
        if not cell or (cell[0] not in FIRST_LETTERS and cell[0].isalnum()):
            continue
        found = _BEGINS.match(cell)
        if found and (_REST.fullmatch(cell, found.end()) or _stands_alone(cell, cells)):
            return True
    return False


def adds_up(last: Sequence[Decimal | None], sums: Sequence[Decimal | float], rows: int) -> bool:
    """Whether each of the last row's numbers is what all rows above it come to. `sums` are over all rows."""
    filled = [(one, total) for one, total in zip(last, sums, strict=True) if one]
    if rows < 3 or not filled or (len(filled) == 1 and rows <= BY_CHANCE):
        return False
    return all(_same(2 * one, total) for one, total in filled)


def _same(one: Decimal, total: Decimal | float) -> bool:
    """A sum of floats is not exact, so what comes near it is to be looked at."""
    if isinstance(total, Decimal):
        return one == total
    return abs(float(one) - total) <= 1e-9 * abs(total)


def _stands_alone(cell: str, cells: Sequence[str]) -> bool:
    """Whether beside it the row has only numbers, and at least one empty cell."""
    others = [one for one in cells if one is not cell]
    return any(not one.strip() for one in others) and all(_NUMBER.fullmatch(one) for one in others)
