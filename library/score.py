"""How well a script of the library hears, as it was measured: hearing.toml of its folder, and the table of all."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from library.toml_text import toml_text

NAME = "hearing.toml"


@dataclass(frozen=True)
class Score:
    """Drifts that fit the script's sample: how many it hears or rightly leaves alone. `deaf` are their ids."""

    fit: int
    well: int  # with Standby's comparison of shapes
    alone: int  # without it
    held_out_fit: int  # of drifts that were never looked at while the script was written
    held_out_well: int
    healthy_weeks: int
    false_alarms: int
    deaf: tuple[str, ...] = ()

    def text(self) -> str:
        return toml_text({**vars(self), "deaf": list(self.deaf)})

    @classmethod
    def read(cls, folder: Path) -> Score | None:
        """None where the script was not measured yet."""
        path = folder / NAME
        if not path.is_file():
            return None
        keys = tomllib.loads(path.read_text(encoding="utf-8"))
        return cls(**{**keys, "deaf": tuple(keys["deaf"])})


def table(scores: Mapping[str, Score]) -> str:
    """For README: one row a script, the worst first where they differ."""
    rows = [
        "| script | drifts that fit | heard or rightly unmoved | by the script alone | of those held out | alarms |",
        "| --- | ---: | ---: | ---: | ---: | ---: |",
    ]
    rows += [f"| {name} | {_cells(score)} |" for name, score in sorted(scores.items())]
    return "\n".join([*rows, f"| all {len(scores)} | {_cells(_sum(list(scores.values())))} |"]) + "\n"


def _cells(score: Score) -> str:
    well, alone = (f"{part} ({100 * part / score.fit:.0f} %)" for part in (score.well, score.alone))
    alarms = f"{score.false_alarms} in {score.healthy_weeks} weeks"
    return " | ".join([str(score.fit), well, alone, f"{score.held_out_well} of {score.held_out_fit}", alarms])


def _sum(scores: Sequence[Score]) -> Score:
    names = ("fit", "well", "alone", "held_out_fit", "held_out_well", "healthy_weeks", "false_alarms")
    return Score(**{name: sum(getattr(one, name) for one in scores) for name in names})
