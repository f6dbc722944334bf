"""What an approval says of the first report: also where the time that its card named has passed meanwhile."""

from __future__ import annotations

import pytest

from tests.approval.hands import press, proposed
from tests.approval.stage import Stage


@pytest.mark.parametrize(
    ("days", "said"),
    [
        (0, "First report: Mon 7 Dec 2026 07:00 Europe/Oslo."),
        (7, "First report: Mon 14 Dec 2026 07:00 Europe/Oslo. Mon 7 Dec 2026 07:00 has passed meanwhile and gets none"),
    ],
    ids=["at once", "after the slot that the card named"],
)
def test_an_approval_says_when_the_first_report_comes(stage: Stage, days: int, said: str) -> None:
    plan_id = proposed(stage)
    stage.time.pass_by(days=days)

    answer = press(stage, plan_id)

    assert said in answer.text
    assert ("“run now”" in answer.text) == (days > 0)
