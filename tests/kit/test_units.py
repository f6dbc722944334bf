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


def asked(
    folder: Path,
    files: dict[str, bytes],
    reader: dict[str, Any] | None = None,
    readers: dict[str, Any] | None = None,
    **keywords: Any,
) -> None:
    """The files asked as a script of totals asks them, by one reader or by one for each."""
    (folder / "inputs").mkdir(exist_ok=True)
    for name, data in files.items():
        (folder / "inputs" / name).write_bytes(data)
    state = importlib.import_module("kit.state")
    slot = state.SlotFacts(DUE, DUE - timedelta(days=7), DUE, "UTC", ())
    parameters = {"readers": {"default": reader or {}, **(readers or {})}, "expected_files": [], "leave_out": []}
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


def by_name(tables: dict[str, tuple[list[str], str, dict[str, Any]]]) -> tuple[dict[str, bytes], dict[str, Any]]:
    """Files, and a reader for each: name -> header, unit, what more its reader says."""
    files = {name: csv_of(header, rows(unit)) for name, (header, unit, _) in tables.items()}
    return files, {name: of_csv(header, **more) for name, (header, _, more) in tables.items()}


def of_two(north: str, south: str, code: str, *, agreed: bool) -> tuple[dict[str, bytes], Any]:
    """North in NOK and south in another, each in a column of its own name; agreed one by one, as samples are."""
    more = {"north.csv": {"units": {north: ["NOK"]}}, "south.csv": {"units": {south: [code]}}} if agreed else {}
    return by_name(
        {
            "north.csv": (["shop", "amount", north], "NOK", more.get("north.csv", {})),
            "south.csv": (["shop", "amount", south], code, more.get("south.csv", {})),
        }
    )


@pytest.mark.parametrize("agreed", [True, False])
@pytest.mark.parametrize(
    ("north", "south"), [("currency", "currency"), ("currency", "Currency"), ("currency", "valuta")]
)
def test_files_in_currencies_of_their_own_halt_whatever_the_columns_are_called(
    tmp_path: Path, north: str, south: str, agreed: bool
) -> None:
    files, readers = of_two(north, south, "EUR", agreed=agreed)

    with pytest.raises(inside.kit().Surprise, match=r"south.csv has amounts in EUR, and those of north.csv are in NOK"):
        asked(tmp_path, files, readers=readers)


@pytest.mark.parametrize("agreed", [True, False])
def test_one_currency_under_two_names_is_no_surprise(tmp_path: Path, agreed: bool) -> None:
    files, readers = of_two("currency", "valuta", "NOK", agreed=agreed)

    asked(tmp_path, files, readers=readers)


def test_a_currency_and_a_unit_are_two_kinds(tmp_path: Path) -> None:
    files, readers = of_two("currency", "unit", "kg", agreed=True)

    asked(tmp_path, files, readers=readers)


@pytest.mark.parametrize(("code", "halts"), [("EUR", True), ("NOK", False)])
def test_a_currency_in_the_name_of_a_number_is_one_too(tmp_path: Path, code: str, halts: bool) -> None:
    files, readers = by_name(
        {
            "north.csv": (["shop", "revenue_nok", "note"], "", {}),
            "south.csv": (["shop", "amount", "currency"], code, {"units": {"currency": [code]}}),
        }
    )
    surprise = pytest.raises(inside.kit().Surprise, match=r"south.csv has amounts in EUR, and those of north.csv")

    with surprise if halts else contextlib.nullcontext():
        asked(tmp_path, files, readers=readers)

    readers["north.csv"]["units"] = {"revenue_nok": ["EUR", "NOK"]}
    asked(tmp_path, files, readers=readers)


def test_several_that_were_admitted_under_two_names_are_read(tmp_path: Path) -> None:
    files, readers = of_two("currency", "valuta", "EUR", agreed=False)
    readers["north.csv"]["units"] = {"currency": ["EUR", "NOK"]}
    readers["south.csv"]["units"] = {"valuta": ["EUR", "NOK"]}

    asked(tmp_path, files, readers=readers)


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
