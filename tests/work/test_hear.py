"""What is told of a hearing test: to a model that may improve its draft, and of a fix beside the version before."""

from __future__ import annotations

import re

from bot.work.hear import deaf_words, difference
from sandbox.hearing import Ear, Hearing, Verdict


def a_hearing(*deaf: str, broke: str = "") -> Hearing:
    drifts = ("log-to-json", "sent-again", "file-missing", "truncated")
    ears = [Ear(one, "mill.log", Verdict.DEAF if one in deaf else Verdict.HEARD, Verdict.HEARD) for one in drifts]
    ears = [Ear(e.drift, e.file, e.alone, e.alone) for e in ears]
    return Hearing(tuple([*ears, Ear(broke, "mill.log", Verdict.BROKE, Verdict.BROKE)] if broke else ears))


def test_a_model_is_told_how_much_its_draft_does_not_notice() -> None:
    words = deaf_words(a_hearing("sent-again", broke="utf-16"))

    assert "1 changes of the data go unnoticed, 1 break it" in words


def test_what_a_model_is_told_differs_in_numbers_alone() -> None:
    few, many = deaf_words(a_hearing("sent-again")), deaf_words(a_hearing("log-to-json", "truncated", broke="utf-16"))

    assert re.sub(r"\d+", "#", few) == re.sub(r"\d+", "#", many)


def test_a_model_is_told_nothing_where_nothing_is_to_improve() -> None:
    assert deaf_words(a_hearing()) == ""
    assert deaf_words(None) == ""


def test_a_fix_that_hears_less_than_the_version_before_says_so() -> None:
    lines = difference(a_hearing("sent-again"), a_hearing("sent-again", "file-missing"))

    assert lines == (
        "It copes with 2 of 4 ways in which the files could change; before with 3 of 4",
        "It would not notice if one of the files was missing (mill.log); before, over the files of then, it did",
    )


def test_a_version_from_before_there_was_a_hearing_test_is_compared_with_nothing() -> None:
    assert difference(None, a_hearing()) == ()


def test_what_is_kept_of_a_hearing_reads_back() -> None:
    found = a_hearing("sent-again", broke="utf-16")

    assert Hearing.read(found.keys()) == found
