"""Where a request says that its data is, as Slack sends it."""

from datetime import UTC, datetime

import pytest

from bot.domain.request import guided, read
from bot.domain.source_asks import asked_sources
from bot.domain.source_words import source_words
from bot.domain.taken_words import taken
from bot.domain.unread_words import unread
from library.manifest import FilesSource


@pytest.mark.parametrize(
    ("said", "addresses"),
    [
        ("over <https://h.org/a.csv> every Monday", ("https://h.org/a.csv",)),
        ("over <https://h.org/a.csv?x=1&amp;y=2|h.org/a.csv?x=1&amp;y=2>", ("https://h.org/a.csv?x=1&y=2",)),
        ("over s3://lab/logs/{since:%G-W%V}/*.log, please", ("s3://lab/logs/{since:%G-W%V}/*.log",)),
        ("over s3://lab/logs/{since}.", ("s3://lab/logs/{since}",)),
        ("over sftp://h.org/out/a.csv and gs://b/c.csv", ("sftp://h.org/out/a.csv", "gs://b/c.csv")),
        ("over `s3://lab/week 1/*.csv` every day", ("s3://lab/week 1/*.csv",)),
        ("over /srv/lab/logs/*.log every Monday", ("/srv/lab/logs/*.log",)),
        ("(see `/srv/lab/my logs/a.csv`)", ("/srv/lab/my logs/a.csv",)),
        ("every Monday count the errors", ()),
        ("read and/or.write, 3/4.5 of it, /standby help", ()),
        ("email it to a@b.org", ()),
    ],
)
def test_addresses_are_found(said: str, addresses: tuple[str, ...]) -> None:
    assert asked_sources(said)[0].addresses == addresses


def test_a_query_is_what_is_set_as_code() -> None:
    found, rest = asked_sources("Every Monday sum up ```SELECT a FROM b WHERE c &gt; {since};``` on books")
    assert found.queries == ("SELECT a FROM b WHERE c > {since}",)
    assert rest == "Every Monday sum up   on books"
    assert not asked_sources("use `count.py` with `errors`")[0]


def test_the_rest_of_the_request_reads_as_without_them() -> None:
    wish = read("Every Monday compile the errors of <https://h.org/a.csv> and email it to the lab list", "07:00")
    assert (wish.when, wish.destinations) == ("0 7 * * mon", ("lab list",))
    assert wish.sources.addresses == ("https://h.org/a.csv",)


def test_a_link_with_a_name_keeps_its_name() -> None:
    wish = read("compile the <https://h.org/a.csv|error summary> every Monday", "07:00")
    assert "error summary" in wish.text
    assert wish.sources.addresses == ("https://h.org/a.csv",)


def test_what_is_said_later_replaces_the_source() -> None:
    first, later = (read(f"every Monday over s3://lab/{name}.csv", "07:00") for name in "ab")
    assert guided(first, later).sources.addresses == ("s3://lab/b.csv",)
    assert guided(first, read("at 9", "07:00")).sources.addresses == ("s3://lab/a.csv",)


def test_what_else_is_said_beside_a_source_is_still_marked_where_nobody_reads_it() -> None:
    said = "Over s3://lab/a.csv every Monday, and paint the largest number in a friendly green"
    assert unread(said).all == ("paint the largest number in a friendly green",)


def test_a_reply_that_names_a_source_says_what_was_read() -> None:
    words = taken("at 09:30, from s3://lab/b.csv", "07:00", "UTC", datetime(2026, 11, 30, tzinfo=UTC)).words()
    assert "made from s3://lab/b.csv, where settings allow it" in words


@pytest.mark.parametrize(
    ("said", "is_new"),
    [
        ("every Monday, only the new files of /srv/lab/*.csv", True),
        ("every Monday over /srv/lab/*.csv, new files only", True),
        ("over s3://lab/*.log take just the files which are new", True),
        ("over s3://lab/*.log but only what is new", True),
        ("the new files of /srv/lab/*.csv", False),
        ("only the files of /srv/lab/*.csv; the new lab list gets it", False),
    ],
)
def test_only_new_files_are_asked_for_in_words(said: str, is_new: bool) -> None:
    assert read(said, "07:00").sources.only_new is is_new


def test_only_new_files_may_be_said_later_and_stay_said() -> None:
    first, later, last = (read(one, "07:00") for one in ("over s3://lab/a.csv", "only new files", "at 9"))
    wish = guided(guided(first, later), last)
    assert (wish.sources.addresses, wish.sources.only_new) == (("s3://lab/a.csv",), True)
    assert (
        "only from files that no report had before"
        in taken("only new files please", "07:00", "UTC", datetime(2026, 11, 30, tzinfo=UTC)).words()
    )
    assert unread("Over s3://lab/*.csv, only new files, and paint it in green").all == ("paint it in green",)


def test_what_is_new_is_said_in_words() -> None:
    source = FilesSource(("/srv/lab/*.csv",), only_new=True, after="2026-11-30T06:00:00+00:00")
    assert source_words(source, due_at=None, since=None, zone="Europe/Oslo") == (
        "only files that are new when a slot is due, which no report before was made from, and which changed there "
        "after 2026-11-30 07:00: /srv/lab/*.csv"
    )
