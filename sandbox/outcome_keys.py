"""Outcomes as plain JSON values for keeping, in the very form that the runner writes."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from sandbox.outcome import KINDS, Lost, Outcome, Report
from sandbox.outcome_json import read_outcome


def outcome_keys(outcome: Outcome) -> dict[str, Any]:
    """What `read_outcome_keys` reads back as an equal outcome. Raises ValueError for Lost, which leaves nothing."""
    if isinstance(outcome, Lost):
        raise ValueError("A lost run has no outcome to keep.")
    keys: dict[str, Any] = json.loads(json.dumps(asdict(outcome)))
    if isinstance(outcome, Report):
        for attachment in keys["attachments"]:
            attachment["bytes"] = attachment.pop("size_bytes")
    return {"kind": KINDS[type(outcome)], **keys}


def read_outcome_keys(keys: Mapping[str, Any]) -> Outcome:
    """Raises OutcomeUnreadable, as `read_outcome` does."""
    return read_outcome(json.dumps(keys).encode())
