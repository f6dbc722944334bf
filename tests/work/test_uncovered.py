"""A report that begins long after the one before it ended says so in channel and mail."""

from __future__ import annotations

from bot.domain.uncovered import FIRST, NEWEST
from sandbox.outcome import Report
from tests.approval.hands import finish, next_monday, press, proposed, send
from tests.approval.stage import Stage


def mailed(stage: Stage, first: float, newest: float) -> str:
    """The mail of the next Monday, over entries from `first` to `newest` days before it."""
    assert finish(stage, next_monday(stage), Report("17 errors", metrics={FIRST: first, NEWEST: newest}))
    send(stage)
    text: str = stage.post.taken[-1].text
    return text


def test_days_in_no_report_are_said_where_they_are_missing_and_only_there(stage: Stage) -> None:
    press(stage, proposed(stage))

    first, second, third = (mailed(stage, *days) for days in ((14.25, 7.25), (7.25, 0.25), (7.0, 0.0)))

    assert "is in no report" in second and "17 errors" in second
    assert "is in no report" not in first + third
