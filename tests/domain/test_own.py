"""A team's own proven plans: the same but for parameters is one entry; another shape or too few words fit nothing."""

from datetime import UTC, datetime

import pytest

from bot.domain.own import Own, fingerprint, matches, newest_at
from library.catalog import load_catalog
from library.facts import ColumnFacts, CsvFacts, FileFacts, FileKind
from library.match import Spoken

ASKED = Spoken("yields of reactors", {word: frozenset({word.rstrip("s")}) for word in ("yields", "of", "reactors")})
PLAN = b'''"""Counts."""
from kit import inputs, report

TOP = 10
WORDS = ["a", "b"]
report(total=len(inputs()) + TOP)  # all of them
'''


@pytest.mark.parametrize(
    "other",
    [
        PLAN.replace(b"10", b"20"),
        PLAN.replace(b'["a", "b"]', b'("c",)'),
        PLAN.replace(b"  # all of them", b""),
        PLAN.replace(b'"""Counts."""', b'"""Counts what there is."""'),
        PLAN.replace(b"\n\n", b"\n\n\n"),
    ],
    ids=["a number", "a list", "a comment", "its first words", "layout"],
)
def test_scripts_that_differ_in_parameters_alone_are_one(other):
    assert other != PLAN
    assert fingerprint(other) == fingerprint(PLAN)


@pytest.mark.parametrize(
    "other",
    [
        PLAN.replace(b"+ TOP", b"- TOP"),
        PLAN.replace(b"TOP = 10", b"TOP = len(inputs())"),
        PLAN.replace(b"total=", b"files="),
        PLAN.replace(b"TOP", b"top"),
        b"def (",
    ],
    ids=["arithmetic", "a computed value", "another value of the report", "another name", "no Python"],
)
def test_scripts_that_do_something_else_are_not(other):
    assert fingerprint(other) != fingerprint(PLAN)


def an_own(*shared: str, **more) -> Own:
    script = load_catalog()["top-list"]
    known = {"approved_by": "Bob", "clean_runs": 3, "last_good_at": datetime(2026, 9, 7, tzinfo=UTC)} | more
    return Own("weekly-yield", script, {}, b"", frozenset(shared), **known)


def test_an_entry_with_telling_words_fits_and_says_where_it_comes_from():
    [found] = matches(ASKED, [an_own("yield", "reactor", "week")])

    assert found.reason == (
        "It is weekly-yield of this team, approved by Bob; 3 clean runs, the last on 2026-09-07. "
        "The request shares “yields”, “reactors” with it, and the files have the shape that it reads."
    )
    assert found.score == pytest.approx(0.5 * 2 / 3 + 0.5, abs=0.001)


@pytest.mark.parametrize("shared", [("yield",), ("everi", "monday", "post", "report", "yield"), ()])
def test_words_that_nearly_every_request_has_tell_nothing(shared):
    assert matches(ASKED, [an_own(*shared)]) == []


def test_what_was_imported_says_that_nobody_here_approved_it():
    [found] = matches(ASKED, [an_own("yield", "reactor", approved_by="", clean_runs=0, last_good_at=None)])

    assert "nobody here has approved it yet" in found.reason


def test_the_newest_time_is_told_by_dates_that_read_one_way_only():
    columns = (
        ColumnFacts("day", "date", ("%Y-%m-%d",), (("2026-09-01", "2026-09-06"),)),
        ColumnFacts(
            "other", "date", ("%d/%m/%Y", "%m/%d/%Y"), (("2026-09-01", "2027-09-06"), ("2026-09-01", "2028-09-06"))
        ),
    )
    files = [FileFacts("a.csv", 10, FileKind.CSV, csv=CsvFacts(",", columns, 3)), FileFacts("b.txt", 1, FileKind.TEXT)]

    assert newest_at(files) == datetime(2026, 9, 6, tzinfo=UTC)
    assert newest_at(files[1:]) is None
