"""Fills report.md: {{name}} for each value, all of them used, none missing."""

from __future__ import annotations

import re
from collections.abc import Mapping

_PLACEHOLDER = re.compile(r"\{\{\s*([A-Za-z_][A-Za-z0-9_]*)\s*\}\}")
_SPAN = re.compile(rf"{_PLACEHOLDER.pattern} to {_PLACEHOLDER.pattern}")
# What reports count. One of them is said in the singular; a word that is not here stays as the template has it.
_COUNTED = "column day error file gap host item key line name ping reading record row sensor station value warning"
_NOUNS = {"categories": "category", "entries": "entry", **{f"{one}s": one for one in _COUNTED.split()}}
_COUNT = re.compile(rf"{_PLACEHOLDER.pattern}((?:\*\*)? (?:[a-z]+ )?)({'|'.join(_NOUNS)})\b")


def render(template: str, values: Mapping[str, str]) -> str:
    """Raises ValueError naming each placeholder without a value and each value without a placeholder.

    A value is put in as it is and never read as a template again.
    """
    wanted = set(_PLACEHOLDER.findall(template))
    missing, unused = sorted(wanted - set(values)), sorted(set(values) - wanted)
    if missing or unused:
        raise ValueError(
            f"report.md and report(...) disagree: without a value: {missing}; without a placeholder: {unused}."
        )
    return _PLACEHOLDER.sub(lambda match: values[match.group(1)], _in_good_words(template, values))


def _in_good_words(template: str, values: Mapping[str, str]) -> str:
    """The template where a count of one has its noun in the singular, and a span of one day names it once."""
    template = _SPAN.sub(lambda span: f"{{{{{span[1]}}}}}" if values[span[1]] == values[span[2]] else span[0], template)
    return _COUNT.sub(lambda found: _singular(found) if values[found[1]] == "1" else found[0], template)


def _singular(found: re.Match[str]) -> str:
    return f"{found[0].removesuffix(found[3])}{_NOUNS[found[3]]}"
