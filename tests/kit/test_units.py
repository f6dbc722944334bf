"""Amounts in several currencies or units are no sum: they halt by name, until a reader's parameter admits them."""

from __future__ import annotations

import contextlib
import importlib
from datetime import UTC, datetime, timedelta
from io import BytesIO
from pathlib import Path
from typing import Any

import openpyxl
import polars
import pytest

from tests import inside

DUE = datetime(2026, 9, 7, 7, tzinfo=UTC)
inside.kit()
Rows = list[tuple[str, float, str]]


def rows(*units: str) -> Rows:
    """Forty rows; their units take turns."""
    return [(f"shop {number % 3}", 100.5 + number, units[number % len(units)]) for number in range(40)]


def csv_of(header: list[str], table: Rows) -> bytes:
    return ("\n".join([",".join(header), *(",".join(map(str, row)) for row in table)]) + "\n").encode()


def asked(folder: Path, files: dict[str, bytes], reader: dict[str, Any], **keywords: Any) -> None:
    """The files asked as a script of totals asks them."""
    (folder / "inputs").mkdir(exist_ok=True)
    for name, data in files.items():
        (folder / "inputs" / name).write_bytes(data)
    state = importlib.import_module("kit.state")
    slot = state.SlotFacts(DUE, DUE - timedelta(days=7), DUE, "UTC", ())
    parameters = {"readers": {"default": reader}, "expected_files": [], "leave_out": []}
    kit = inside.begin(folder / "inputs", parameters, slot=slot)
    with contextlib.chdir(folder):
        for file in kit.agreed_files():
            kit.check_steady(file, kit.read_table(file), numbers=["amount"], names=["shop"], **keywords)


def of_csv(header: list[str], **more: Any) -> dict[str, Any]:
    return {"header": header, "columns": {"amount": header[1]}, **more}


@pytest.mark.parametrize(
    ("column", "units"),
    [
        ("currency", ("NOK", "EUR")),
        ("Currency code", ("Norwegian krone", "Euro")),
        ("orderCurrency", ("kr", "€")),
        ("valuta", ("nok", "eur")),
        ("place", ("NOK", "EUR", "USD")),
        ("unit", ("kg", "lb")),
        ("UOM", ("pcs", "box")),
    ],
)
def test_amounts_in_several_currencies_or_units_halt(tmp_path: Path, column: str, units: tuple[str, ...]) -> None:
    header = ["shop", "amount", column]

    with pytest.raises(inside.kit().Surprise, match="MixedUnits") as halted:
        asked(tmp_path, {"a.csv": csv_of(header, rows(*units))}, of_csv(header))

    assert f"as its column {column} says" in halted.value.message
    assert '"units" admits several' in halted.value.expected


@pytest.mark.parametrize(
    ("column", "units"),
    [
        ("currency", ("NOK",)),
        ("currency", ("NOK", "nok", " NOK")),
        ("currency", ("NOK", "")),
        ("unit", ("Oslo", "Bergen")),  # units of a business
        ("size", ("S", "M", "L")),
        ("country", ("NO", "SE")),
        ("team", ("CAD", "QA")),
        ("currency rate", ("10.51", "11.52")),
        ("note", ("", "NOK and EUR")),
    ],
)
def test_one_unit_or_what_is_none_is_no_surprise(tmp_path: Path, column: str, units: tuple[str, ...]) -> None:
    header = ["shop", "amount", column]

    asked(tmp_path, {"a.csv": csv_of(header, rows(*units))}, of_csv(header))


def test_each_file_in_a_currency_of_its_own_halts_at_the_second(tmp_path: Path) -> None:
    header = ["shop", "amount", "currency"]
    files = {"north.csv": csv_of(header, rows("NOK")), "south.csv": csv_of(header, rows("EUR"))}

    with pytest.raises(inside.kit().Surprise, match=r"south.csv has amounts in EUR, and those of north.csv are in NOK"):
        asked(tmp_path, files, of_csv(header))


def test_several_are_read_once_the_parameter_admits_them_and_a_third_halts(tmp_path: Path) -> None:
    header = ["shop", "amount", "currency"]
    reader = of_csv(header, units={"currency": ["NOK", "EUR"]})

    asked(tmp_path, {"a.csv": csv_of(header, rows("NOK", "EUR"))}, reader)

    with pytest.raises(inside.kit().Surprise, match="has amounts in USD, and agreed is NOK and EUR"):
        asked(tmp_path, {"a.csv": csv_of(header, rows("NOK", "EUR", "USD"))}, reader)


def test_an_agreed_currency_that_is_another_one_this_week_halts(tmp_path: Path) -> None:
    header = ["shop", "amount", "currency"]
    reader = of_csv(header, units={"currency": ["NOK"]})

    with pytest.raises(inside.kit().Surprise, match="has amounts in EUR, and agreed is NOK"):
        asked(tmp_path, {"a.csv": csv_of(header, rows("EUR"))}, reader)


def test_where_nothing_is_added_up_units_may_differ(tmp_path: Path) -> None:
    header = ["shop", "amount", "unit"]

    asked(tmp_path, {"a.csv": csv_of(header, rows("bar", "°C"))}, of_csv(header), one_unit=False)


@pytest.mark.parametrize("kind", ["excel", "parquet", "json"])
def test_tables_of_every_kind_are_asked(tmp_path: Path, kind: str) -> None:
    header, table = ["shop", "amount", "currency"], rows("NOK", "EUR")
    data, reader = _written(kind, header, table)

    name = f"a.{'xlsx' if kind == 'excel' else kind}"

    with pytest.raises(inside.kit().Surprise, match=r"^MixedUnits: .* has amounts in EUR and in NOK"):
        asked(tmp_path, {name: data}, reader)

    asked(tmp_path, {name: data}, {**reader, "units": {"currency": ["EUR", "NOK"]}})


def _written(kind: str, header: list[str], table: Rows) -> tuple[bytes, dict[str, Any]]:
    out = BytesIO()
    if kind == "excel":
        book = openpyxl.Workbook()
        book.active.title = "Data"
        for row in (header, *table):
            book.active.append(list(row))
        book.save(out)
        return out.getvalue(), {"kind": kind, "header": header, "sheet": "Data"}
    frame = polars.DataFrame(table, schema=header, orient="row")
    if kind == "parquet":
        frame.with_columns(polars.col("amount").cast(polars.Decimal(18, 2))).write_parquet(out)
        types = {"shop": "VARCHAR", "amount": "DECIMAL(18,2)", "currency": "VARCHAR"}
        return out.getvalue(), {"kind": kind, "types": types}
    frame.write_ndjson(out)
    return out.getvalue(), {"kind": kind, "keys": header}
