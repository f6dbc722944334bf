"""Which unnoticed change is worst: a wrong report that looks right comes before one that looks odd."""

from collections.abc import Iterable

from sandbox.hearing import Ear

WORST_FIRST: tuple[tuple[str, ...], ...] = (
    ("sent-again",),  # the same report once more
    ("log-of-the-week-before", "rows-of-the-week-before", "file-backup"),  # old data under a new name
    (
        "file-twice", "log-twice-in-one", "table-twice-in-one", "rows-twice", "records-twice", "typed-rows-twice",
        "log-overlaps", "rows-overlap",
    ),  # something counts twice
    ("file-missing", "file-empty", "file-rotated", "html-instead", "header-only", "document-error"),  # a file does not
    (
        "log-ends-early", "log-days-missing", "ends-early", "days-missing", "truncated", "first-page-only",
        "rows-sampled", "lines-sampled", "sheet-hidden-rows", "column-dropped", "silent-while-busy",
        "records-first-page", "typed-first-page", "document-cut", "typed-cut", "record-key-missing",
    ),  # a part of one is not
    (
        "unit-changed", "sheet-unit-changed", "record-unit-changed", "typed-unit-changed", "percent-scale",
        "sign-flipped", "columns-swapped", "outlier",
        "stuck-value", "zero-filled", "missing-as-nines", "day-and-month-swapped", "total-row", "sheet-total-row",
        "decimal-comma", "file-swapped",
    ),  # all is there, and the numbers are wrong
)  # fmt: skip
"""Ids of drifts, group by group; all others come after, in the order in which they were tried."""

_RANK = {drift: rank for rank, group in enumerate(WORST_FIRST) for drift in group}


def worst_first(ears: Iterable[Ear]) -> list[Ear]:
    """The same ears, the most serious first."""
    return sorted(ears, key=lambda ear: _RANK.get(ear.drift, len(WORST_FIRST)))
