"""Routines of one script are told apart by what was asked for, wherever their titles stand."""

import pytest

from bot.domain.accounted import gist
from bot.domain.routine_names import told_apart


@pytest.mark.parametrize(
    ("asked", "title"),
    [
        (
            "<@U1> every Monday at 7 rank the machines by hours and email it to the lab list",
            "rank the machines by hours",
        ),
        ("top 5 machines by hours, every Friday at 16:00, mail to a@b.org", "top 5 machines by hours"),
        ("daily", ""),
    ],
)
def test_a_title_has_what_was_asked_for_where_the_name_has_only_a_number(asked: str, title: str) -> None:
    assert gist(asked) == title
    assert told_apart("Top list", "top-list-2", gist(asked)) == (f"Top list: {title}" if title else "Top list")
    assert told_apart("Top list", "top-list", gist(asked)) == "Top list"


def test_a_long_request_is_cut_between_words() -> None:
    title = told_apart("Top list", "top-list-3", "rank " * 60)

    assert len(title) <= 90 and title.endswith("rank…")
