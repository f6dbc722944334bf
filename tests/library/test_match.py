"""Which proven script is picked for a request, and why."""

import pytest

from library.facts import ColumnFacts, CsvFacts, FileFacts, FileKind, LogFacts
from library.match import fits as is_for
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
def test_words_and_kinds_together_pick_a_script(spoken, catalog, request_words, files, picked):
    found = match(spoken(request_words), files, catalog)

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
def test_without_words_or_without_files_of_its_kind_no_script_fits(spoken, catalog, request_words, files):
    assert match(spoken(request_words), files, catalog) == []


def test_the_reason_says_which_words_and_how_many_files(spoken, catalog):
    found = match(spoken("an error summary"), [a_log(), a_log("b.log"), a_table()], catalog)[0]

    assert 'The request says "error", "summary", and' in found.reason
    assert "2 of 3 files are text logs with levels" in found.reason


def test_the_reason_quotes_the_request_and_not_the_script(spoken, catalog):
    asked = spoken("Compile last week's Instrument logs into an ERROR summary")

    found = match(asked, [a_log()], catalog)[0]

    assert 'The request says "Instrument", "logs", "ERROR", "summary", and' in found.reason


@pytest.mark.parametrize(
    ("columns", "fits"),
    [
        ({"turnover": "number", "costs": "number"}, True),
        ({"beløp": "number", "andre": "empty"}, True),  # whatever they are called: which is which is asked
        ({"day": "date", "revenue": "number"}, False),
        ({"revenue": "text", "costs": "text"}, False),
    ],
)
def test_a_table_fits_where_it_has_a_column_of_the_right_kind_for_each_role(catalog, columns, fits):
    facts = tuple(ColumnFacts(name, kind) for name, kind in columns.items())
    table = FileFacts("a.csv", 100, FileKind.CSV, csv=CsvFacts(",", facts, 3))

    assert is_for(table, catalog["ranked-margin"]) is fits


def test_records_without_a_level_fit_a_script_of_tables_and_none_of_logs(catalog):
    """The same file of JSON lines is a log where it has a level, and a table where its keys have what is added up."""
    columns = (ColumnFacts("category", "text"), ColumnFacts("amount", "number"))
    records = FileFacts(
        "a.jsonl", 100, FileKind.JSON_LINES, log=LogFacts({}, 3), csv=CsvFacts("", columns, 3, json_form="lines")
    )

    assert is_for(records, catalog["totals-by-category"])
    assert not is_for(records, catalog["log-error-summary"])


def test_words_are_found_by_the_stems_of_a_full_text_search(spoken, catalog):
    """Endings and capitals aside; a word that says nothing finds nothing."""
    tables = [a_table()]

    assert match(spoken("Profitability of the SUBSIDIARY, ranked"), tables, catalog)[0].script.name == "ranked-margin"
    assert match(spoken("what is it that they had?"), tables, catalog) == []
