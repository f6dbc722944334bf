"""What customers send is parsed in a box only: outside of one, nothing of ours can even open such a file."""

from __future__ import annotations

import ast
from pathlib import Path

from tests.architecture.repository import sources, text

# Whoever parses these from bytes they did not make can be attacked by them, or filled up.
UNPACKERS = ("zipfile", "tarfile", "gzip", "bz2", "lzma", "pickle", "marshal", "shelve")
READERS = ("duckdb", "polars", "pandas", "pyarrow", "openpyxl", "xlrd", "xml", "yaml", "csv.reader", "csv.DictReader")
PARSERS = frozenset((*UNPACKERS, *READERS))
# What runs inside: see sandbox/inside_files.py. A proven script runs there as part of a plan.
IN_THE_BOX = ("sandbox/inside/", "sandbox/drifts/")
# Writes a database's rows down, and opens nothing but what it wrote itself a moment before.
WRITING = {"bot/sources/query.py": {"polars"}}


def test_no_parser_of_customers_bytes_is_imported_outside_the_box() -> None:
    outside = [path for path in sources("bot", "sandbox") if not str(path).startswith(IN_THE_BOX)]

    assert len(outside) > 100
    assert {str(path): found for path in outside if (found := imported(path) & PARSERS)} == WRITING


def imported(path: Path) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(ast.parse(text(path))):
        if isinstance(node, ast.Import):
            found |= {name.name.split(".")[0] for name in node.names}
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            found.add(f"{node.value.id}.{node.attr}")
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found.add(node.module.split(".")[0])
    return found
