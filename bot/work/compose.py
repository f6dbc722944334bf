"""A whole plan from a draft: what the model may say of it, and what is Standby's alone to say."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import count
from typing import Any

from bot.domain.errors import PlanProblem, RequestProblem
from bot.domain.slot_terms import planned
from bot.work.slot_facts import of_its_time
from library.filling import Filled, Window
from library.kit_parameters import kit_parameters
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
from library.toml_text import TomlValue, toml_text
from sandbox.execute import SlotFacts
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
    agreed: Mapping[str, TomlValue] = field(default_factory=dict)  # parameters of the version that is changed

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
        agreed=manifest.parameters,
    )


def composed(
    draft: Mapping[str, bytes], terms: Terms, when: str, samples: Sequence[Sample], slot: SlotFacts | None = None
) -> PlanFolder:
    """The plan folder, its resume.md not yet rendered. Raises PlanProblem, naming file and key.

    What the kit's verbs go by is filled from `samples` for `slot`, where the draft leaves it out.
    """
    if missing := [name for name in WRITTEN if not draft.get(name, b"").strip()]:
        raise PlanProblem(f"The draft lacks {', '.join(missing)}. Write each of them whole with write_file.")
    said = _parsed(draft["plan.toml"])
    if samples:
        said["parameters"] = _filled(draft["plan.py"], said, terms, samples, slot).parameters
    manifest = _manifest(said, terms, terms.schedule(when))
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


def with_parameters(
    draft: Mapping[str, bytes], source: str, terms: Terms, samples: Sequence[Sample], slot: SlotFacts
) -> dict[str, bytes]:
    """The draft for a first try of this source, its plan.toml filled in the same way. Raises PlanProblem."""
    said = _parsed(draft.get("plan.toml", b""))
    filled = _filled(source.encode(), said, terms, samples, slot)
    return {**draft, "plan.toml": toml_text({"parameters": filled.parameters}).encode()}


def filled_in(draft: Mapping[str, bytes], folder: PlanFolder) -> str:
    """The parameters of the plan that its draft left out, as plan.toml has them; empty where there are none."""
    own = _own(_parsed(draft["plan.toml"]))
    all_of_them = _own(_parsed(folder.files["plan.toml"]))
    new = {name: value for name, value in all_of_them.items() if name not in own}
    return toml_text({"parameters": new}) if new else ""


def in_its_time(
    draft: Mapping[str, bytes], terms: Terms, when: str, samples: Sequence[Sample], slot: SlotFacts
) -> SlotFacts:
    """The slot that the files are an example of, as their dates tell it to the kit. Raises PlanProblem."""
    source, said = draft.get("plan.py", b""), _parsed(draft.get("plan.toml", b""))
    newest_at = kit_parameters(_text(source), [one.facts for one in samples], _own(said)).newest_at
    return of_its_time(slot, newest_at, terms.schedule(when))


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


def _filled(
    source: bytes, said: Mapping[str, Any], terms: Terms, samples: Sequence[Sample], slot: SlotFacts | None
) -> Filled:
    window = Window(slot.since, slot.until, is_any_age=terms.is_once) if slot else None
    filled = kit_parameters(_text(source), [one.facts for one in samples], _own(said), terms.agreed, window)
    asked = [f"{one.ask} ({'; '.join(choice.label for choice in one.choices)})" for one in filled.questions]
    if asked or filled.problems:
        known = toml_text({"parameters": filled.parameters}) if filled.parameters else ""
        raise PlanProblem(
            f"What the kit goes by cannot be told from the files alone. {' '.join([*filled.problems, *asked])} Write "
            "it in the [parameters] of plan.toml if you know it, else ask the people of the thread. So far:\n" + known
        )
    return filled


def _own(said: Mapping[str, Any]) -> Mapping[str, TomlValue]:
    """The parameters that a draft has; what is no table there is refused with the rest of plan.toml."""
    own = said.get("parameters", {})
    return own if isinstance(own, dict) else {}


def _text(source: bytes) -> str:
    return source.decode("utf-8", "replace")


def _manifest(said: dict[str, Any], terms: Terms, schedule: Schedule) -> Manifest:
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
