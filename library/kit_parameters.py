"""The parameters that verbs of the kit go by, for a script that is none of the library's: filled where it has none."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from library.catalog import ParameterSpec, ParameterType
from library.facts import FileFacts
from library.fill import fill_each
from library.filling import Filled, Window
from library.toml_text import TomlValue

# Usual names of the column that says when an entry was.
DATED = ("date", "day", "time", "timestamp", "datum", "dato", "dag", "month", "posted", "booked", "period")
_LEFT_OUT = ParameterSpec("leave_out", ParameterType.LEFT_OUT, "")
_FILES = ParameterSpec("expected_files", ParameterType.FILE_PATTERNS, "")
_LOGS = ParameterSpec("readers", ParameterType.LOG_READERS, "")
_TABLES = ParameterSpec("readers", ParameterType.TABLE_READERS, "", dated=DATED)
_DATES = ParameterSpec("dates", ParameterType.DATES, "")
_ORDER = (_LEFT_OUT, _FILES, _LOGS, _TABLES, _DATES)
_GO_BY: Mapping[str, tuple[ParameterSpec, ...]] = {
    "agreed_files": (_LEFT_OUT, _FILES),
    "missing_files": (_FILES,),
    "read_log": (_LOGS,),
    **dict.fromkeys(("read_table", "read_csv", "read_excel", "read_json", "read_parquet"), (_TABLES,)),
    **dict.fromkeys(("check_steady", "check_log", "check_dates", "check_ends"), (_DATES,)),
}
# What a question is about, by how its key begins; the others are about readers.
_ABOUT = {"late": "dates", "most": "dates", "overlap": "dates", "renamed": "expected_files"}


def kit_parameters(
    source: str,
    files: Sequence[FileFacts],
    own: Mapping[str, TomlValue],
    before: Mapping[str, TomlValue] | None = None,
    window: Window | None = None,
) -> Filled:
    """What the kit's verbs in `source` go by: all of `own`, as the draft has it, and from facts what it leaves out.

    `before` are the parameters of the version that is changed: what of them still fits these files stays as it is.
    Questions are only those that keep something from being filled.
    """
    specs = _specs(source)
    if _LOGS in specs and _TABLES in specs and "readers" not in own:
        words = "plan.py reads logs and tables, so write [parameters.readers] yourself, one for each pattern of names."
        return Filled(dict(own), problems=(words,))
    filled = fill_each(specs, files, before={**(before or {}), **own}, window=window)
    open_ones = [one for one in filled.questions if _ABOUT.get(one.key.split(":")[0], "readers") not in own]
    return replace(filled, parameters={**filled.parameters, **own}, questions=tuple(open_ones))


def goes_by_parameters(source: str) -> bool:
    """Whether it calls a verb of the kit that goes by any."""
    return bool(_specs(source))


def _specs(source: str) -> list[ParameterSpec]:
    called = _called(source)
    return [spec for spec in _ORDER if any(spec in _GO_BY.get(verb, ()) for verb in called)]


def _called(source: str) -> set[str]:
    """Names of what it calls; none where it is no Python, which is said elsewhere."""
    try:
        return set(_calls(ast.parse(source)))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return set()


def _calls(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name | ast.Attribute):
            yield node.func.id if isinstance(node.func, ast.Name) else node.func.attr
