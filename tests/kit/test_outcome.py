"""outcome.json comes out of a box, so whatever is in it: it is read exactly or refused."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandbox.outcome import Report, Table
from sandbox.outcome_json import OutcomeUnreadable, read_outcome
from sandbox.outcome_keys import outcome_keys

GOOD = {
    "kind": "report",
    "markdown": "ok",
    "tables": [{"title": "T", "columns": ["a"], "rows": [[1], ["x"], [None]]}],
    "charts": [
        {"title": "C", "kind": "bar", "labels": ["a"], "series": [{"name": "s", "values": [1.5]}], "picture": ""}
    ],
    "attachments": [{"name": "x.csv", "path": "outputs/x.csv", "bytes": 3, "sha256": "0"}],
    "metrics": {"errors": 3},
    "intermediates": [{"name": "lines", "count": 3, "unit": "lines"}],
    "checks": [{"name": "OddFile", "times": 1}],
    "seconds": 0.5,
}


def changed(**keys) -> bytes:
    return json.dumps({**GOOD, **keys}).encode()


def test_a_chart_of_an_older_kit_names_no_picture():
    chart = {name: value for name, value in GOOD["charts"][0].items() if name != "picture"}

    assert read_outcome(changed(charts=[chart])) == read_outcome(changed())


def test_a_whole_report_is_read_and_kept_in_the_same_form():
    report = read_outcome(json.dumps(GOOD).encode())

    assert isinstance(report, Report)
    assert outcome_keys(report) == GOOD


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"[]",
        b'{"kind": "party"}',
        b"\xff",
        b"[" * 100_000,
        changed(markdown=None),
        changed(markdown="x" * 300_000),
        changed(tables=[{"title": "T", "columns": ["a"], "rows": [[1, 2]]}]),
        changed(tables=[{"title": "T", "columns": ["a"], "rows": [[{}]]}]),
        changed(tables=[{"title": "T", "columns": ["a"], "rows": [[1]] * 2_001}]),
        changed(metrics={"errors": True}),
        changed(seconds=float("inf")),
        changed(metrics={"errors": float("nan")}),
        changed(metrics={"errors": 10**40}),
        changed(charts=[{"title": "C", "kind": "pie", "labels": [], "series": []}]),
        changed(charts=[{"title": "C", "kind": "bar", "labels": ["a"], "series": [{"name": "s", "values": []}]}]),
        *(
            changed(attachments=[{"name": "x", "path": path, "bytes": 1, "sha256": "0"}])
            for path in ("/etc/passwd", "outputs/../plan/plan.py", "outputs", "outputs//x", "plan/plan.py")
        ),
    ],
)
def test_anything_else_is_refused(data):
    with pytest.raises(OutcomeUnreadable):
        read_outcome(data)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(list(GOOD)), inner, max_size=4),
    max_leaves=10,
)


@given(st.sampled_from(list(GOOD)), json_values)
def test_any_value_under_any_key_is_read_or_refused_and_nothing_else(key, value):
    try:
        outcome = read_outcome(json.dumps({**GOOD, key: value}).encode())
    except OutcomeUnreadable:
        return
    assert isinstance(outcome, Report)


def test_a_document_shows_tables_whole_and_says_what_it_cut():
    report = Report("Text.", tables=(Table("T", ("a|b", "n"), (("x\ny", 1_000), (None, 2))),))

    assert report.document(rows_per_table=1).splitlines() == [
        "Text.",
        "",
        "### T",
        "",
        "| a\\|b | n |",
        "| --- | --- |",
        "| x y | 1,000 |",
        "",
        "(1 more rows)",
    ]


def test_reports_are_the_same_when_only_the_time_taken_differs():
    assert Report("x", seconds=1).same_as(Report("x", seconds=2))
    assert not Report("x").same_as(Report("y"))
