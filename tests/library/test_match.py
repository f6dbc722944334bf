"""Which proven script is picked for a request, and why."""

import pytest

from library.facts import ColumnFacts, CsvFacts, FileFacts, FileKind, LogFacts
from library.match import match


def a_log(name="a.log", level_word=1):
    return FileFacts(name, 100, FileKind.TEXT_LOG, log=LogFacts({"INFO": 3}, 3, "iso", level_word))


def a_table(name="a.csv"):
    columns = (ColumnFacts("revenue", "number"), ColumnFacts("costs", "number"))
    return FileFacts(name, 100, FileKind.CSV, csv=CsvFacts(",", columns, 3))


@pytest.mark.parametrize(
    ("request_words", "files", "picked"),
    [
        ("compile last week's instrument logs into an error summary", [a_log()], "log-error-summary"),
        ("Summarise the errors in these logs", [a_log(), a_log("b.log"), a_table()], "log-error-summary"),
        ("compute each net margin and rank them", [a_table()], "ranked-margin"),
        ("which subsidiaries are profitable? margins please", [a_table()], "ranked-margin"),
    ],
)
def test_words_and_kinds_together_pick_a_script(catalog, request_words, files, picked):
    found = match(request_words, files, catalog)

    assert found[0].script.name == picked
    assert found[0].reason.startswith(found[0].script.says)


@pytest.mark.parametrize(
    ("request_words", "files"),
    [
        ("compute each net margin and rank them", [a_log()]),
        ("write a poem about the sea", [a_log()]),
        ("an error summary of the logs", [a_table(), a_table("b.csv"), a_log()]),
        ("an error summary of the logs", [a_log(level_word=0)]),
        ("an error summary of the logs", []),
    ],
)
def test_without_words_or_without_files_of_its_kind_no_script_fits(catalog, request_words, files):
    assert match(request_words, files, catalog) == []


def test_the_reason_says_which_words_and_how_many_files(catalog):
    found = match("an error summary", [a_log(), a_log("b.log"), a_table()], catalog)[0]

    assert 'The request says "error", "summary", and' in found.reason
    assert "2 of 3 files are text logs with levels" in found.reason


def test_the_reason_quotes_the_request_and_not_the_script(catalog):
    found = match("Compile last week's Instrument logs into an ERROR summary", [a_log()], catalog)[0]

    assert 'The request says "Instrument", "logs", "ERROR", "summary", and' in found.reason
