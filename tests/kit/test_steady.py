"""What every table is asked: each thing that is not as in earlier slots halts by its name."""

from __future__ import annotations

import contextlib
import importlib
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from tests import inside

DUE = datetime(2026, 9, 7, 7, tzinfo=UTC)
READER = {
    "header": ["day", "kind", "amount"],
    "columns": {"name": "kind"},
    "dated": "day",
    "dates": {"day": "%Y-%m-%d"},
}
ROWS = [(f"2026-09-0{number % 6 + 1}", "tea" if number % 2 else "soup", f"{100 + number}.50") for number in range(60)]


def text(rows: list[tuple[str, str, str]]) -> bytes:
    return "".join(",".join(row) + "\n" for row in [("day", "kind", "amount"), *rows]).encode()


def asked(folder: Path, files: dict[str, bytes], history: tuple[Any, ...] = ()) -> Any:
    """All files asked as a script asks them; the metrics that it would keep."""
    (folder / "inputs").mkdir(exist_ok=True)
    for name, data in files.items():
        (folder / "inputs" / name).write_bytes(data)
    inside.kit()
    state = importlib.import_module("kit.state")
    slot = state.SlotFacts(DUE, DUE - timedelta(days=7), DUE, "UTC", history)
    kit = inside.begin(
        folder / "inputs", {"readers": {"default": READER}, "expected_files": [], "leave_out": []}, slot=slot
    )
    with contextlib.chdir(folder):  # where rows that are not plain are written once more
        for file in kit.agreed_files():
            kit.check_steady(file, kit.read_csv(file), numbers=["amount"], names=["name"])
        kit.check_ends()
    return state.current().declared.metrics


def earlier(folder: Path) -> tuple[Any, ...]:
    """Five slots that measured what these rows do."""
    metrics = asked(folder, {"a.csv": text(ROWS)})
    past = importlib.import_module("kit.state").PastMetrics
    return tuple(past(DUE - timedelta(days=7 * weeks), metrics) for weeks in range(5, 0, -1))


CHANGES = {
    "RowsTwice": [*ROWS, *ROWS[:20]],
    "OddNumber": [*ROWS[:-1], ("2026-09-06", "tea", "")],
    "UnusualNumber": [(day, kind, f"{amount[:-3]}000.50") for day, kind, amount in ROWS],
    "MissingDay": [(max(day, "2026-09-05"), kind, amount) for day, kind, amount in ROWS],
    "NewName": [*ROWS[:-1], ("2026-09-06", "gin", "159.50")],
    "OddDate": [*ROWS[:-1], ("06.09.2026", "tea", "159.50")],
    "StaleFile": [(day.replace("-09-", "-08-"), kind, amount) for day, kind, amount in ROWS],
    "OutsideWindow": [*ROWS[:-1], ("2026-11-06", "tea", "159.50")],
}


@pytest.mark.parametrize("name", CHANGES)
def test_what_is_not_as_before_halts_by_name(tmp_path: Path, name: str) -> None:
    history = earlier(tmp_path)

    with pytest.raises(inside.kit().Surprise) as halted:
        asked(tmp_path, {"a.csv": text(CHANGES[name])}, history)

    assert halted.value.name == name


def test_the_same_rows_in_another_order_and_a_holiday_are_no_surprise(tmp_path: Path) -> None:
    history = earlier(tmp_path)
    rows = [row for row in reversed(ROWS) if row[0] != "2026-09-03"]

    assert asked(tmp_path, {"a.csv": text(rows)}, history)["days of a.csv"] == 5


def test_a_table_begins_where_its_rows_do_and_not_where_a_late_one_does(tmp_path: Path) -> None:
    late = [("2026-08-30", "tea", "100.50"), *ROWS]

    assert asked(tmp_path, {"a.csv": text(late)})["days since the entries begin"] == 6.2917


def test_two_days_of_the_week_before_on_top_of_this_week_are_heard(tmp_path: Path) -> None:
    history = earlier(tmp_path)
    both = [*((f"2026-08-{29 + day}", kind, amount) for day in (0, 1) for _, kind, amount in ROWS[:10]), *ROWS]

    with pytest.raises(inside.kit().Surprise) as halted:
        asked(tmp_path, {"a.csv": text(both)}, history)

    assert (halted.value.name, halted.value.file) == ("OutsideWindow", "a.csv")


def test_a_file_that_ends_long_before_the_others_is_named(tmp_path: Path) -> None:
    short = [row for row in ROWS if row[0] <= "2026-09-02"]

    with pytest.raises(inside.kit().Surprise) as halted:
        asked(tmp_path, {"a.csv": text(ROWS), "b.csv": text(short)})

    assert (halted.value.name, halted.value.file) == ("EndsEarly", "b.csv")
