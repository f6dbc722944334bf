"""How many earlier reports a fix leaves as they were, in a sentence; and what is no difference at all."""

import pytest

from bot.work.replay import counted, is_same
from sandbox.outcome import CheckTally, Crashed, Report


@pytest.mark.parametrize(
    ("count", "other", "begins"),
    [
        (12, 1, "11 of 12 earlier reports identical, 1 differs."),
        (12, 3, "9 of 12 earlier reports identical, 3 differ."),
        (12, 0, "All 12 earlier reports are identical."),
        (1, 0, "The earlier report is identical."),
        (1, 1, "The earlier report would be different with this version."),
    ],
)
def test_the_first_line_counts_what_is_identical(count: int, other: int, begins: str) -> None:
    assert counted(count, other).startswith(begins)


BEFORE = Report("# 3 errors", metrics={"errors": 3}, checks=(CheckTally("OddFile", 1),), seconds=1.0)


@pytest.mark.parametrize(
    ("now", "same"),
    [
        (Report("# 3 errors", metrics={"errors": 3, "more": 1}, checks=(), seconds=9.0), True),
        (Report("# 4 errors", metrics={"errors": 3}), False),
        (Report("# 3 errors", metrics={"errors": 4}), False),
        (Crashed("ValueError", "no", "", 3), False),
    ],
    ids=["a metric and a check of one version", "another text", "another number", "no report"],
)
def test_reports_are_identical_in_what_a_reader_sees(now: Report, same: bool) -> None:
    assert is_same(BEFORE, now) is same
