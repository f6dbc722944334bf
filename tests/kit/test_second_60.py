"""A leap second in the data is heard or passed over, and ends nothing."""

from __future__ import annotations

from importlib import import_module

from sandbox.outcome import Surprised
from tests import inside
from tests.kit.conftest import Bench

STAMPS = (
    ("iso", "2016-12-31 23:59:60"),
    ("iso", "2016-12-31T23:59:60.5Z"),
    ("slashed date", "16/12/31 23:59:60"),
    ("apache error log", "[Sat Dec 31 23:59:60 2016]"),
    ("access log", "[31/Dec/2016:23:59:60 +0000]"),
    ("compact", "20161231-23:59:60"),
)
PLAN = """
from kit import inputs, read_csv
for row in read_csv(inputs()[0]):
    row.moment("at")
"""
READER = {"header": ["at", "n"], "dates": {"at": "%Y-%m-%d %H:%M:%S"}}


def test_TM_10_a_cell_with_second_60_is_a_surprise(bench: Bench) -> None:
    data = b"at,n\n2016-12-31 23:59:59,1\n2016-12-31 23:59:60,2\n"

    outcome = bench.run(PLAN, inputs={"a.csv": data}, parameters={"readers": {"default": READER}})

    assert isinstance(outcome, Surprised), outcome
    assert (outcome.name, outcome.seen) == ("OddDate", "2016-12-31 23:59:60")


def test_TM_10_no_stamp_of_a_log_with_second_60_ends_the_reading() -> None:
    inside.kit()
    stamps = import_module("kit.stamps")
    for name, text in STAMPS:
        assert stamps.BY_NAME[name].pattern.match(f"{text} "), text
        assert stamps.moment_of(stamps.BY_NAME[name], text) is None
