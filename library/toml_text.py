"""Writes the small part of TOML that plans use: the same text for the same value, short lines, readable diffs."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from typing import TypeAlias

# Recursive on purpose: a parameter is what a person can write in plan.toml, without dates and times.
TomlValue: TypeAlias = "str | int | float | bool | Sequence[TomlValue] | Mapping[str, TomlValue]"

LINE_LIMIT = 110
_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
_SHORT_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r", "\b": "\\b", "\f": "\\f"}


def toml_text(table: Mapping[str, TomlValue]) -> str:
    """The document for one table. Raises ValueError for what TOML cannot hold (NaN, lone surrogates, None)."""
    return "\n".join(_section((), table)).strip("\n") + "\n"


def _section(path: tuple[str, ...], table: Mapping[str, TomlValue]) -> list[str]:
    lines, later = [], []
    for key, value in table.items():
        inner = (*path, key)
        if _is_table_list(value) and not path:
            assert isinstance(value, Sequence)
            for item in value:
                assert isinstance(item, Mapping)
                later += ["", f"[[{_dotted(inner)}]]", *_section(inner, item)]
        elif isinstance(value, Mapping) and (not path or not _fits_inline(key, value)):
            later += ["", f"[{_dotted(inner)}]", *_section(inner, value)]
        else:
            lines += _assignment(key, value)
    return lines + later


def _assignment(key: str, value: TomlValue) -> list[str]:
    line = f"{_key(key)} = {_inline(value)}"
    if len(line) <= LINE_LIMIT or not isinstance(value, Sequence) or isinstance(value, str):
        return [line]
    return [f"{_key(key)} = [", *(f"    {_inline(item)}," for item in value), "]"]


def _inline(value: TomlValue) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return _string(value)
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return _float(value)
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{_key(k)} = {_inline(v)}" for k, v in value.items()) + " }" if value else "{}"
    if isinstance(value, Sequence):
        return "[" + ", ".join(_inline(item) for item in value) + "]"
    raise ValueError(f"plan.toml cannot hold a value of type {type(value).__name__}.")


def _float(value: float) -> str:
    if not math.isfinite(value):
        raise ValueError("plan.toml holds finite numbers only.")
    text = repr(value)
    return text if any(mark in text for mark in ".e") else f"{text}.0"


def _string(value: str) -> str:
    value.encode("utf-8")  # a lone surrogate raises UnicodeEncodeError, a ValueError, here instead of in a file
    return '"' + "".join(_escaped(character) for character in value) + '"'


# Printable by Unicode's word, and yet nothing is seen: fillers, and variation selectors.
_DRAW_NOTHING = frozenset("\u3164\uffa0\u115f\u1160\u2800") | {chr(point) for point in range(0xFE00, 0xFE10)}


def _escaped(character: str) -> str:
    if character in _SHORT_ESCAPES:
        return _SHORT_ESCAPES[character]
    if character.isprintable() and character not in _DRAW_NOTHING:
        return character
    point = ord(character)
    return f"\\u{point:04x}" if point < 0x10000 else f"\\U{point:08x}"


def _key(key: str) -> str:
    return key if _BARE_KEY.fullmatch(key) else _string(key)


def _dotted(path: tuple[str, ...]) -> str:
    return ".".join(_key(part) for part in path)


def _is_table_list(value: TomlValue) -> bool:
    is_list = isinstance(value, Sequence) and not isinstance(value, str)
    return is_list and bool(value) and all(isinstance(item, Mapping) for item in value)  # type: ignore[union-attr]  # narrowed by is_list


def _fits_inline(key: str, table: Mapping[str, TomlValue]) -> bool:
    plain = all(isinstance(value, str | int | float) for value in table.values())
    return plain and len(f"{_key(key)} = {_inline(table)}") <= LINE_LIMIT
