"""Whose a file of a channel is: what a plan knows by name is its own, and nobody halts over what another one reads."""

import pytest

from bot.domain.belonging import Known, Whose, shared, whose

LOGS = Known(frozenset({"spectro-01.log", "spectro-02.log"}))
SALES = Known(frozenset({"sales-[0-9][0-9][0-9][0-9]-[0-9][0-9].csv"}))
STOCK = Known(frozenset({"stock.csv"}))
BROAD = Known(frozenset({"north.csv"}), frozenset({"*.csv"}))


@pytest.mark.parametrize(
    ("name", "ours", "found"),
    [
        ("spectro-01.log", LOGS, Whose.OURS),
        ("spectro-03.log", LOGS, Whose.OURS),  # a new instrument
        ("spectro-03.log.gz", LOGS, Whose.OURS),
        ("spectro-01.log.1", LOGS, Whose.OURS),  # the older part of a rotated one
        ("sales-2026-12.csv", LOGS, Whose.ANOTHERS),
        ("notes.csv", LOGS, Whose.UNKNOWN),
        ("stock.csv", SALES, Whose.ANOTHERS),
        ("sales-2026-12.csv", SALES, Whose.OURS),
        ("stock.csv", BROAD, Whose.OURS),  # its plan says that it takes any
        ("anything.json", Known(), Whose.OURS),  # a plan that knows no names
    ],
)
def test_a_file_is_whose_plan_knows_its_name_or_its_ending(name: str, ours: Known, found: Whose) -> None:
    others = [one for one in (LOGS, SALES, STOCK) if one is not ours]
    assert whose(name, ours, others, all_there=True) is found


def test_another_ending_may_be_what_is_missing_under_another_name() -> None:
    assert whose("spectro-02.json", LOGS, [SALES], all_there=False) is Whose.OURS
    assert whose("stock.csv", LOGS, [STOCK], all_there=False) is Whose.ANOTHERS


def test_what_is_posted_in_a_routines_own_thread_is_meant_for_it() -> None:
    assert whose("stock.csv", SALES, [STOCK], all_there=True, is_meant=True) is Whose.OURS


def test_all_is_there_when_every_name_of_the_sample_is() -> None:
    assert LOGS.all_there(["spectro-01.log", "spectro-02.log", "more.log"])
    assert not LOGS.all_there(["spectro-01.log"])


def test_two_plans_share_files_where_a_name_of_one_fits_the_other() -> None:
    assert shared(SALES, SALES)
    assert shared(STOCK, BROAD)
    assert shared(BROAD, STOCK)
    assert not shared(SALES, STOCK)
    assert not shared(LOGS, SALES)
