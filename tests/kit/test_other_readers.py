"""Parquet, JSON documents, logfmt, and times against the window: right, or a surprise by name."""

import contextlib
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path

import polars
import pytest

from tests import inside
from tests.bench.dirt import CLASSES, WRONG
from tests.bench.judged import judged

DUE = datetime(2026, 9, 7, 5, tzinfo=UTC)
kit = inside.kit()


@pytest.fixture
def given_file(tmp_path):
    def give(name: str, data: bytes, reader: dict):
        (tmp_path / "in").mkdir(exist_ok=True)
        (tmp_path / "in" / name).write_bytes(data)
        slot = inside.slot(DUE, DUE - timedelta(days=7))
        return inside.begin(tmp_path / "in", {"readers": {"default": reader}}, slot=slot).inputs()[0]

    with contextlib.chdir(tmp_path):
        yield give


@pytest.mark.parametrize("pollution", CLASSES, ids=lambda one: f"{one.kind}-{one.name}")
def test_a_polluted_file_is_never_silently_wrong(pollution, tmp_path: Path):
    assert [words for _, ending, words in judged(pollution, 0, tmp_path) if ending == WRONG] == []


def surprise_of(read) -> str:
    with pytest.raises(kit.Surprise) as raised:
        read()
    return raised.value.name


def parquet(tmp_path: Path, **columns) -> bytes:
    polars.DataFrame(columns).write_parquet(tmp_path / "made.parquet")
    return (tmp_path / "made.parquet").read_bytes()


def test_parquet_is_asked_in_sql_when_its_columns_are_as_agreed(given_file, tmp_path):
    reader = {"types": {"name": "VARCHAR", "amount": "BIGINT"}, "columns": {"revenue": "amount"}}
    data = parquet(tmp_path, name=["a", "b"], amount=[1, 2])

    table = kit.read_parquet(given_file("a.parquet", data, reader))

    assert table.sql("SELECT sum(revenue) FROM rows", numbers=["revenue"]) == [(3,)]
    assert table.sql("SELECT max(revenue), max(amount) FROM rows") == [("2", 2)]  # a role is text else, a column itself
    assert table.rows == 2


@pytest.mark.parametrize(
    ("columns", "name"),
    [
        ({"name": ["a"], "amount": ["1"]}, "OddType"),
        ({"name": ["a"], "amount (NOK)": [1]}, "OddHeader"),
        ({"amount": [1], "name": ["a"]}, "OddHeader"),
        (None, "OddParquet"),
    ],
)
def test_other_parquet_is_refused_by_name(given_file, tmp_path, columns, name):
    data = parquet(tmp_path, **columns) if columns else b"PAR1 and no more"
    table = kit.read_parquet(given_file("a.parquet", data, {"types": {"name": "VARCHAR", "amount": "BIGINT"}}))

    assert surprise_of(lambda: table.sql("SELECT 1")) == name


def test_small_and_large_floats_of_parquet_are_exact(given_file, tmp_path):
    data = parquet(tmp_path, amount=[3.25e-05, 1e16, -1e-07, 0.1])
    table = kit.read_parquet(given_file("a.parquet", data, {"types": {"amount": "DOUBLE"}}))

    assert table.sql("SELECT sum(amount) FROM rows", ["amount"])[0][0] == Decimal("10000000000000000.1000324")
    beyond = kit.read_parquet(
        given_file("a.parquet", parquet(tmp_path, amount=[1e300]), {"types": {"amount": "DOUBLE"}})
    )
    assert surprise_of(lambda: beyond.sql("SELECT 1 FROM rows", ["amount"])) == "OddNumber"


RECORDS = b'[{"id": 9007199254740993, "v": 0.1}, {"id": 2, "v": 2}]'


@pytest.mark.parametrize(
    ("data", "reader"),
    [
        (RECORDS, {"format": "list"}),
        (b'{"data": {"rows": ' + RECORDS + b"}}", {"format": "object", "records": "data.rows"}),
        (b'{"id": 9007199254740993, "v": 0.1}\n{"id": 2, "v": 2}\n', {}),
    ],
)
def test_records_of_json_are_read_exactly_whatever_holds_them(given_file, data, reader):
    file = kit.read_json(given_file("a.json", data, {"keys": ["id", "v"], **reader}))

    read = [(record.number("id"), record.number("v")) for record in file]

    assert read == [(9007199254740993, Decimal("0.1")), (2, 2)]


@pytest.mark.parametrize(
    ("data", "name"),
    [
        (b'{"id": "1"}\n', "OddNumber"),
        (b'{"id": true}\n', "OddNumber"),
        (b'{"id": null}\n', "OddKeys"),
        (b'{"ID": 1}\n', "OddKeys"),
        (b'{"id": 1, "new": 2}\n', "OddKeys"),
        (b'{"data": {"id": 1}}\n', "OddKeys"),
        (b'{"id": 1, "id": 2}\n', "BrokenJson"),
        (b'{"id": NaN}\n', "BrokenJson"),
        (b'{"id": 1\n', "BrokenJson"),
        (b'{"id": 1}', "TornEnd"),
        (b"[1]\n", "BrokenJson"),
        (b'[{"id": 1}]\n', "BrokenJson"),
    ],
)
def test_other_records_are_refused_by_name(given_file, data, name):
    file = kit.read_json(given_file("a.json", data, {"keys": ["id"]}))

    assert surprise_of(lambda: [record.number("id") for record in file]) == name


def test_logfmt_is_read_by_its_keys(given_file):
    data = b'ts=2026-09-07T03:12:44Z level=error msg="lamp \\"out\\" = bad"\n'
    data += b"ts=2026-09-07T03:12:45Z level=info msg=ok\n"
    reader = {"format": "logfmt", "level_key": "level", "message_key": "msg", "time_key": "ts"}
    log = kit.read_log(given_file("a.log", data, {**reader, "levels": {"error": "ERROR", "info": "INFO"}}))

    assert [(one.level, one.message) for one in log] == [("ERROR", 'lamp "out" = bad'), ("INFO", "ok")]
    assert log.at(log.last_stamp) == datetime(2026, 9, 7, 3, 12, 45, tzinfo=UTC)


@pytest.mark.parametrize("line", [b"level=error", b"level=error level=info", b"level=error x", b'level=error msg="x'])
def test_what_is_no_logfmt_is_counted_as_unexplained(given_file, line):
    reader = {"format": "logfmt", "level_key": "level", "levels": {"error": "ERROR"}}
    log = kit.read_log(given_file("a.log", line + b"\n", reader))

    assert (list(log), log.unexplained_lines) == ([], 1)
