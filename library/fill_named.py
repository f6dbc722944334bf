"""Table readers that also know columns of names and keys, and the one column that says when an entry was."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from library.catalog import ParameterSpec
from library.facts import ColumnFacts, FileFacts
from library.fill_tables import table_readers
from library.filling import Choice, Filling
from library.toml_text import TomlValue

KINDS = ("text", "code", "number")  # of columns that may hold names or keys; some people write them as plain numbers
_WORD = re.compile(r"[a-z0-9æøåäöüß]+")


def named_readers(spec: ParameterSpec, filling: Filling) -> TomlValue:
    """As table_readers fills them, and each with its columns of names and its dates."""
    readers = table_readers(spec, filling)
    assert isinstance(readers, Mapping)
    return {str(pattern): _named(spec, reader, filling) for pattern, reader in readers.items()}


def _named(spec: ParameterSpec, reader: TomlValue, filling: Filling) -> TomlValue:
    """A reader of an earlier version has its columns already and keeps them."""
    if not isinstance(reader, Mapping):
        return reader
    facts = next(
        (one for one in filling.files if one.csv and list(one.csv.header) == _texts(reader.get("header"))), None
    )
    columns = reader.get("columns")
    if facts is None or facts.csv is None or not isinstance(columns, Mapping):
        return reader
    known = dict(columns)
    for role, names in spec.texts.items():
        if role not in known and (name := _column(role, names, facts, filling)):
            known[role] = name
    named = {**reader, "columns": known}
    dates = reader.get("dates") or _dates(spec, facts, filling)
    return {**named, "dates": dates} if dates else named


def _column(role: str, usual: Sequence[str], facts: FileFacts, filling: Filling) -> str:
    """The one column whose name is usual for the role; asked per header where none or several are."""
    assert facts.csv is not None
    fitting = [column.name for column in facts.csv.columns if column.kind.startswith(KINDS)]
    exact = [name for name in fitting if any(_words(name) == _words(one) for one in usual)]
    close = [name for name in fitting if any(set(_words(one)) <= set(_words(name)) for one in usual)]
    texts = [column.name for column in facts.csv.columns if column.kind == "text"]
    for candidates in (exact, close, texts):
        if len(candidates) == 1:
            return candidates[0]
    choices = tuple(Choice(name, name) for name in (exact or close or fitting or list(facts.csv.header)))
    key = f"column:{role}:{','.join(facts.csv.header)[:200]}"
    return filling.answer(key, f"Which column of {facts.name} holds the {role}?", choices)


def _dates(spec: ParameterSpec, facts: FileFacts, filling: Filling) -> dict[str, TomlValue]:
    """The column that says when, and how its dates are written; asked where several could be, or be read two ways."""
    assert facts.csv is not None
    found = [column for column in facts.csv.columns if column.kind == "date" and column.dates]
    usual = [column for column in found if set(_words(column.name)) & set(spec.dated)]
    chosen = next((few[0] for few in (found, usual) if len(few) == 1), None) or _asked(facts, found, filling)
    if chosen is None:
        return {}
    layout = chosen.dates[0]
    if len(chosen.dates) > 1:
        ask = f"In {facts.name} every date of {chosen.name} could be read in several ways. How is it written?"
        layout = filling.answer(f"layout:{chosen.name}", ask, tuple(Choice(one, _shown(one)) for one in chosen.dates))
    return {chosen.name: layout} if layout else {}


def _asked(facts: FileFacts, found: Sequence[ColumnFacts], filling: Filling) -> ColumnFacts | None:
    if not found or facts.csv is None:
        return None
    choices = tuple(Choice(column.name, column.name) for column in found)
    key = f"dated:{','.join(facts.csv.header)[:200]}"
    name = filling.answer(key, f"Which column of {facts.name} says when an entry was?", choices)
    return next((column for column in found if column.name == name), None)


def _shown(layout: str) -> str:
    for sign, word in (("%d", "day"), ("%m", "month"), ("%Y", "year"), ("%y", "year"), ("%H:%M:%S", "time")):
        layout = layout.replace(sign, word)
    return layout


def _words(name: str) -> list[str]:
    return _WORD.findall(re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).lower())


def _texts(value: TomlValue | None) -> list[str]:
    return [str(one) for one in value] if isinstance(value, Sequence) and not isinstance(value, str) else []
