"""Items that a column calls closed are never counted as open in silence."""

from __future__ import annotations

import pytest

from library.fill import fill
from sandbox.outcome import Report, Surprised
from tests.library.conftest import WINDOW

SCRIPT = "ageing-of-open-items"


def items(*last: str, name: str = "status") -> dict[str, bytes]:
    rows = "".join(f"T-{n},lab,2026-09-{n + 1:02},{10 + n}.50,{one}\n" for n, one in enumerate(last))
    return {"items.csv": f"id,owner,opened,amount,{name}\n{rows}".encode()}


SOME = items("open", "closed", "open", "closed", "open", "open")


def test_which_rows_are_open_is_asked_and_the_others_are_left_out_and_told(lab, catalog):
    [question] = fill(catalog[SCRIPT], lab.put(SOME), window=WINDOW).questions
    likeliest, last = question.choices[0], question.choices[-1]

    _, report = lab.fill_and_run(catalog[SCRIPT], SOME, **{question.key: likeliest.value})
    _, of_all = lab.fill_and_run(catalog[SCRIPT], SOME, **{question.key: last.value})

    assert question.ask == "Which rows are open? (status: closed, open)"
    assert (likeliest.label, last.label) == ("Those with status open", "All rows are open")
    assert isinstance(report, Report), report
    assert "**4 open items**, 53.00 in all" in report.markdown
    assert "Rows read: 6; not open by status and left out: closed (2)" in report.markdown
    assert isinstance(of_all, Report), of_all
    assert "**6 open items**" in of_all.markdown


def test_a_state_that_nobody_spoke_of_halts(lab, catalog):
    [question] = fill(catalog[SCRIPT], lab.put(SOME), window=WINDOW).questions
    filled, _ = lab.fill_and_run(catalog[SCRIPT], SOME, **{question.key: question.choices[0].value})

    lab.put(items("open", "closed", "open", "disputed", "open", "open"))
    halted = lab.run(catalog[SCRIPT], filled.parameters)

    assert isinstance(halted, Surprised)
    assert halted.name == "UnknownState"
    assert "T-3 in items.csv has status “disputed”" in halted.message


def test_a_day_of_closing_that_some_rows_have_is_asked_about(lab, catalog):
    some = items("", "2026-09-02", "", "2026-09-03", "", "", name="closed_at")
    [question] = fill(catalog[SCRIPT], lab.put(some), window=WINDOW).questions

    _, report = lab.fill_and_run(catalog[SCRIPT], some, **{question.key: question.choices[0].value})

    assert question.choices[0].label == "Rows without closed_at are open"
    assert isinstance(report, Report), report
    assert "not open by closed_at and left out: with closed_at (2)" in report.markdown


@pytest.mark.parametrize("last", [("open",) * 6, ("open", "unpaid") * 3], ids=["one", "two"])
def test_where_all_rows_are_open_nobody_is_asked_and_a_closed_one_halts(lab, catalog, last):
    filled, report = lab.fill_and_run(catalog[SCRIPT], items(*last))
    lab.put(items("open", "closed", "open", "open", "open", "open"))

    assert isinstance(report, Report), report
    assert lab.run(catalog[SCRIPT], filled.parameters).name == "UnknownState"
