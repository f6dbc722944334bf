"""A whole plan from a draft: what the model may say of it, and what is Standby's alone to say."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import count
from typing import Any

from bot.domain.errors import PlanProblem, RequestProblem
from bot.domain.slot_terms import planned
from library.manifest import (
    ChannelDestination,
    Destination,
    EmailDestination,
    Manifest,
    ManifestError,
    Rung,
    Source,
)
from library.manifest_schedule import USUAL, Schedule, SlotTerms, schedule_table
from library.manifest_source import source_table
from library.manifest_text import read_manifest, write_manifest
from library.plan_folder import PlanFolder
from library.toml_text import toml_text
from sandbox.kits import box_json
from sandbox.sample import Sample
from sandbox.shape import shape_of

WRITTEN = ("plan.py", "report.md", "plan.toml")
# Of plan.toml. The rest is Standby's: no draft can name a destination or move a schedule.
DRAFTED = ("title", "checks", "intermediates", "surprise", "limits", "parameters")
TOO_DEEP = "plan.toml is nested deeper than anybody could read."
LIMITS = {"time_s": 300, "memory_mb": 1024}


@dataclass(frozen=True)
class Terms:
    """Standby's part of a plan. `when` is empty where the request does not say when: then the draft says it.

    `name` is empty for a new routine, which is called after its title, unless a routine in `taken` is.
    """

    name: str
    taken: frozenset[str]
    why: str
    when: str  # a cron line or a rule
    zone: str
    source: Source
    destinations: tuple[Destination, ...]
    box_image: str
    asked_at: datetime
    is_once: bool = False  # asked once: there is nothing to schedule
    slots: SlotTerms = USUAL
    anchor: str = ""

    def schedule(self, when: str) -> Schedule:
        """The schedule that a draft asks for, if it is the one that people asked for. Raises PlanProblem."""
        asked = " ".join(when.lower().split())
        if self.is_once:
            raise PlanProblem(
                "This was asked once, so there is nothing to schedule: compute it with run_code and end your turn. "
                "People keep it as a routine by a button, and then you are asked for a plan."
            )
        if self.when and asked != self.when:
            raise PlanProblem(
                f"The people of the thread asked for {self.when!r}; schedule that, not {asked!r}. "
                "If they should want another time, ask them in words."
            )
        if asked in ("once", "now", ""):
            raise PlanProblem(
                "A plan comes back: give a cron line such as 0 7 * * mon. What is wanted once is computed with "
                "run_code and answered in words."
            )
        try:
            return planned(asked, self.zone, self.slots, self.asked_at, self.anchor)
        except RequestProblem as problem:
            raise PlanProblem(f"{problem} Give a cron line of five fields such as 0 7 * * mon.") from problem


def terms_of(manifest: Manifest, box_image: str, why: str, asked_at: datetime) -> Terms:
    """The terms of a version that is to be changed: only its script is in question."""
    schedule = manifest.schedule
    return Terms(
        name=manifest.name,
        taken=frozenset(),
        why=why,
        when=schedule.when if schedule else "",
        zone=schedule.zone if schedule else "UTC",
        asked_at=asked_at,
        slots=schedule.terms if schedule else USUAL,
        anchor=schedule.anchor if schedule else "",
        source=manifest.source,
        destinations=manifest.destinations,
        box_image=box_image,
    )


def composed(draft: Mapping[str, bytes], terms: Terms, when: str, samples: Sequence[Sample]) -> PlanFolder:
    """The plan folder, its resume.md not yet rendered. Raises PlanProblem, naming file and key."""
    if missing := [name for name in WRITTEN if not draft.get(name, b"").strip()]:
        raise PlanProblem(f"The draft lacks {', '.join(missing)}. Write each of them whole with write_file.")
    manifest = _manifest(draft["plan.toml"], terms, terms.schedule(when))
    return PlanFolder(
        {
            "plan.py": draft["plan.py"],
            "report.md": draft["report.md"],
            "plan.toml": write_manifest(manifest).encode(),
            "resume.md": b"",
            "shape.json": shape_of([sample.facts for sample in samples]),
            "box.json": box_json(terms.box_image),
        }
    )


def drafted(folder: PlanFolder) -> dict[str, bytes]:
    """The part of a plan that a draft holds: what the next version may change."""
    said = tomllib.loads(folder.files["plan.toml"].decode())
    own = {key: said[key] for key in DRAFTED if key in said}
    return {
        "plan.py": folder.files["plan.py"],
        "report.md": folder.files["report.md"],
        "plan.toml": toml_text(own).encode(),
    }


def recipients(destinations: Sequence[Destination]) -> str:
    """Where a report goes, in words without any address."""
    return " and ".join(
        "this channel" if isinstance(one, ChannelDestination) else f"“{one.name}” ({_count(one)})"
        for one in destinations
    )


def _count(destination: EmailDestination) -> str:
    number = len(destination.addresses)
    return "1 address" if number == 1 else f"{number} addresses"


def _manifest(data: bytes, terms: Terms, schedule: Schedule) -> Manifest:
    said = _parsed(data)
    if foreign := sorted(set(said) - set(DRAFTED)):
        raise PlanProblem(
            f"plan.toml: {', '.join(foreign)} is not yours to write. It holds {', '.join(DRAFTED)} and nothing else."
        )
    if "limits" in said and isinstance(said["limits"], dict):
        said["limits"] = {**LIMITS, **said["limits"]}
    whole: dict[str, Any] = {
        "name": terms.name or _name(said.get("title"), terms.taken),
        "rung": Rung.PLAN_AS_CODE.value,
        "why": terms.why,
        "script": "",
        "schedule": schedule_table(schedule),
        "source": source_table(terms.source),
        "destinations": [_destination(one) for one in terms.destinations],
        "limits": LIMITS,
        **said,
    }
    try:
        return read_manifest(toml_text(whole))
    except (ManifestError, ValueError) as error:
        raise PlanProblem(str(error)) from error
    except RecursionError as error:
        raise PlanProblem(TOO_DEEP) from error


def _name(title: object, taken: frozenset[str]) -> str:
    """Lower-case words of the title, with a number where another routine has that name."""
    words = "-".join(re.findall(r"[a-z0-9]+", str(title or "").lower())[:8]) or "routine"
    names = (words if number == 1 else f"{words}-{number}" for number in count(1))
    return next(name for name in names if name not in taken)


def _parsed(data: bytes) -> dict[str, Any]:
    try:
        return tomllib.loads(data.decode("utf-8"))
    except ValueError as error:
        raise PlanProblem(f"plan.toml is not valid TOML: {error}.") from error
    except RecursionError as error:
        raise PlanProblem(TOO_DEEP) from error


def _destination(one: Destination) -> dict[str, Any]:
    if isinstance(one, ChannelDestination):
        return {"kind": "channel", "channel": one.channel}
    return {"kind": "email", "name": one.name, "addresses": list(one.addresses)}
