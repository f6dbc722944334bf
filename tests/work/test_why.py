"""“Why 41?”: every place of a report that carries the number, and no place that does not."""

from decimal import Decimal

from hypothesis import given
from hypothesis import strategies as st

from bot.work.why import found_in
from sandbox.outcome import Intermediate, Report, Table

WEEK = Report(
    "**41 errors** in 14 files.\n\n- most: spectro-03, 17\n",
    tables=(
        Table(
            "Errors by instrument",
            ("instrument", "errors", "share"),
            (("spectro-03", 17, "41.5%"), ("spectro-07", 12, "29.3%"), ("balance-01", 12, "29.3%")),
        ),
    ),
    metrics={"errors": 41, "ratio": 0.4149},
    intermediates=(Intermediate("lines read", 38112, "lines"),),
)


def places(number: str, report: Report = WEEK) -> list[str]:
    return list(found_in(report, Decimal(number)))


def test_a_number_is_explained_by_what_was_measured_what_adds_up_and_what_is_said() -> None:
    assert places("41") == [
        "the script measured it as “errors”",
        "“Errors by instrument”: errors adds up to it: 17 (spectro-03) + 12 (spectro-07) + 12 (balance-01)",
        "the report says: “41 errors in 14 files.”",
    ]
    assert places("38112") == ["it is “lines read”: 38,112 lines, counted inside the script"]
    assert places("12") == [
        "“Errors by instrument”, row spectro-07: errors is 12",
        "“Errors by instrument”, row balance-01: errors is 12",
    ]
    assert "“Errors by instrument”, row spectro-03: share is 41.5%" in places("41.5")
    assert places("0.41") == ["the script measured it as “ratio”"]
    assert places("3") == ["“Errors by instrument” has that many rows"]
    assert places("99") == []


@given(st.lists(st.integers(-(10**6), 10**6), min_size=2, max_size=40))
def test_a_column_that_adds_up_is_always_found(values: list[int]) -> None:
    table = Table("t", ("name", "n"), tuple((f"row {n}", value) for n, value in enumerate(values)))
    assert any("adds up to it" in one for one in places(str(sum(values)), Report("", tables=(table,))))
