"""What every log is asked: days that are missing or of another time, an order that is lost, and silence."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from tests import inside

DUE = datetime(2026, 9, 7, 7, tzinfo=UTC)
READER = {"format": "text", "stamp": "iso", "levels": {"INFO": "INFO", "ERROR": "ERROR"}}
WEEK = [
    f"2026-09-0{day} {hour:02}:10:00 {'ERROR' if hour == 5 else 'INFO'} scan {hour}\n"
    for day in range(1, 7)
    for hour in range(24)
]
kit = inside.kit()


def asked(folder: Path, lines: Sequence[str], past: Sequence[dict[str, float]] = (), block: int = 4_000_000) -> Any:
    """One log asked as a script asks it; the metrics that it would keep."""
    (folder / "inputs").mkdir(exist_ok=True)
    (folder / "inputs" / "a.log").write_text("".join(lines))
    history = [(DUE - timedelta(days=7 * weeks), one, {}) for weeks, one in zip(range(9, 0, -1), past, strict=False)]
    parameters = {"readers": {"default": READER}, "expected_files": [], "leave_out": []}
    inside.begin(folder / "inputs", parameters, slot=inside.slot(DUE, DUE - timedelta(days=7), history))
    for file in kit.agreed_files():
        log = kit.read_log(file)
        log.block_bytes = block
        errors = len(list(log.only(["ERROR"])))
        kit.check_log(file, log)
    kit.check_silence("errors", errors)
    return importlib.import_module("kit.state").current().declared.metrics


def surprise_of(folder: Path, lines: Sequence[str], **more: Any) -> str:
    with pytest.raises(kit.Surprise) as halted:
        asked(folder, lines, **more)
    return str(halted.value.name)


CHANGES = {
    "OutOfOrder": [*WEEK[48:], *WEEK[:48]],
    "OddTime": [*WEEK[:70], WEEK[70].replace("2026-09-03", "1970-01-01"), *WEEK[71:]],
    "MissingDay": [line for line in WEEK if line[:10] not in ("2026-09-03", "2026-09-04")],
    "UnusualNumber": [line for line in WEEK for _ in range(4)],
    "Silence": [line.replace("ERROR", "INFO") for line in WEEK],
    "OddFile": ["{}\n"] * 20,
    "UnknownLevel": [*WEEK, "2026-09-06 23:50:00 ODD scan\n"],
    "OutsideWindow": [WEEK[0].replace("09-01", "08-20"), *WEEK],
}


@pytest.mark.parametrize("block", [4_000_000, 700], ids=["one block", "many blocks"])
@pytest.mark.parametrize("name", CHANGES)
def test_what_is_not_as_before_halts_by_name(tmp_path: Path, name: str, block: int) -> None:
    usual = asked(tmp_path, WEEK)

    assert surprise_of(tmp_path, CHANGES[name], past=[usual] * 5, block=block) == name


def test_a_log_that_never_was_in_order_need_not_be(tmp_path: Path) -> None:
    mixed = [*WEEK[48:], *WEEK[:48]]
    usual = asked(tmp_path, mixed)

    assert usual["share of late records of a.log"] == 0.3333
    asked(tmp_path, mixed, past=[usual] * 5)


def test_a_clock_set_back_by_an_hour_and_a_late_record_are_in_order(tmp_path: Path) -> None:
    again = [line.replace(":10:", ":11:") for line in WEEK[50:51]]

    metrics = asked(tmp_path, [*WEEK[:52], *again, *WEEK[52:]])

    assert metrics["share of late records of a.log"] == 0


@pytest.mark.parametrize("block", [4_000_000, 20_000, 3_000, 700])
@pytest.mark.parametrize("name", ["as it is", *CHANGES])
def test_days_are_counted_alike_by_the_block_and_line_by_line(tmp_path: Path, name: str, block: int) -> None:
    lines = CHANGES.get(name, WEEK)
    (tmp_path / "a.log").write_text("".join(lines))
    inside.begin(tmp_path, {"readers": {"default": READER}})
    [file] = kit.inputs()
    slow, fast = kit.read_log(file), kit.read_log(file)
    fast.block_bytes = block

    list(slow)
    list(fast.only(["ERROR"]))

    assert fast.days.records == slow.days.records
    assert bool(fast.days.late) == bool(slow.days.late)
    assert (fast.days.oldest, fast.days.newest) == (slow.days.oldest, slow.days.newest)


@pytest.mark.parametrize("block", [4_000_000, 700])
def test_a_log_covers_its_oldest_and_newest_record_wherever_they_stand(tmp_path: Path, block: int) -> None:
    (tmp_path / "a.log").write_text("".join([*WEEK[60:100], *WEEK[100:], *WEEK[:60]]))
    inside.begin(tmp_path, {"readers": {"default": READER}})
    log = kit.read_log(kit.inputs()[0])
    log.block_bytes = block
    list(log.only(["ERROR"]))

    [facts] = inside.look([tmp_path / "a.log"])
    ends = ("2026-09-01T00:10:00", "2026-09-06T23:10:00")
    assert (facts.first_at[:19], facts.last_at[:19]) == ends
    assert (log.span.first_at.isoformat()[:19], log.span.last_at.isoformat()[:19]) == ends
