"""Table readers from facts: dialect and exact header of each file, and which column plays which role."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from library.catalog import ParameterSpec
from library.facts import ColumnFacts, CsvFacts, FileFacts, FileKind, name_pattern
from library.filling import AS_IT_IS, FILE, NONE_ALONE, Choice, Filling, leave_out
from library.readers import Reader, earlier_reader, is_packed_alike, packing, with_default
from library.toml_text import TomlValue

_WORD = re.compile(r"[a-zæøåäöüß]+")


def csv_readers(spec: ParameterSpec, filling: Filling) -> TomlValue:
    """{"default": reader, pattern: reader}; a repair keeps every reader that still fits its file."""
    left_out = filling.left_out()
    chosen = []
    for facts in filling.files:
        if name_pattern(facts.name) in left_out or not _is_usable(facts, filling):
            continue
        earlier = earlier_reader(filling, spec.name, facts.name)
        if earlier is not None and explains(earlier, facts):
            note_span(earlier, facts, filling)
            chosen.append((facts.name, earlier))
        else:
            chosen.append((facts.name, _reader(spec, facts, filling)))
    return with_default(filling, spec.name, chosen)


def explains(reader: Reader, facts: FileFacts) -> bool:
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
    same_dialect = all(reader.get(name) == dialect.get(name) for name in names)
    return same_header and same_dialect and is_packed_alike(reader, facts)


def _reader(spec: ParameterSpec, facts: FileFacts, filling: Filling) -> Reader:
    table = facts.csv
    assert table is not None
    if not table.has_marks:
        table = replace(table, decimal=_usual_decimal(filling))
    if table.numbers_are_ambiguous:
        table = _with_asked_marks(facts, table, filling)
    columns = {role: _column(role, names, facts, table, filling) for role, names in spec.roles.items()}
    return {
        **_dialect(table),
        "header": list(table.header),
        "columns": {role: name for role, name in columns.items() if name},
        **dated_column(spec, facts, table, filling),
        **_codes(table),
        **_decimals(facts, table, columns.values()),
        **packing(filling, facts),
    }


def _dialect(table: CsvFacts) -> Reader:
    reader: Reader = {"delimiter": table.delimiter, "decimal": table.decimal}
    if table.thousands:
        reader["thousands"] = table.thousands
    if table.multiline:
        reader["multiline"] = True
    if table.quote != '"':
        reader["quote"] = table.quote
    if table.escape:
        reader["escape"] = table.escape
    if table.skip_lines:
        reader["skip_lines"] = table.skip_lines
    return reader


def _codes(table: CsvFacts) -> Reader:
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


def _column(role: str, names: tuple[str, ...], facts: FileFacts, table: CsvFacts, filling: Filling) -> str:
    """The one number column whose name is usual for the role; asked once per header where none or several are."""
    numbers = [column.name for column in table.columns if column.kind in ("number", "empty")]
    exact = [name for name in numbers if _words(name) in [_words(usual) for usual in names]]
    close = [name for name in numbers if any(set(_words(usual)) <= set(_words(name)) for usual in names)]
    for candidates in (exact, close):
        if len(candidates) == 1:
            return candidates[0]
    ask = f"Which column of {facts.name} holds the {role}?"
    offered = close or numbers or list(table.header)
    choices = (*(Choice(name, name) for name in offered), Choice(NONE_ALONE, "None of them alone"))
    answer = filling.answer(f"column:{role}:{','.join(table.header)[:200]}", ask, choices)
    if answer != NONE_ALONE:
        return answer
    filling.problems.append(
        f"No column of {facts.name} holds the {role} alone, and this script reads one column for it, so nothing was "
        f"computed. Post the file with one column for the {role} (several can be summed in it)."
    )
    return ""


def dated_column(spec: ParameterSpec, facts: FileFacts, table: CsvFacts, filling: Filling) -> Reader:
    """The column of dates by which an old file is told from a new one, and its layout; nothing where there is none."""
    found = [column for column in table.columns if column.kind == "date" and column.dates]
    if not spec.dated or not found:
        return {}
    usual = [column for column in found if set(_words(column.name)) & set(spec.dated)]
    names = tuple(Choice(column.name, column.name) for column in found)
    name = next((few[0].name for few in (found, usual) if len(few) == 1), "")
    ask = f"Which column of {facts.name} says when an entry was?"
    name = name or filling.answer(
        f"dated:{','.join(table.header)[:200]}", ask, (*names, Choice("none", "None of them"))
    )
    column = next((one for one in found if one.name == name), None)
    layout = _layout(column, facts, filling) if column else ""
    if not column or not layout:
        return {}
    reader: Reader = {"dated": column.name, "dates": {column.name: layout}}
    note_span(reader, facts, filling)
    return reader


def note_span(reader: Reader, facts: FileFacts, filling: Filling) -> None:
    """From when to when the file is, where its reader tells dates."""
    layouts, table = reader.get("dates"), facts.csv
    column = next((one for one in (table.columns if table else ()) if one.name == reader.get("dated")), None)
    if column is None:
        return
    layout = layouts.get(column.name) if isinstance(layouts, Mapping) else None
    ends = dict(zip(column.dates, column.ends, strict=False)).get(str(layout)) or next(iter(column.ends), None)
    if ends is not None:
        filling.spans[facts.name] = ends


def _layout(column: ColumnFacts, facts: FileFacts, filling: Filling) -> str:
    """Of its dates; asked where day and month could change places in every one of them."""
    if len(column.dates) == 1:
        return column.dates[0]
    ask = f"In {facts.name} every date of {column.name} could be read in several ways. How is it written?"
    ends = dict(zip(column.dates, column.ends, strict=False))
    choices = tuple(
        Choice(one, _named(one) + (f": the last is then {ends[one][1][:10]}" if one in ends else ""))
        for one in column.dates
    )
    return filling.answer(f"layout:{column.name}", ask, choices)


def _named(layout: str) -> str:
    for sign, word in (("%d", "day"), ("%m", "month"), ("%Y", "year"), ("%y", "year"), ("%H:%M:%S", "time")):
        layout = layout.replace(sign, word)
    return layout


def _decimals(facts: FileFacts, table: CsvFacts, columns: Iterable[str]) -> Reader:
    """Where the last line has no end, a cut-off number shows by its digits only, if all others have as many."""
    if facts.final_newline:
        return {}
    digits = {one.name: one.decimals for one in table.columns if one.name in set(columns) and one.decimals}
    return {"decimals": digits} if digits else {}


def _words(name: str) -> list[str]:
    """`Revenue (NOK)` and `revenue_nok` are the words revenue, nok."""
    return _WORD.findall(re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).lower())


def _usual_decimal(filling: Filling) -> str:
    """A file of whole numbers shows no decimal mark; it will use the one its neighbours use."""
    marks = Counter(one.csv.decimal for one in filling.files if one.csv is not None and one.csv.has_marks)
    return marks.most_common(1)[0][0] if marks else "."


def _is_usable(facts: FileFacts, filling: Filling) -> bool:
    table = facts.csv
    if table is None or facts.kind is not FileKind.CSV:
        why = facts.problem or {FileKind.EMPTY: "it is empty"}.get(facts.kind, f"it is no table but {facts.kind}")
        filling.ask_to_leave_out(facts, why)
        return False
    if table.odd_rows:
        words = f"{table.odd_rows:,} of its rows are not as wide as its header"
        filling.ask_to_leave_out(facts, "; ".join(table.oddities) or words)
        return False
    return _is_as_meant(facts, table, filling)


def _is_as_meant(facts: FileFacts, table: CsvFacts, filling: Filling) -> bool:
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
