"""What is to happen to slots that are late, without files, overtaken or on holidays: said, and said back."""

from datetime import UTC, datetime

import pytest

from bot.domain.errors import RequestProblem
from bot.domain.request import guided, read
from bot.domain.slot_terms import planned, term_sentences
from bot.domain.term_words import NOTHING_SAID, SaidTerms, terms_in
from library.manifest_schedule import USUAL, OnHoliday, Overlap, SlotTerms

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
SAID = {
    "wait for the files until 10:00": SaidTerms(wait_until="10:00", wait_files=1),
    "start when the files are there; tell us if not by 10:00": SaidTerms(wait_until="10:00", wait_files=1),
    "wait for all 14 log files until 10am": SaidTerms(wait_until="10:00", wait_files=14),
    "do not wait for the files": SaidTerms(wait_until="", wait_files=1),
    "skip holidays in Norway": SaidTerms(holidays="NO", on_holiday=OnHoliday.SKIP),
    "but not on public holidays in the United States": SaidTerms(holidays="US", on_holiday=OnHoliday.SKIP),
    "move holidays in Germany to the next working day": SaidTerms(holidays="DE", on_holiday=OnHoliday.SHIFT),
    "on public holidays in DE-BY run it on the next workday": SaidTerms(holidays="DE-BY", on_holiday=OnHoliday.SHIFT),
    "ignore holidays": SaidTerms(holidays="", on_holiday=OnHoliday.SKIP),
    "at most 2 hours late": SaidTerms(late_min=120),
    "catch up for up to 3 days": SaidTerms(catch_up_h=72),
    "make up for what was missed within 12 hours": SaidTerms(catch_up_h=12),
    "runs wait for the one before": SaidTerms(overlap=Overlap.WAIT),
}
UNSAID = [
    "wait for the files", "wait for me until 10:00", "wait for the data until 25:00", "skip holidays in Narnia",
    "the files of holidays in Norway", "at most 2 errors", "at most 90 days late", "catch up with Bob",
]  # fmt: skip


@pytest.mark.parametrize("words", SAID)
def test_terms_are_read_beside_a_time_and_leave_it_alone(words: str):
    wish = read(f"every Monday at 7 compile the logs, {words}, and email it to the lab list", "06:30")

    assert wish.terms == SAID[words]
    assert (wish.when, wish.destinations) == ("0 7 * * mon", ("lab list",))


@pytest.mark.parametrize("words", UNSAID)
def test_what_is_not_said_for_certain_is_no_term(words: str):
    assert terms_in(words)[0] == NOTHING_SAID


def test_a_later_word_changes_one_term_and_keeps_the_others():
    wish = read("every Monday at 7, skip holidays in Norway, wait for the files until 10:00", "06:30")
    later = guided(wish, read("wait for the files until 11:00", "06:30"))

    assert later.when == "0 7 * * mon"
    assert later.terms.applied(USUAL) == SlotTerms(wait_until="11:00", holidays="NO")


def test_waiting_must_end_after_the_slot_on_the_same_day():
    with pytest.raises(RequestProblem, match="until 06:00, which is not after Mondays 07:00"):
        planned("0 7 * * mon", "Europe/Oslo", SlotTerms(wait_until="06:00"), NOW)
    with pytest.raises(RequestProblem, match="not after"):
        planned("0 * * * *", "Europe/Oslo", SlotTerms(wait_until="10:00"), NOW)


def test_weeks_are_counted_from_the_first_one_after_the_request():
    assert planned("every 2 weeks on mon at 07:00", "Europe/Oslo", USUAL, NOW).anchor == "2026-12-07"
    assert planned("last fri of the month at 07:00", "Europe/Oslo", USUAL, NOW).anchor == ""


def test_every_term_stands_on_the_card_the_usual_ones_too():
    assert term_sentences(planned("0 7 * * mon", "Europe/Oslo", USUAL, NOW), NOW) == (
        "Without any file at its time it halts and says so.",
        "It runs on public holidays too.",
        "A slot that comes while the one before still runs is skipped and said.",
        "The last one missed while Standby was down runs late within 2 days; others are said and offered.",
        "A run that cannot begin within 2 days is skipped and said.",
    )


def test_unusual_terms_are_said_in_plain_words():
    terms = SlotTerms(Overlap.WAIT, 12, 90, "10:00", 14, "DE", OnHoliday.SHIFT)
    assert term_sentences(planned("30 2 * * *", "Europe/Berlin", terms, NOW), NOW) == (
        "On Sun 28 Mar 2027 clocks change: there is no 02:30, so it runs at 03:00.",
        "On Sun 31 Oct 2027 clocks change: 02:30 comes twice and the first counts.",
        "It waits until 14 files are there, and halts and says so if that is not by 10:00.",
        "From a public holiday in Germany it moves to the next day that is worked on.",
        "A slot that comes while the one before still runs waits for it.",
        "The last one missed while Standby was down runs late within 12 hours; others are said and offered.",
        "A run that cannot begin within 1 hour 30 minutes is skipped and said.",
    )
