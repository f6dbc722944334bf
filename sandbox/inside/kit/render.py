"""Fills report.md: {{name}} for each value, all of them used, none missing."""

from __future__ import annotations

import re
from collections.abc import Mapping

_PLACEHOLDER = re.compile(r"\{\{\s*([A-Za-z_][A-Za-z0-9_]*)\s*\}\}")


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
    return _PLACEHOLDER.sub(lambda match: values[match.group(1)], template)
