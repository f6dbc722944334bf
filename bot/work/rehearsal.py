"""What a rehearsal found, as it is kept with a plan and shown on its card."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sandbox.outcome import Report
from sandbox.outcome_keys import outcome_keys, read_outcome_keys


@dataclass(frozen=True)
class Rehearsal:
    """`report` is what both runs made; `change_from` is the plan that a new version changes."""

    report: Report
    sample_words: str
    change_from: int | None = None
    replay: tuple[str, ...] = ()

    def keys(self) -> dict[str, Any]:
        return {
            "report": outcome_keys(self.report),
            "sample_words": self.sample_words,
            "change_from": self.change_from,
            "replay": list(self.replay),
        }

    @classmethod
    def read(cls, keys: Mapping[str, Any]) -> Rehearsal:
        report = read_outcome_keys(keys["report"])
        assert isinstance(report, Report), "only a plan whose rehearsal reported is kept"
        return cls(report, keys["sample_words"], keys["change_from"], tuple(keys["replay"]))
