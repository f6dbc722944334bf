"""The top list where its end falls between equals, and what duplicates that are too many are told."""

from __future__ import annotations

import pytest

from sandbox.outcome import Report, Surprised


def hours(**sums: int) -> dict[str, bytes]:
    rows = "".join(f"2026-09-0{n % 5 + 1},{name},{one}.00\n" for n, (name, one) in enumerate(sums.items()))
    return {"hours.csv": f"date,machine,hours\n{rows}".encode()}


@pytest.mark.parametrize(
    ("sums", "said"),
    [
        ({"a": 9, "b": 5, "c": 5, "d": 5, "e": 1}, "have: 56.0 %; not shown, with the same sum as place 2: c, d\n"),
        ({"a": 9, "b": 5, "c": 4, "d": 4, "e": 3}, "have: 56.0 %\n"),
    ],
    ids=["others tie with the last place", "only those below it tie"],
)
def test_a_list_that_ends_between_equals_names_the_others(lab, catalog, sums, said):
    filled, _ = lab.fill_and_run(catalog["top-list"], hours(**sums))

    report = lab.run(catalog["top-list"], {**filled.parameters, "top": 2})

    assert isinstance(report, Report)
    assert said in report.markdown
    assert [row[1] for row in report.tables[0].rows] == ["a", "b"]


def test_keys_that_mostly_repeat_are_shown_with_what_would_help_whoever_looks_for_duplicates(lab, catalog):
    rows = "".join(f"2026-09-0{n % 5 + 1},F-{n // 2},{n}.50\n" for n in range(12))

    _, halted = lab.fill_and_run(catalog["duplicate-entries"], {"a.csv": f"date,invoice,amount\n{rows}".encode()})

    assert isinstance(halted, Surprised)
    assert halted.name == "MostlyTwice"
    assert "which column tells entries apart" in halted.expected
    assert halted.rows[0] == "F-0: 2 times"
