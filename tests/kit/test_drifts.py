"""Drifts: the same for the same seed, really a change, a third held out, refused where nothing can change."""

import gzip
import json
import random
from datetime import date, timedelta

import pytest

from sandbox.drifts import DRIFTS, DoesNotFit, is_held_out
from sandbox.drifts.apply import first_part
from sandbox.drifts.stamped import shifted
from tests.bench.workbooks import workbook
from tests.library.other_kinds import in_kind
from tests.library.weeks import a_log, a_table

DAYS = [date(2026, 8, 31) + timedelta(days=number // 8) for number in range(56)]


def a_rich_table() -> bytes:
    """Every sort of column: dates, codes, text, two of numbers, over a week."""
    lines = ["day,code,place,currency,revenue,costs"]
    for number, day in enumerate(DAYS):
        place = "north" if number % 3 else "south"
        lines.append(f"{day},{number % 9:05},{place},NOK,{1200 + number}.50,{900 + number}.25")
    return ("\n".join(lines) + "\n").encode()


def a_workbook() -> bytes:
    rows = [[day, f"place {number % 4}", 1200.5 + number] for number, day in enumerate(DAYS)]
    return workbook([["day", "place", "revenue"], *rows])


def a_week_log() -> bytes:
    lines = [
        a_log(random.Random(day), 12, traces=True).decode().replace("2026-08-31", f"{DAYS[day * 8]}")
        for day in range(7)
    ]
    return "".join(lines).encode()


def json_lines() -> bytes:
    lines = [
        json.dumps({"time": f"{day}T05:00:00Z", "level": level, "msg": f"scan {number}"})
        for number, (day, level) in enumerate(zip(DAYS, ("INFO", "ERROR", "WARN", "DEBUG") * 14, strict=True))
    ]
    return ("\n".join(lines) + "\n").encode()


TABLE = {"a.csv": a_rich_table()}
HEALTHY = {
    "text log": a_week_log(),
    "csv": a_rich_table(),
    "json lines": json_lines(),
    "excel": a_workbook(),
    "parquet": in_kind("parquet", TABLE)["a.parquet"],
    "json": in_kind("json", TABLE)["a.json"],
}
CASES = [(one, kind) for one in DRIFTS.values() for kind in one.fits]


@pytest.mark.parametrize(("drift", "kind"), CASES, ids=[f"{one.id}-{kind}" for one, kind in CASES])
def test_a_drift_changes_what_it_fits_and_is_the_same_for_the_same_seed(drift, kind):
    week = {"a": HEALTHY[kind], "b": HEALTHY[kind][: len(HEALTHY[kind]) // 2]}

    first = drift.happen(week, "a", seed=3)

    assert first == drift.happen(week, "a", seed=3)
    assert (first == week) == drift.is_sent_again


def test_there_are_many_drifts_and_each_says_in_words_of_its_own_what_happened():
    assert len(DRIFTS) >= 60
    assert {kind for drift in DRIFTS.values() for kind in drift.fits} == set(HEALTHY)
    assert len({drift.says for drift in DRIFTS.values()}) == len(DRIFTS)
    assert all(drift.says[0].islower() and not drift.says.endswith(".") for drift in DRIFTS.values())
    assert any(drift.keeps_meaning for drift in DRIFTS.values())


def test_a_third_is_held_out_by_a_hash_that_nobody_chose():
    held_out = {drift_id for drift_id in DRIFTS if is_held_out(drift_id)}

    assert len(DRIFTS) // 4 < len(held_out) < len(DRIFTS) * 2 // 5
    assert {"decimal-comma", "unit-changed", "file-missing", "log-ends-early", "damaged-letters"} <= held_out
    assert {"log-to-json", "sent-again", "column-renamed"}.isdisjoint(held_out)


def test_a_log_as_json_keeps_every_record_and_its_level():
    log = a_log(random.Random(1), 60, traces=True)
    _, data = DRIFTS["log-to-json"].apply("a.log", log, seed=1)

    records = [json.loads(line) for line in data.splitlines()]
    assert len(records) == 60
    assert sum(record["level"] == "error" for record in records) == log.count(b" ERROR ")


def test_a_packed_file_holds_the_same():
    name, data = DRIFTS["file-gzipped"].apply("a.csv", HEALTHY["csv"], seed=1)

    assert (name, gzip.decompress(data)) == ("a.csv", HEALTHY["csv"])


def test_a_packed_log_is_changed_inside_and_packed_again():
    _, data = DRIFTS["level-lower-case"].apply("a.log", gzip.compress(HEALTHY["text log"], mtime=0), seed=1)

    assert b" error " in gzip.decompress(data)


def test_only_columns_that_the_plan_speaks_of_are_struck():
    _, *rows = DRIFTS["unit-changed"].happen({"a": HEALTHY["csv"]}, "a", 1, ("costs",))["a"].decode().splitlines()
    _, *before = HEALTHY["csv"].decode().splitlines()

    assert [row.rsplit(",", 1)[0] for row in rows] == [row.rsplit(",", 1)[0] for row in before]
    assert rows[0].endswith(",900250.00")


def test_a_large_file_is_cut_between_lines_also_inside_an_archive(tmp_path):
    data = a_table(random.Random(1), 20) * 50
    (tmp_path / "plain").write_bytes(data)
    (tmp_path / "packed").write_bytes(gzip.compress(data, mtime=0))

    plain, packed = (first_part(tmp_path / name, 2_000) for name in ("plain", "packed"))

    assert plain == gzip.decompress(packed)
    assert data.startswith(plain) and plain.endswith(b"\n") and 1_900 < len(plain) <= 2_000


@pytest.mark.parametrize(
    ("drift", "data"),
    [("decimal-comma", b"a,b\n1,2\n"), ("column-renamed", b"a,b\n"), ("level-lower-case", b"no level\n")],
)
def test_what_cannot_change_is_refused(drift, data):
    with pytest.raises(DoesNotFit):
        DRIFTS[drift].apply("a", data, seed=1)


@pytest.mark.parametrize(
    ("written", "a_week_before"),
    [
        ("2026-12-07,x", "2026-11-30,x"),
        ("07.12.2026;1.234,56", "30.11.2026;1.234,56"),
        ("7.1.2026 10:00;x\n12.1.2026;x", "31.12.2025 10:00;x\n5.1.2026;x"),
        ("12/31/2026,x\n12/07/2026,x", "12/24/2026,x\n11/30/2026,x"),
        ("12/31/2026,x\n07/07/2026,x", "12/24/2026,x\n06/30/2026,x"),
        ("31/12/2026,x\n07/12/2026,x", "24/12/2026,x\n30/11/2026,x"),
        ("13-12-2026,10.0.0.1,1.2.34,31.31.2026", "06-12-2026,10.0.0.1,1.2.34,31.31.2026"),
    ],
)
def test_dates_are_moved_in_the_form_they_are_written_in(written: str, a_week_before: str) -> None:
    assert shifted(written.encode(), timedelta(days=-7)).decode() == a_week_before
