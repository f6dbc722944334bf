"""The CSV files of a sample in other kinds: the same cells, numbers as numbers and times as times."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Mapping
from contextlib import suppress
from datetime import datetime
from typing import Any

import polars

from tests.bench.workbooks import workbook

_NUMBER = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?")
KINDS = ("xlsx", "parquet", "jsonl", "json")


def in_kind(kind: str, files: Mapping[str, bytes]) -> dict[str, bytes]:
    """Each file under its name with another ending; `csv` leaves them as they are."""
    return {name.replace(".csv", f".{kind}"): _written(kind, data) for name, data in files.items()}


def _written(kind: str, data: bytes) -> bytes:
    header, *rows = csv.reader(io.StringIO(data.decode()))
    if kind == "csv":
        return data
    if kind == "xlsx":
        return workbook([header, *([_cell(text) for text in row] for row in rows)])
    if kind == "parquet":
        out = io.BytesIO()
        typed = [[_cell(text) for text in row] for row in rows]
        polars.DataFrame(typed, schema=header, orient="row", infer_schema_length=None).write_parquet(out)
        return out.getvalue()
    records = [_record(header, row) for row in rows]
    return "".join(f"{one}\n" for one in records).encode() if kind == "jsonl" else f"[{', '.join(records)}]\n".encode()


def _record(header: list[str], row: list[str]) -> str:
    """Numbers as they are written, so that none is rounded on its way; a code with leading zeros is no number."""
    cells = (text if _NUMBER.fullmatch(text) else json.dumps(text) for text in row)
    return f"{{{', '.join(f'{json.dumps(name)}: {cell}' for name, cell in zip(header, cells, strict=True))}}}"


def _cell(text: str) -> Any:
    with suppress(ValueError):
        return float(text)
    with suppress(ValueError):
        return datetime.fromisoformat(text)
    return text
