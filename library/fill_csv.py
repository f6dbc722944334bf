"""Table readers from facts: dialect and exact header of each file, and which column plays which role."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

from library.catalog import ParameterSpec
from library.columns import dated_column, role_columns
from library.facts import CsvFacts, FileFacts, name_pattern
from library.fill_units import units
from library.filling import AS_IT_IS, FILE, Choice, Filling, leave_out
from library.readers import Reader, is_packed_alike, packing


def explains_csv(reader: Reader, facts: FileFacts) -> bool:
    """Whether this reader reads the file as its facts describe it."""
    table = facts.csv
    if table is None:
        return False
    header = reader.get("header")
    same_header = isinstance(header, Sequence) and list(header) == list(table.header)
    dialect = _dialect(table)
    names = ["delimiter", "quote", "escape", "skip_lines"]
    names += ["decimal", "thousands"] if table.has_marks else []
    names += ["multiline"] if table.multiline else []
    names += [name for name in ("garbled", "exponents") if getattr(table, name)]
    same_dialect = all(reader.get(name) == dialect.get(name) for name in names)
    return same_header and same_dialect and is_packed_alike(reader, facts)


def csv_reader(spec: ParameterSpec, facts: FileFacts, table: CsvFacts, filling: Filling) -> Reader:
    if not table.has_marks:
        table = replace(table, decimal=_usual_decimal(filling))
    if table.numbers_are_ambiguous:
        table = _with_asked_marks(facts, table, filling)
    columns = role_columns(spec, facts, table, filling)
    return {
        **_dialect(table),
        "header": list(table.header),
        "columns": columns,
        **dated_column(spec, facts, table, filling),
        **codes(table),
        **units(spec, facts, table, filling),
        **_decimals(facts, table, columns.values()),
        **packing(filling, facts),
    }


def _dialect(table: CsvFacts) -> Reader:
    reader: Reader = {"delimiter": table.delimiter, "decimal": table.decimal}
    if table.thousands:
        reader["thousands"] = table.thousands
    if table.multiline:
        reader["multiline"] = True
    if table.garbled:
        reader["garbled"] = True
    if table.exponents:
        reader["exponents"] = True
    if table.quote != '"':
        reader["quote"] = table.quote
    if table.escape:
        reader["escape"] = table.escape
    if table.skip_lines:
        reader["skip_lines"] = table.skip_lines
    return reader


def codes(table: CsvFacts) -> Reader:
    """Columns whose cells all have so many digits, the first often a zero: a number program would take it away."""
    digits = {column.name: int(column.kind.split()[2]) for column in table.columns if column.kind.startswith("code")}
    return {"codes": digits} if digits else {}


def _with_asked_marks(facts: FileFacts, table: CsvFacts, filling: Filling) -> CsvFacts:
    ask = f"In {facts.name} a number like 1.234 could be a thousand or one and a bit. Which mark is the decimal mark?"
    choices = (Choice(".", "a point: 1.234 is a bit more than one"), Choice(",", "a comma: 1.234 is a thousand"))
    answer = filling.answer("decimal mark", ask, choices)
    if not answer:
        return table
    thousands = "" if answer == table.decimal and not table.thousands else ("." if answer == "," else ",")
    return replace(table, decimal=answer, thousands=thousands)


def _decimals(facts: FileFacts, table: CsvFacts, columns: Iterable[str]) -> Reader:
    """Where the last line has no end, a cut-off number shows by its digits only, if all others have as many."""
    if facts.final_newline:
        return {}
    digits = {one.name: one.decimals for one in table.columns if one.name in set(columns) and one.decimals}
    return {"decimals": digits} if digits else {}


def _usual_decimal(filling: Filling) -> str:
    """A file of whole numbers shows no decimal mark; it will use the one its neighbours use."""
    marks = Counter(one.csv.decimal for one in filling.files if one.csv is not None and one.csv.has_marks)
    return marks.most_common(1)[0][0] if marks else "."


def is_as_meant(facts: FileFacts, table: CsvFacts, filling: Filling) -> bool:
    """What looks odd is read only after a person said so; the kit's reader still halts at what it cannot admit."""
    pattern = name_pattern(facts.name)
    if table.skip_lines:
        named = ", ".join(table.header[:6])
        ask = f"The first {table.skip_lines} lines of {facts.name} seem to stand above its table, whose columns are "
        said = Choice(str(table.skip_lines), f"Yes, skip {table.skip_lines} lines every time")
        if not filling.answer(f"preamble:{pattern}", f"{ask}{named}. Is that so?", (said,)):
            return False
    if not table.oddities:
        return True
    ask = f"{facts.name} is not as a table should be: {'; '.join(table.oddities)}. How is it read?"
    choices = (Choice(AS_IT_IS, "As it is; a script that needs it otherwise halts"), leave_out(facts))
    return filling.answer(FILE + pattern, ask[:1_500], choices) == AS_IT_IS
