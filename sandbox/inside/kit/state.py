"""What one run of a script knows and has declared so far; the only mutable thing in the kit."""

from __future__ import annotations

import json
import tomllib
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .alone import begin_alone

if TYPE_CHECKING:
    from .logs import LogFile
    from .surprise import Surprise
    from .window import Span

CHECK_NAMES = 100


@dataclass(frozen=True)
class PastMetrics:
    due_at: datetime
    metrics: Mapping[str, float]
    inputs: Mapping[str, str] = field(default_factory=dict)  # its files, by name: sha256


@dataclass(frozen=True)
class SlotFacts:
    due_at: datetime
    since: datetime
    until: datetime
    zone: str
    history: tuple[PastMetrics, ...] = ()


@dataclass
class Declared:
    """Outputs as the script declared them, in the form of outcome.json."""

    values: dict[str, str] | None = None
    tables: list[dict[str, Any]] = field(default_factory=list)
    charts: list[dict[str, Any]] = field(default_factory=list)
    attachments: list[dict[str, str]] = field(default_factory=list)
    metrics: dict[str, float] = field(default_factory=dict)
    intermediates: list[dict[str, Any]] = field(default_factory=list)


@dataclass
class State:
    parameters: Mapping[str, Any]
    slot: SlotFacts
    template: str
    inputs_folder: Path = Path("inputs")
    declared: Declared = field(default_factory=Declared)
    checks: Counter[str] = field(default_factory=Counter)
    checked_files: set[str] = field(default_factory=set)
    opened_logs: list[LogFile] = field(default_factory=list)
    spans: dict[str, Span] = field(default_factory=dict)  # of each file whose dates were checked
    begins: dict[str, datetime] = field(default_factory=dict)  # of each table whose old rows do not belong to it
    units: dict[str, tuple[tuple[str, ...], str]] = field(default_factory=dict)  # of a column or kind: what, which file
    surprise: Surprise | None = None

    def note_check(self, name: str, file: str) -> None:
        self.checks[name] += 1
        if len(self.checks) > CHECK_NAMES:
            raise ValueError(f"The script has more than {CHECK_NAMES} names of checks; a name is not for data.")
        if file:
            self.checked_files.add(file)

    def note_surprise(self, surprise: Surprise) -> None:
        """The first one counts: what a script did after it went on regardless is no evidence."""
        if self.surprise is None:
            self.surprise = surprise


_current: list[State] = []


def begin(state: State) -> None:
    _current[:] = [state]


def current() -> State:
    """The state of this run; outside Standby it is read from the files beside the script."""
    return _current[0] if _current else begin_alone()


def state_from(plan_toml: str, report_md: str, slot_json: str) -> State:
    """Fractions become Decimal, so that 0.1 in plan.toml is a tenth."""
    manifest = tomllib.loads(plan_toml, parse_float=Decimal)
    return State(manifest.get("parameters", {}), _slot(json.loads(slot_json)), report_md)


def _slot(keys: Mapping[str, Any]) -> SlotFacts:
    history = tuple(
        PastMetrics(_moment(past["due_at"]), past["metrics"], past.get("inputs", {}))
        for past in keys.get("history", [])
    )
    return SlotFacts(
        _moment(keys["due_at"]), _moment(keys["since"]), _moment(keys["until"]), str(keys["zone"]), history
    )


def _moment(text: str) -> datetime:
    return datetime.fromisoformat(text).astimezone(UTC)
