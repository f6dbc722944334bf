"""What was written into a form is used whole, or the person who wrote it is told why not."""

import pytest

from bot.domain.answers import EXAMPLES, SCHEDULE, problem

TIME = "07:00"
EACH = EXAMPLES.removeprefix("For example: ").rstrip(".").split("; ")


@pytest.mark.parametrize("value", [*EACH, "once, now", "the 15th of each month", "daily at 19:00 Europe/Oslo please"])
def test_a_time_that_comes_back_is_taken(value: str) -> None:
    assert problem(SCHEDULE, value, TIME) == ""


@pytest.mark.parametrize(
    ("value", "other"),
    [("every Monday at 9, only October", "“only October”"), ("weekdays at 9, without north", "“without north”")],
)
def test_what_is_no_part_of_a_time_is_said_and_not_dropped(value: str, other: str) -> None:
    assert other in problem(SCHEDULE, value, TIME)


def test_what_is_no_time_at_all_gets_examples() -> None:
    assert problem(SCHEDULE, "whenever you like", TIME).endswith(EXAMPLES)
