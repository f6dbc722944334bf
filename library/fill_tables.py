"""Table readers from facts, whatever kind of file the table is in: its form, and which column plays which role."""

from __future__ import annotations

from library.catalog import ParameterSpec
from library.columns import dated_column, note_span, role_columns
from library.facts import CsvFacts, FileFacts, FileKind, name_pattern
from library.fill_csv import codes, csv_reader, explains_csv, is_as_meant
from library.fill_units import are_agreed, units, with_names_asked
from library.filling import Filling
from library.readers import Reader, earlier_reader, is_packed_alike, packing, with_default
from library.toml_text import TomlValue

JSON_KINDS = (FileKind.JSON, FileKind.JSON_LINES)
KINDS = (FileKind.CSV, FileKind.EXCEL, FileKind.PARQUET, *JSON_KINDS)
_NO_HEADER = "none of its first lines is a header (names, each once, none a number or a date) above rows as wide"
_NO_TABLE = {FileKind.EMPTY: "it is empty", FileKind.TEXT: f"it is no table but text: {_NO_HEADER}"}


def table_readers(spec: ParameterSpec, filling: Filling) -> TomlValue:
    """{"default": reader, pattern: reader}; a repair keeps every reader that still fits its file."""
    left_out = filling.left_out()
    chosen = []
    for facts in filling.files:
        if name_pattern(facts.name) in left_out or not _is_usable(facts, filling):
            continue
        earlier = earlier_reader(filling, spec.name, facts.name)
        if earlier is not None and explains(earlier, facts):
            note_span(earlier, facts, filling)
            assert facts.csv is not None
            others = {} if are_agreed(earlier, facts.csv, filling) else units(spec, facts, facts.csv, filling)
            chosen.append((facts.name, {**earlier, **others}))
        else:
            chosen.append((facts.name, _reader(spec, facts, filling)))
    return with_default(filling, spec.name, with_names_asked(spec, chosen, filling))


def explains(reader: Reader, facts: FileFacts) -> bool:
    """Whether this reader reads the file as its facts describe it."""
    table = facts.csv
    if table is None:
        return False
    if facts.kind is FileKind.CSV:
        return reader.get("kind", "csv") == "csv" and explains_csv(reader, facts)
    same = all(reader.get(name) == value for name, value in _form(facts, table).items())
    return same and (facts.kind not in JSON_KINDS or is_packed_alike(reader, facts))


def _reader(spec: ParameterSpec, facts: FileFacts, filling: Filling) -> Reader:
    table = facts.csv
    assert table is not None
    if facts.kind is FileKind.CSV:
        return csv_reader(spec, facts, table, filling)
    reader = _form(facts, table)
    columns = role_columns(spec, facts, table, filling)
    dated = dated_column(spec, facts, table, filling)
    if columns:
        reader["columns"] = columns
    if "dated" in dated:  # its cells are dates by their type, so no layout is needed
        reader["dated"] = dated["dated"]
    reader |= units(spec, facts, table, filling)
    if facts.kind is FileKind.EXCEL:
        reader |= codes(table)
    return reader | (packing(filling, facts) if facts.kind in JSON_KINDS else {})


def _form(facts: FileFacts, table: CsvFacts) -> Reader:
    """What the kit's reader of this kind must know to read the file at all."""
    if facts.kind is FileKind.EXCEL:
        skipped: Reader = {"skip_lines": table.skip_lines} if table.skip_lines else {}
        others: Reader = {"other_sheets": True} if table.has_twins else {}
        return {"kind": "excel", "sheet": facts.sheet, "header": list(table.header), **skipped, **others}
    if facts.kind is FileKind.PARQUET:
        return {"kind": "parquet", "types": {column.name: column.kind for column in table.columns}}
    optional = [column.name for column in table.columns if column.is_optional]
    keys = [column.name for column in table.columns if not column.is_optional]
    reader: Reader = {"kind": "json", "format": table.json_form, "keys": keys}
    if optional:
        reader["optional"] = optional
    if table.json_records:
        reader["records"] = table.json_records
    return reader


def _is_usable(facts: FileFacts, filling: Filling) -> bool:
    table = facts.csv
    if table is None or facts.kind not in KINDS:
        why = facts.problem or _NO_TABLE.get(facts.kind, f"it is no table but {facts.kind}")
        filling.ask_to_leave_out(facts, why)
        return False
    if table.odd_rows:
        words = f"{table.odd_rows:,} of its rows are not as wide as its header"
        filling.ask_to_leave_out(facts, "; ".join(table.oddities) or words)
        return False
    return is_as_meant(facts, table, filling)
