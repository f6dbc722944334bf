"""One drift's verdicts: what the script made of it alone, and what Standby would have made of that run."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from library.facts import FileFacts
from sandbox.drifts import DRIFTS
from sandbox.hearing.ears import Ear, Verdict
from sandbox.sample_json import read_samples
from sandbox.shape import compare


@dataclass(frozen=True)
class Heard:
    """One drift as the box tells of it. `changed` are facts about the files that are not as they were."""

    drift: str
    file: str
    changes: bool  # False: it left all bytes as they were
    names: tuple[str, ...] = ()  # of all files afterwards
    twins: bool = False  # whether two of them have the same content
    known: bool = False  # whether the slot before had these very files
    changed: Mapping[str, FileFacts] = field(default_factory=dict)
    kind: str = ""  # of the outcome
    digest: str = ""
    name: str = ""

    @classmethod
    def read(cls, keys: Mapping[str, Any]) -> Heard:
        """Raises KeyError, TypeError, ValueError where it is no such document."""
        if not keys["changes"]:
            return cls(str(keys["id"]), str(keys["victim"]), changes=False)
        samples = read_samples(json.dumps(keys["samples"]).encode())
        if len(samples) != keys["looks"]:
            raise ValueError(f"{keys['id']} has {len(samples)} samples of {keys['looks']} files")
        outcome = keys["outcome"]
        return cls(
            drift=str(keys["id"]),
            file=str(keys["victim"]),
            changes=True,
            names=tuple(map(str, keys["names"])),
            twins=bool(keys["twins"]),
            known=bool(keys["known"]),
            changed={facts.name: facts for facts, _, _ in samples},
            kind=str(outcome["kind"]),
            digest=str(outcome.get("digest", "")),
            name=str(outcome.get("name", "")) if outcome["kind"] == "surprise" else "",
        )


def judged(heard: Heard, healthy: str, shape: bytes, before: Sequence[FileFacts]) -> Ear:
    """`healthy` is the digest of the report without any drift; `before` are facts about the healthy files."""
    alone = _alone(heard, healthy)
    is_halted = alone is not Verdict.HEARD and (_is_refused(heard) or _is_reshaped(heard, shape, before))
    return Ear(heard.drift, heard.file, alone, Verdict.HEARD if is_halted else alone, heard.name)


def _alone(heard: Heard, healthy: str) -> Verdict:
    if heard.kind == "surprise":
        return Verdict.HEARD
    if heard.kind != "report":
        return Verdict.BROKE
    is_same = heard.digest == healthy
    return Verdict.UNMOVED if is_same and DRIFTS[heard.drift].keeps_meaning else Verdict.DEAF


def _is_refused(heard: Heard) -> bool:
    """What Standby refuses by itself before a scheduled run: no files at all, or one content under two names."""
    return not heard.names or heard.twins


def _is_reshaped(heard: Heard, shape: bytes, before: Sequence[FileFacts]) -> bool:
    known = {facts.name: facts for facts in before} | dict(heard.changed)
    return bool(compare(shape, [known[name] for name in heard.names if name in known]))
