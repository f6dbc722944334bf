"""A question about one number is told apart from every other sentence, and the number is read as people write it."""

from decimal import Decimal

import pytest

from bot.domain.why import is_shown_as, number_asked, value_of


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("why 41?", "41"), ("Why 41 errors?", "41"), ("where does 1,234 come from?", "1,234"),
        ("how come 12.5 %", "12.5"),
        ("what is -3", "-3"), ("but why 41", "41"), ("How did you get 1 234.50?", "1 234.50"), ("why is it 0?", "0"),
    ],
)  # fmt: skip
def test_one_number_is_asked_about(text: str, number: str) -> None:
    assert number_asked(text) == number


@pytest.mark.parametrize(
    "text",
    ["", "why?", "41", "why 41 and not 43?", "every Monday at 7", "make it 41", "why does spectro-07 fail?",
     "how many errors for pump B since 10 November?", "how many in the last 7 days?", "what are the top 5?",
     "what about 07:00?", "why not on 2026-12-07?", "why are there 41 of them while last week it said none at all"],
)  # fmt: skip
def test_everything_else_is_no_such_question(text: str) -> None:
    assert number_asked(text) == ""


@pytest.mark.parametrize(
    ("written", "value"),
    [("1,234", "1234"), ("1 234", "1234"), ("12,5", "12.5"), ("12.50", "12.50"), ("−3", "-3"), ("1'000'000", "1000000"),
     ("1,234.5", "1234.5"), ("4..1", None), ("", None)],
)  # fmt: skip
def test_numbers_are_read_as_people_write_them(written: str, value: str | None) -> None:
    assert value_of(written) == (Decimal(value) if value else None)


def test_a_value_is_found_as_it_was_shown() -> None:
    assert is_shown_as(12.4961, Decimal("12.5"))
    assert is_shown_as(41, Decimal(41))
    assert not is_shown_as(41.4, Decimal("41.5"))
    assert not is_shown_as(float("nan"), Decimal(1))
