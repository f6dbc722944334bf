"""A table nobody has described, read without help: sampled, filled, read; or refused, in whose words."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from library.catalog import ParameterSpec, ParameterType
from library.facts import FileFacts
from library.fill_tables import table_readers
from library.filling import Filling
from tests import inside

SPEC = ParameterSpec("readers", ParameterType.TABLE_READERS, "How is each table read?")


@dataclass(frozen=True)
class Ingested:
    """Header and rows as text, or the words of a refusal."""

    rows: list[list[str]] | None
    refusal: str = ""


def reader_of(facts: FileFacts) -> tuple[dict[str, Any] | None, str]:
    """The reader that the facts alone decide; else None and the question a person would be asked."""
    filling = Filling((facts,), {}, {})
    readers: Any = table_readers(SPEC, filling)
    if filling.questions:
        return None, filling.questions[0].ask
    return readers["default"], ""


def ingest(path: Path) -> Ingested:
    """By the facts of this very file, with nobody to ask."""
    reader, question = reader_of(inside.look([path])[0])
    return Ingested(None, f"asked: {question}") if reader is None else read(path, reader)


def read(path: Path, reader: dict[str, Any]) -> Ingested:
    """By a reader that was agreed; every surprise is a refusal by name."""
    kit = inside.begin(path.parent, {"readers": {"default": reader}})
    source = next(one for one in kit.inputs() if one.name == path.name)
    try:
        table = kit.read_csv(source)
        rows = [row.cells for row in table]
    except kit.Surprise as surprise:
        return Ingested(None, f"{surprise.name}: {surprise.message}")
    return Ingested([table.reader.header, *rows])


def truth(path: Path) -> list[list[str]]:
    """Rows of a clean table: commas, double quotes, UTF-8."""
    with path.open(encoding="utf-8", newline="") as stream:
        return [row for row in csv.reader(stream) if row]
