"""Once, or again and again: answered now where nothing is said of it, asked about only where it matters."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.domain.request import read
from bot.domain.rhythm import Rhythm, is_once, rhythm_of
from tests.domain import test_recurrence

TIME = "07:00"

ONCE = (
    "Compute the net margin of each subsidiary and rank them",
    "compute each net margin and rank them",
    "Rank these by margin",
    "How many errors are in these logs?",
    "Which of these instruments had the most errors last week?",
    "What is the mean of column b, per month?",
    "Sum the revenue of each month",
    "total costs per week, biggest first",
    "show the revenue by quarter for every shop",
    "Count the errors in each file",
    "Please compile an error summary of these logs",
    "compile last week's instrument logs into an error summary",
    "Summarise Monday's logs",
    "compare this week's numbers with last week's",
    "Compute the monthly revenue of each shop",
    "rank the shops by their average weekly revenue",
    "what was the busiest day of every week?",
    "make a table of the errors since Monday",
    "just once: rank the subsidiaries by margin",
    "one-off: which file is the largest?",
    "Only this once, please email me nothing and count the rows",
    "count the errors now",
    "Right now, what is the total?",
    "Please don't do this every week, I only need it now",
    "Do it once.",
    "rank these, once, now",
    "email the margin ranking to the board right now",
    "Are there duplicates in these files?",
    "find the five largest invoices of the year",
    "forecast nothing, only add up what is due next month",
    "what is expected for tomorrow according to these files?",
    "every file has a column revenue; add them all up",
    "each row is an order, count them by customer",
)
COMES_BACK = (
    "Every Monday compile last week's instrument logs into an error summary and email it to the lab list",
    "each Friday at 16:00 rank the subsidiaries",
    "Mondays and Thursdays at noon: count the errors",
    "daily at 19:00 post the totals",
    "Post the totals daily",
    "send me a weekly summary of errors",
    "Make a monthly margin report from these",
    "We need a daily digest of failures, please",
    "every other Monday rank these",
    "fortnightly, rank the subsidiaries",
    "on the last working day of every month send the totals",
    "twice a week count the errors",
    "From now on, tell us when a log has errors",
    "set up a routine that ranks these",
    "Keep us posted regularly about the errors in such logs",
    "whenever somebody posts books, rank them",
    "Can you rank these every Monday?",
    "every quarter, compute the revenue by month",
    "every 15 minutes count the errors",
    "please compile the error summary every week",
    "every weekend add up the takings",
    "hourly",
)
UNCLEAR = (
    "Compile the logs into an error summary and email it to the lab list",
    "Rank the subsidiaries and send it to finance@example.org",
    "mail the ranking to the board",
    "Compile the weekly error report",
    "rank these tomorrow at 9",
    "do this next Monday",
    "count the errors in two hours",
    "rank these now and then every Monday",
    "How many errors are there every Monday?",
)

# Of the doubtful schedules: those that say when data is from, and nothing else.
ABOUT_DATA = {"no recurrence", "a Monday that has passed", "somebody's Monday", "days of the data", "a day of the data"}


def _rhythm(*said: str) -> Rhythm:
    wishes = [read(text, TIME) for text in said]
    has_recipients = any(one.addresses or one.destinations for one in wishes)
    return rhythm_of([one.text for one in wishes], has_recipients=has_recipients, default_time=TIME)


@pytest.mark.parametrize("said", ONCE)
def test_what_is_asked_once_is_answered_now(said: str) -> None:
    assert _rhythm(said) is Rhythm.ONCE


@pytest.mark.parametrize("said", COMES_BACK)
def test_what_comes_back_is_a_routine(said: str) -> None:
    assert _rhythm(said) is Rhythm.COMES_BACK


@pytest.mark.parametrize("said", UNCLEAR)
def test_what_could_be_both_is_asked(said: str) -> None:
    assert _rhythm(said) is Rhythm.UNCLEAR


@pytest.mark.parametrize("said", test_recurrence.CERTAIN)
def test_what_can_be_read_as_a_schedule_is_not_answered_once(said: str) -> None:
    assert _rhythm(said) is not Rhythm.ONCE


@pytest.mark.parametrize("why", sorted(set(test_recurrence.DOUBTFUL) - ABOUT_DATA))
def test_nor_is_a_schedule_that_cannot_be_read(why: str) -> None:
    assert _rhythm(test_recurrence.DOUBTFUL[why]) is not Rhythm.ONCE


@pytest.mark.parametrize(
    "piece", ["every ", "of each month ", "once a ", "now ", "send it on ", "weekly report ", "last of "]
)
def test_forty_thousand_characters_are_read_without_delay(piece: str) -> None:
    began = time.process_time()
    _rhythm(piece * (40_000 // len(piece)))
    assert time.process_time() - began < 2


def test_the_last_word_counts() -> None:
    assert _rhythm("Rank these right now", "every Tuesday at 9 please") is Rhythm.COMES_BACK
    assert _rhythm("Every Monday rank these", "no, just once") is Rhythm.ONCE
    assert _rhythm("Every Monday rank these", "and leave out Graz") is Rhythm.COMES_BACK


@pytest.mark.parametrize("answer", ["once", "Once, now", "now", "just once", "one-off", "ONCE NOW.", "right now"])
def test_a_form_takes_once(answer: str) -> None:
    assert is_once(answer)


@pytest.mark.parametrize("answer", ["once a week", "every Monday", "now and then", "", "once every Monday"])
def test_a_form_takes_no_schedule_for_once(answer: str) -> None:
    assert not is_once(answer)


@given(st.text(max_size=300))
def test_any_text_has_a_rhythm(said: str) -> None:
    assert _rhythm(said) in Rhythm


@pytest.mark.parametrize(
    "text",
    ["hver mandag kl 8: total per region", "jeden Montag um 9 Uhr Summe pro Region", "total par région chaque lundi"],
)
def test_a_rhythm_in_another_language_is_asked_about_and_not_taken_for_once(text: str) -> None:
    assert rhythm_of([text], has_recipients=False, default_time=TIME) is Rhythm.UNCLEAR
