"""Table readers that also know columns of names and keys."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from library.catalog import ParameterSpec
from library.facts import FileFacts
from library.fill_tables import table_readers
from library.filling import Choice, Filling
from library.toml_text import TomlValue

KINDS = ("text", "code", "number")  # of columns that may hold names or keys; some people write them as plain numbers
_WORD = re.compile(r"[a-z0-9æøåäöüß]+")


def named_readers(spec: ParameterSpec, filling: Filling) -> TomlValue:
    """As table_readers fills them, and each with its columns of names."""
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
    return {**reader, "columns": known}


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


def _words(name: str) -> list[str]:
    return _WORD.findall(re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).lower())


def _texts(value: TomlValue | None) -> list[str]:
    return [str(one) for one in value] if isinstance(value, Sequence) and not isinstance(value, str) else []
