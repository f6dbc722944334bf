"""What a hearing test found: for each drift whether the script alone, and the script with Standby's guard, heard it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from sandbox.drifts import DRIFTS, is_held_out


class Verdict(StrEnum):
    HEARD = "heard"  # a surprise, so nothing is delivered and the reason is named
    UNMOVED = "unmoved"  # the drift keeps the meaning, and the report is the very same
    DEAF = "deaf"  # another report, or the same one though information was lost
    BROKE = "broke"  # the script failed as a program: nothing is delivered, and nobody is told why


WELL = (Verdict.HEARD, Verdict.UNMOVED)


@dataclass(frozen=True)
class Ear:
    """One drift on one file. `name` is the surprise that the script raised, if it did."""

    drift: str
    file: str
    alone: Verdict
    guarded: Verdict
    name: str = ""

    @property
    def says(self) -> str:
        return DRIFTS[self.drift].says if self.drift in DRIFTS else self.drift


@dataclass(frozen=True)
class Hearing:
    """`changed_nothing` fit by kind and left the bytes as they were; `not_tried` is what the time did not reach."""

    ears: tuple[Ear, ...]
    changed_nothing: tuple[str, ...] = ()
    not_tried: tuple[str, ...] = ()
    never_fired: tuple[str, ...] = ()  # declared checks that no drift made fire
    seconds: float = 0.0
    problem: str = ""  # why there is no answer

    @property
    def fit(self) -> int:
        return len(self.ears)

    @property
    def well(self) -> int:
        """Drifts heard, or rightly left alone, by the script with the guard."""
        return sum(ear.guarded in WELL for ear in self.ears)

    @property
    def alone(self) -> int:
        return sum(ear.alone in WELL for ear in self.ears)

    @property
    def deaf(self) -> tuple[Ear, ...]:
        return tuple(ear for ear in self.ears if ear.guarded is Verdict.DEAF)

    @property
    def broke(self) -> tuple[Ear, ...]:
        return tuple(ear for ear in self.ears if ear.guarded is Verdict.BROKE)

    def of(self, drifts: Iterable[str]) -> Hearing:
        """The same over some of the drifts."""
        wanted = set(drifts)
        return replace(self, ears=tuple(ear for ear in self.ears if ear.drift in wanted))

    @property
    def unguarded(self) -> Hearing:
        """The same as if there were no guard."""
        return replace(self, ears=tuple(replace(ear, guarded=ear.alone) for ear in self.ears))

    @property
    def held_out(self) -> Hearing:
        return self.of(ear.drift for ear in self.ears if is_held_out(ear.drift))

    def words(self) -> str:
        """One sentence that counts."""
        verdicts = Counter(ear.guarded for ear in self.ears)
        counts = ", ".join(f"{verdicts[one]} {one}" for one in Verdict if verdicts[one])
        return f"{self.fit} drifts fit: {counts}; {self.alone} by the script alone"

    def keys(self) -> dict[str, Any]:
        ears = [[ear.drift, ear.file, ear.alone.value, ear.guarded.value, ear.name] for ear in self.ears]
        lists = {name: list(getattr(self, name)) for name in ("changed_nothing", "not_tried", "never_fired")}
        return {"ears": ears, **lists, "seconds": self.seconds, "problem": self.problem}

    @classmethod
    def read(cls, keys: Mapping[str, Any]) -> Hearing:
        ears = tuple(
            Ear(drift, file, Verdict(alone), Verdict(guarded), name)
            for drift, file, alone, guarded, name in keys["ears"]
        )
        lists = {name: tuple(map(str, keys[name])) for name in ("changed_nothing", "not_tried", "never_fired")}
        return cls(ears, seconds=float(keys["seconds"]), problem=str(keys["problem"]), **lists)
