"""What a rehearsal found, as it is kept with a plan and shown on its card."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any

from bot.domain.counts import counted
from library.facts import FileFacts
from library.manifest import Manifest
from sandbox.hearing import Hearing
from sandbox.outcome import Report
from sandbox.outcome_keys import outcome_keys, read_outcome_keys
from sandbox.sample import Sample


@dataclass(frozen=True)
class Rehearsal:
    """`report` is what both runs made; `change_from` is the plan that a new version changes.

    `not_read` is what of the request the plan makes nothing of; None where the version before says it. `asked` is the
    request as it read when this was proposed, None for older ones: whoever asked may change its words since.
    """

    report: Report
    sample_words: str
    change_from: int | None = None
    replay: tuple[str, ...] = ()
    hearing: Hearing | None = None  # None: of before there was one
    not_read: tuple[str, ...] | None = None
    asked: str | None = None

    def keys(self) -> dict[str, Any]:
        return {
            "report": outcome_keys(self.report),
            "sample_words": self.sample_words,
            "change_from": self.change_from,
            "replay": list(self.replay),
            "hearing": self.hearing.keys() if self.hearing else None,
            "not_read": list(self.not_read or ()),
            "asked": self.asked,
        }

    @classmethod
    def read(cls, keys: Mapping[str, Any]) -> Rehearsal:
        report = read_outcome_keys(keys["report"])
        assert isinstance(report, Report), "only a plan whose rehearsal reported is kept"
        hearing = keys.get("hearing")
        return cls(
            report,
            keys["sample_words"],
            keys["change_from"],
            tuple(keys["replay"]),
            Hearing.read(hearing) if hearing else None,
            tuple(keys.get("not_read", ())),
            asked_in(keys),
        )


def asked_in(kept: Mapping[str, Any]) -> str | None:
    """Rehearsal.asked of a stored one, without the rest of it being read."""
    asked: str | None = kept.get("asked")
    return asked


def read_by(manifest: Manifest, samples: Sequence[Sample]) -> list[FileFacts]:
    """The files that the plan does not leave out: what happens to one that it does leave out is not its to hear."""
    patterns = manifest.parameters.get("leave_out")
    left_out = [str(one) for one in patterns] if isinstance(patterns, list | tuple) else []
    left_out += manifest.only.leave_out if manifest.only else ()
    facts = [sample.facts for sample in samples]
    return [one for one in facts if not any(fnmatchcase(one.name, pattern) for pattern in left_out)]


def sample_words(samples: Sequence[Sample]) -> str:
    """How much was looked at, beside how much there is."""
    seen = sum(len(sample.text().encode()) for sample in samples)
    whole = sum(sample.facts.size_bytes for sample in samples)
    lines = sum(sample.facts.lines for sample in samples)
    they, has = ("it", "has") if len(samples) == 1 else ("they", "have")
    looked = f"a description and some lines of {counted(len(samples), 'file')}, {seen:,} bytes; "
    looked += f"{they} {has} {whole:,} bytes, {counted(lines, 'line')}"
    return "; ".join(filter(None, [looked, _hidden_words(samples)]))


def _hidden_words(samples: Sequence[Sample]) -> str:
    """How much stands in the lines that no person sees: text may be hidden there that a program reads."""
    found = [one.facts for one in samples if one.facts.hidden]
    if not found:
        return ""
    where = found[0].name if len(found) == 1 else counted(len(found), "file")
    count = sum(one.hidden for one in found)
    return f"{counted(count, 'character')} in {where} cannot be seen, and were written out as codes"
