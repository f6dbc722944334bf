"""How old, how long and how ragged the files of a slot may be by their own dates, from what the sample's are."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from library.catalog import ParameterSpec
from library.facts import FileFacts
from library.filling import Choice, Filling
from library.toml_text import TomlValue

DAY_S = 86_400
LATE_DAYS = 1  # a zone that is not written, and whatever is exported some hours before it is posted
OVERLAP_DAYS, OVERLAP_MORE = 0.75, 1.5  # what the kit lets pass: so many days more, times what was usual before
GAPS = 20  # a file may be silent for so many times its usual pause


@dataclass(frozen=True)
class _Dated:
    name: str
    first_at: datetime
    last_at: datetime
    entries: int

    @property
    def days(self) -> float:
        return (self.last_at - self.first_at).total_seconds() / DAY_S


def dates(spec: ParameterSpec, filling: Filling) -> TomlValue:
    """{late_days, most_days, quiet_days} for the kit's check_dates and check_ends. After the readers are filled."""
    found = [_dated(facts, *filling.spans[facts.name]) for facts in filling.files if facts.name in filling.spans]
    agreed = filling.before.get(spec.name)
    before = {name: float(str(value)) for name, value in agreed.items()} if isinstance(agreed, Mapping) else {}
    if not found:
        fresh = {"late_days": float(LATE_DAYS), "most_days": _window_days(filling) + 1, "quiet_days": 2.0}
    else:
        fresh = {"late_days": _late(found, before, filling), "quiet_days": _quiet(found, before)}
        fresh["most_days"] = _most(found, before, filling)
        fresh |= _overlap(found, before, filling)
    kept = {name: value for name, value in before.items() if name not in fresh}
    return {name: int(value) if value == int(value) else value for name, value in sorted((kept | fresh).items())}


def dates_in_words(parameters: TomlValue | None, files: Sequence[FileFacts], spans: Mapping[str, object]) -> str:
    """What can be heard of old files and what cannot, for the card."""
    undated = [facts.name for facts in files if facts.name not in spans]
    known = "no file is byte for byte an earlier one"
    blind = f"{_some(undated)} no dates, so other old content goes unheard"
    if not isinstance(parameters, Mapping) or (undated and len(undated) == len(files)):
        return f"{known}; {blind}" if undated else known
    late = parameters.get("late_days", LATE_DAYS)
    days = f"{late} day{'' if late == 1 else 's'}"
    if undated:
        return f"files with dates end after the previous report, give or take {days}; {known}; {blind}"
    return f"every file ends after the previous report, give or take {days}, and none is byte for byte an earlier one"


def newest(spans: Mapping[str, tuple[str, str]]) -> datetime | None:
    """The last date of all files that tell dates."""
    return max((_aware(last_at) for _, last_at in spans.values()), default=None)


def _late(found: Sequence[_Dated], before: Mapping[str, float], filling: Filling) -> float:
    """How long before the previous slot a file may end. A sample from long ago is asked about, once."""
    agreed = before.get("late_days", 0.0)
    if filling.window is None:
        return agreed or LATE_DAYS
    oldest = min(found, key=lambda one: one.last_at)
    needed = math.ceil((filling.window.since - oldest.last_at).total_seconds() / DAY_S)
    if filling.window.is_any_age or needed <= max(agreed, LATE_DAYS if before else _window_days(filling)):
        return max(agreed, LATE_DAYS, needed)
    ask = (
        f"{oldest.name} ends on {oldest.last_at:%Y-%m-%d}, {needed} days before the window of its report begins. "
        "Do new files always end so long before?"
    )
    old = Choice("old", "No: it is old, and old files must not be reported as new")
    answer = filling.answer(f"late:{needed}", ask, (old, Choice(str(needed), f"Yes, up to {needed} days")))
    if answer == "old" and not before:
        newest = max(found, key=lambda one: one.last_at)
        return max(LATE_DAYS, math.ceil((newest.last_at - oldest.last_at).total_seconds() / DAY_S))
    return float(answer) if answer.isdigit() else max(agreed, LATE_DAYS)


def _most(found: Sequence[_Dated], before: Mapping[str, float], filling: Filling) -> float:
    """How many days one file may cover: a file that keeps what earlier reports had would count it again."""
    longest = max(found, key=lambda one: one.days)
    agreed, needed = before.get("most_days", 0.0), float(math.ceil(longest.days) + 1)
    if not before or longest.days <= agreed:
        return agreed or max(needed, _window_days(filling) + 1)
    ask = f"{longest.name} covers {longest.days:.0f} days, and so far {agreed:g} were the most. Is that so from now on?"
    said = Choice(f"{needed:g}", "Yes, files may cover so much"), Choice("no", "No, something is wrong with it")
    answer = filling.answer(f"most:{needed:g}", ask, said)
    return float(answer) if answer.isdigit() else agreed


def _overlap(found: Sequence[_Dated], before: Mapping[str, float], filling: Filling) -> dict[str, float]:
    """How far a table may reach back into what the report before had; said only where somebody agreed to it.

    Logs are not compared so: theirs are no rows that are added up.
    """
    window, tables = filling.window, {facts.name for facts in filling.files if facts.log is None}
    first = min((one for one in found if one.name in tables), key=lambda one: one.first_at, default=None)
    if not before or first is None or window is None or window.newest_before is None:
        return {}
    days = (window.newest_before - first.first_at).total_seconds() / DAY_S
    if days <= max(before.get("overlap_days", 0.0), OVERLAP_DAYS + OVERLAP_MORE * window.usual_overlap):
        return {}
    ask = (
        f"{first.name} begins on {first.first_at:%Y-%m-%d}, {days:.1f} days before the newest entry that the report "
        "before had, so those entries would count in both. Is that so from now on?"
    )
    needed = f"{math.ceil(days)}"
    said = Choice(needed, f"Yes, up to {needed} days may count twice"), Choice("no", "No, something is wrong with it")
    answer = filling.answer(f"overlap:{needed}", ask, said)
    return {"overlap_days": float(answer)} if answer.isdigit() else {}


def _quiet(found: Sequence[_Dated], before: Mapping[str, float]) -> float:
    """How long before the newest file another may end; rare entries leave long pauses without meaning anything."""
    newest = max(one.last_at for one in found)
    pauses = [one.days / max(one.entries, 1) for one in found]
    apart = [(newest - one.last_at).total_seconds() / DAY_S for one in found]
    return max(before.get("quiet_days", 0.0) or math.ceil(max(2.0, 2 * max(apart), GAPS * max(pauses))), 0.0)


def _window_days(filling: Filling) -> float:
    if filling.window is None:
        return 31.0
    return math.ceil((filling.window.until - filling.window.since).total_seconds() / DAY_S)


def _dated(facts: FileFacts, first_at: str, last_at: str) -> _Dated:
    entries = facts.log.records if facts.log is not None else facts.csv.rows if facts.csv is not None else 0
    return _Dated(facts.name, _aware(first_at), _aware(last_at), entries)


def _aware(text: str) -> datetime:
    moment = datetime.fromisoformat(text)
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _some(names: Sequence[str]) -> str:
    shown = ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")
    return f"{shown} {'has' if len(names) == 1 else 'have'}"
