"""The proven scripts over every kind of file the kit reads: the same report whatever the data comes in."""

import json
from datetime import datetime
from decimal import Decimal
from pathlib import Path

import polars
import pytest

from library.catalog import load_catalog
from library.facts import FileKind
from library.fill import fill
from library.match import match
from sandbox.outcome import Report, Surprised
from tests.bench.workbooks import workbook
from tests.library.conftest import WINDOW
from tests.library.other_kinds import KINDS as OTHER_KINDS
from tests.library.other_kinds import in_kind
from tests.library.weeks import a_week_of_logs, counted, subsidiaries

NAMES = ["date", "customer", "revenue_nok", "costs_nok"]


def rows() -> list[list[str]]:
    (table,) = subsidiaries(count=1).values()
    return [line.split(",") for line in table.decode().splitlines()[1:]]


def typed() -> list[list[object]]:
    return [[datetime.fromisoformat(day), name, float(a), float(b)] for day, name, a, b in rows()]


def as_json(numbers: list[list[str]]) -> list[str]:
    return [
        f'{{"date": "{day}", "who": {{"customer": "{name}"}}, "revenue_nok": {a}, "costs_nok": {b}}}'
        for day, name, a, b in numbers
    ]


def parquet(folder: Path, exact: bool) -> bytes:
    frame = polars.DataFrame(typed(), schema=NAMES, orient="row")
    if exact:
        frame = frame.with_columns(polars.col("revenue_nok", "costs_nok").cast(polars.Decimal(18, 2)))
    frame.write_parquet(folder / "made.parquet")
    return (folder / "made.parquet").read_bytes()


def made(folder: Path) -> dict[str, bytes]:
    lines = as_json(rows())
    return {
        "a.csv": "\n".join([",".join(NAMES), *(",".join(row) for row in rows()), ""]).encode(),
        "a.xlsx": workbook([NAMES, *typed()]),
        "a.parquet": parquet(folder, exact=True),
        "floats.parquet": parquet(folder, exact=False),
        "a.jsonl": "".join(f"{line}\n" for line in lines).encode(),
        "list.json": f"[{', '.join(lines)}]\n".encode(),
        "object.json": f'{{"meta": {{"pages": 1}}, "data": {{"rows": [{", ".join(lines)}]}}}}\n'.encode(),
    }


KINDS = ["a.xlsx", "a.parquet", "floats.parquet", "a.jsonl", "list.json", "object.json"]


@pytest.mark.parametrize("name", KINDS)
def test_a_table_of_any_kind_gives_the_report_that_the_csv_gives(lab, catalog, tmp_path, name):
    script, files = catalog["ranked-margin"], made(tmp_path)
    _, expected = lab.fill_and_run(script, {"a.csv": files["a.csv"]})

    filled, outcome = lab.fill_and_run(script, {name: files[name]})

    assert isinstance(outcome, Report), outcome
    assert [row[2:] for row in outcome.tables[0].rows] == [row[2:] for row in expected.tables[0].rows]
    assert "2026-09-01 to 2026-09-06" in outcome.markdown
    assert filled.parameters["readers"]["default"]["dated"] == "date"


@pytest.mark.parametrize("name", KINDS)
def test_a_repair_keeps_a_reader_that_still_fits(lab, catalog, tmp_path, name):
    script, data = catalog["ranked-margin"], made(tmp_path)[name]
    facts = lab.put({name: data})
    filled = fill(script, facts, window=WINDOW)

    assert fill(script, facts, before=filled.parameters, window=WINDOW).parameters == filled.parameters


@pytest.mark.parametrize("name", KINDS)
def test_a_last_row_that_adds_up_the_others_halts_in_every_kind(lab, catalog, tmp_path, name):
    script, data = catalog["ranked-margin"], made(tmp_path)[name]
    filled, _ = lab.fill_and_run(script, {name: data})
    sums = [sum(Decimal(row[place]) for row in rows()) for place in (2, 3)]
    total = ["2026-09-06", "Bergen", *map(str, sums)]
    if name.endswith(".xlsx"):
        changed = workbook([NAMES, *typed(), [datetime(2026, 9, 6), "Bergen", *map(float, sums)]])
    elif name.endswith(".parquet"):
        frame = polars.read_parquet(data)
        last = polars.DataFrame([[datetime(2026, 9, 6), "Bergen", *map(float, sums)]], schema=NAMES, orient="row")
        polars.concat([frame, last.cast(dict(frame.schema))]).write_parquet(tmp_path / "total.parquet")
        changed = (tmp_path / "total.parquet").read_bytes()
    else:
        (line,) = as_json([total])
        end = b"]" if b"]" in data else b""
        place = data.index(end) if end else len(data)
        changed = data[:place] + (b", " if end else b"") + line.encode() + (b"" if end else b"\n") + data[place:]
    lab.put({name: changed})

    halted = lab.run(script, filled.parameters)

    assert isinstance(halted, Surprised), halted
    assert halted.name == "TotalRow"


def test_json_numbers_in_quotes_and_lost_keys_are_heard(lab, catalog, tmp_path):
    script, data = catalog["ranked-margin"], made(tmp_path)["a.jsonl"]
    filled, _ = lab.fill_and_run(script, {"a.jsonl": data})
    first = data.splitlines(keepends=True)[0]
    record = json.loads(first)
    quoted = json.dumps({**record, "revenue_nok": str(record["revenue_nok"])}).encode() + b"\n"
    lost = first.replace(b"costs_nok", b"costs_sek")

    for changed, name in ((quoted, "OddNumber"), (lost, "OddKeys")):
        lab.put({"a.jsonl": data.replace(first, changed)})
        assert lab.run(script, filled.parameters).name == name


def test_logfmt_logs_are_counted(lab, catalog):
    week = {
        name: b"".join(
            b'time="%s" level=%s msg="%s"\n' % (line[:23].replace(b",", b"."), line.split()[2].lower(), b"x")
            for line in data.splitlines()
            if line[:2] == b"20"
        )
        for name, data in a_week_of_logs().items()
    }

    filled, outcome = lab.fill_and_run(catalog["log-error-summary"], week)

    assert filled.parameters["readers"]["default"]["format"] == "logfmt"
    assert isinstance(outcome, Report)
    assert outcome.metrics["errors"] == counted(a_week_of_logs(), "ERROR")
    assert "2026-08-31" in outcome.markdown


@pytest.mark.parametrize("name", KINDS)
def test_each_kind_is_picked_for_and_named_in_the_reason(spoken, lab, catalog, tmp_path, name):
    facts = lab.put({name: made(tmp_path)[name]})

    found = match(spoken("the net margins"), facts, catalog)[0]

    assert found.script.name == "ranked-margin"
    assert facts[0].kind in (FileKind.EXCEL, FileKind.PARQUET, FileKind.JSON, FileKind.JSON_LINES)
    assert 'The request says "net", "margins", and the file is' in found.reason


TABLE_SCRIPTS = sorted(name for name, script in load_catalog().items() if FileKind.EXCEL in script.kinds)


@pytest.mark.parametrize("name", TABLE_SCRIPTS)
@pytest.mark.parametrize("kind", OTHER_KINDS)
def test_every_table_script_makes_its_report_of_its_sample_in_any_kind(lab, catalog, name, kind):
    script = catalog[name]
    sample = {path.name: path.read_bytes() for path in sorted((script.folder / "sample").iterdir())}

    _, outcome = lab.fill_and_run(script, in_kind(kind, sample), **script.sample_answers)

    assert isinstance(outcome, Report), outcome
    expected = (script.folder / "expected.md").read_text(encoding="utf-8")
    assert outcome.document().replace(f".{kind}", ".csv") == expected


def test_all_but_the_log_scripts_read_every_kind_of_table():
    assert len(TABLE_SCRIPTS) == 10
