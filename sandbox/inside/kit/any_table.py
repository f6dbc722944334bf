"""A table of any kind, by the reader that plan.toml has for it."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from .documents import JsonFile, read_json
from .given import Input, kind_for
from .parquet import ParquetFile, read_parquet
from .tables import CsvFile, read_csv
from .workbook import ExcelFile, read_excel

_READERS: Mapping[str, Callable[[Input], CsvFile | ExcelFile | ParquetFile | JsonFile]] = {
    "csv": read_csv,
    "excel": read_excel,
    "parquet": read_parquet,
    "json": read_json,
}


def read_table(source: Input) -> CsvFile | ExcelFile | ParquetFile | JsonFile:
    """By the reader's `kind`; csv where it has none. All have `sql`, and then `rows` and `span`."""
    kind = kind_for(source.name)
    if kind not in _READERS:
        raise ValueError(f'kind = "{kind}" is not known; it is one of {", ".join(_READERS)}.')
    return _READERS[kind](source)
