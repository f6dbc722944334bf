"""A reply without a model: what was read in it is said, and so is what was not."""

from datetime import UTC, datetime

import pytest

from bot.domain.accounted import Heard, left_out
from bot.domain.request import guided, read
from bot.domain.taken_words import taken

MONDAY = datetime(2026, 12, 7, 6, tzinfo=UTC)
FILES = ("freezer-01.log", "freezer-02.log")
REPLIES = {
    "Count warnings too, and run at 08:30, skip holidays in Norway": (
        ("at 08:30", "skips public holidays in Norway"),
        ("Count warnings too",),
    ),
    "every Tuesday at 9, and also list warnings, and leave out freezer-01.log": (
        ("Tuesdays 09:00 Europe/Oslo", "leaves freezer-01.log out every time"),
        ("also list warnings",),
    ),
    "at 08:30 instead": (("at 08:30",), ()),
    "run it at 8 am please": (("at 08:00",), ()),
    "Mondays and Thursdays at 7, thanks": (("Mondays and Thursdays 07:00 Europe/Oslo",), ()),
    "every Monday at 7 and email it to boss@example.org": (
        ("Mondays 07:00 Europe/Oslo", "to boss@example.org"),
        (),
    ),
    "wait for files until 10:00 and make the chart blue": (
        ("waits for 1 or more files until 10:00",),
        ("make the chart blue",),
    ),
    "leave out freezer-09.log": ((), ("leave out freezer-09.log",)),
    "the peak at 08:30 is wrong": ((), ("the peak at 08:30 is wrong",)),
    "thanks, great": ((), ()),
}


@pytest.mark.parametrize("said", sorted(REPLIES))
def test_what_was_read_and_what_was_not_is_told(said: str) -> None:
    found = taken(said, "06:30", "Europe/Oslo", MONDAY, Heard(files=FILES))

    assert (found.read, found.unread) == REPLIES[said]


def test_the_words_quote_what_changes_nothing():
    found = taken("Count warnings too, and run at 08:30", "06:30", "UTC", MONDAY)

    assert found.words() == (
        "Taken: at 08:30. Not read: “Count warnings too”. "
        "Without a model I do not understand that, so it changes nothing."
    )


@pytest.mark.parametrize(
    ("before", "said", "after"),
    [
        ("every Monday at 7", "at 08:30 instead", "30 8 * * mon"),
        ("last day of every month at noon", "at 8 pm", "last day of the month at 20:00"),
        ("every hour", "at 08:30", "0 * * * *"),
        ("every Monday at 7", "every other month, at 8", "0 7 * * mon"),
        ("every Monday at 7", "every Tuesday", "30 6 * * tue"),
    ],
)
def test_a_time_alone_changes_the_time_and_nothing_else(before: str, said: str, after: str) -> None:
    assert guided(read(before, "06:30"), read(said, "06:30")).when == after


def test_only_files_that_are_there_are_left_out():
    assert left_out("please leave out `freezer-02.log`, and ignore other.log", FILES) == ("freezer-02.log",)
