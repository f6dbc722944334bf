"""What stands above an answer that is given once: what was not read of the question, and what was left out of it."""

import pytest

from bot.work.once import Answered, answer_view
from sandbox.outcome import Report

MISSED = "**Not read: “since May”. This is made from all of the data, without that.**"
WITHOUT = "**Without people.csv**: left out, as you said."


@pytest.mark.parametrize(
    ("not_read", "left_out", "words"),
    [
        ((), (), "3 categories"),
        ((), ("people.csv",), f"{WITHOUT}\n\n3 categories"),
        (("since May",), ("people.csv",), f"{MISSED}\n\n{WITHOUT}\n\n3 categories"),
    ],
    ids=["nothing", "a file", "both"],
)  # fmt: skip
def test_an_answer_says_above_its_numbers_what_it_is_made_without(
    not_read: tuple[str, ...], left_out: tuple[str, ...], words: str
) -> None:
    answered = Answered(
        "Totals", "existing script", "", Report("3 categories"), "", "", {}, not_read=not_read, left_out=left_out
    )

    assert answer_view(answered).markdown == words
