"""A polluted file read with a plan agreed on its clean twin, and with no plan: right, refused by name, or wrong."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import date, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from types import ModuleType
from typing import Any

from library.catalog import ParameterSpec, ParameterType
from library.facts import FileFacts
from library.fill_logs import log_readers
from library.filling import Filling
from tests import inside
from tests.bench.ingest import reader_of
from tests.bench.pollution import CSV, EXCEL, JSON, LOG, Pollution
from tests.bench.workbooks import workbook

HEADER = ["day", "code", "name", "amount", "share"]
ROWS = 40
NAMES = {CSV: "a.csv", LOG: "a.log", JSON: "a.jsonl", EXCEL: "a.xlsx"}
LOG_SPEC = ParameterSpec("readers", ParameterType.LOG_READERS, "How is each log read?")


def judged(pollution: Pollution, seed: int, folder: Path) -> Iterator[tuple[str, str, str]]:
    """(with or without a plan, ending, words), each way that fits this pollution."""
    chance = random.Random(f"{pollution.kind}{pollution.name}{seed}")
    clean, truth = _clean(pollution.kind, chance)
    path = folder / NAMES[pollution.kind]
    path.write_bytes(clean)
    agreed, _ = _agreed(pollution.kind, path)
    assert agreed is not None, "a clean file must be read without a question"
    path.write_bytes(pollution.change(clean, chance))
    yield "planned", *_ending(pollution.kind, path, agreed, truth)
    if pollution.alone:
        reader, question = _agreed(pollution.kind, path)
        found = ("refused", question) if reader is None else _ending(pollution.kind, path, reader, truth)
        yield "alone", *found


def _ending(kind: str, path: Path, reader: dict[str, Any], truth: object) -> tuple[str, str]:
    kit = inside.begin(path.parent, {"readers": {"default": reader}})
    try:
        seen = _read(kind, kit)
    except kit.Surprise as surprise:
        return "refused", f"{surprise.name}: {surprise.message}"
    except KeyError as error:  # a plan whose columns are not the script's: the run crashes and says so
        return "refused", str(error)
    return ("right", "") if seen == truth else ("silently_wrong", f"{str(seen)[:300]} instead of {str(truth)[:300]}")


def _read(kind: str, kit: ModuleType) -> object:
    """What a careful script reads: everything by its type, and something at all."""
    source = kit.inputs()[0]
    if kind in (LOG, JSON):
        return _levels(kit, source)
    table = kit.read_csv(source) if kind == CSV else kit.read_excel(source)
    rows = [
        (
            row.moment("day").date(),
            row.text("code"),
            row.text("name"),
            row.number("amount"),
            row.number("share"),
        )
        for row in table
    ]
    kit.check("EmptyFile", bool(rows), "there are no rows", file=source.name)
    return rows


def _levels(kit: ModuleType, source: Any) -> Counter[str]:
    log = kit.read_log(source)
    found = Counter(record.level for record in log)
    kit.check("OddFile", log.records > 0, "no record has a level I know", file=source.name)
    kit.check("OddLines", log.explained_share == 1, log.evidence_text, file=source.name)
    return found


def _agreed(kind: str, path: Path) -> tuple[dict[str, Any] | None, str]:
    if kind == EXCEL:
        return {"header": HEADER, "sheet": "Data"}, ""
    facts = inside.look([path])[0]
    return _log_reader(facts) if kind in (LOG, JSON) else _csv_reader(facts)


def _csv_reader(facts: FileFacts) -> tuple[dict[str, Any] | None, str]:
    reader, question = reader_of(facts)
    if reader is not None and facts.csv is not None:
        dates = {one.name: one.dates for one in facts.csv.columns if one.kind == "date"}
        if any(len(layouts) != 1 for layouts in dates.values()):
            return None, "day and month could change places"
        reader["dates"] = {name: layouts[0] for name, layouts in dates.items()}
    return reader, question


def _log_reader(facts: FileFacts) -> tuple[dict[str, Any] | None, str]:
    filling = Filling((replace(facts),), {}, {})
    readers: Mapping[str, Any] = log_readers(LOG_SPEC, filling)  # type: ignore[assignment]  # a table of readers
    return (None, filling.questions[0].ask) if filling.questions else (readers["default"], "")


def _clean(kind: str, chance: random.Random) -> tuple[bytes, object]:
    if kind in (LOG, JSON):
        return _clean_log(kind, chance)
    rows = [_row(number, chance) for number in range(ROWS)]
    if kind == EXCEL:
        cells = [[datetime(d.year, d.month, d.day), code, name, float(a), float(s)] for d, code, name, a, s in rows]
        return workbook([HEADER, *cells]), rows
    lines = [",".join(HEADER), *(",".join(map(str, row)) for row in rows)]
    return "".join(f"{line}\n" for line in lines).encode(), rows


def _row(number: int, chance: random.Random) -> tuple[date, str, str, Decimal, Decimal]:
    return (
        date(2026, 8, 1) + timedelta(days=number % 28),
        f"{chance.randint(10, 9_999):05}",
        f"Bjørn-{chance.choice('ABCDEF')} Ås {number}",
        Decimal(chance.randint(100_000, 999_999)) / 100,
        Decimal(chance.randint(1, 99)) / 100,
    )


def _clean_log(kind: str, chance: random.Random) -> tuple[bytes, Counter[str]]:
    levels = ["INFO", "WARN", "ERROR", *chance.choices(("INFO", "WARN", "ERROR"), (80, 10, 10), k=ROWS)]
    said = {"INFO": "scan done", "WARN": "lamp at 40 %", "ERROR": "detector timed out"}
    lines = []
    for number, level in enumerate(levels):
        at = f"2026-09-0{1 + number // 10} 03:12:{number:02}"
        line = f"{at} {level} [scan] {said[level]}"
        if kind == JSON:
            line = f'{{"time": "{at}", "level": "{level}", "msg": "{said[level]}"}}'
        lines.append(f"{line}\n")
    names = {"WARN": "WARNING"}
    return "".join(lines).encode(), Counter(names.get(level, level) for level in levels)
