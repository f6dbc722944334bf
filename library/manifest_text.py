"""Reads and writes plan.toml; every complaint names the key, what it holds and what it should hold."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from library.addresses import is_address
from library.manifest import (
    ChannelDestination,
    DeclaredCheck,
    DeclaredIntermediate,
    Destination,
    EmailDestination,
    LikeliestSurprise,
    Limits,
    Manifest,
    ManifestError,
    OneSlot,
    Rung,
)
from library.manifest_keys import Keys
from library.manifest_schedule import (
    CATCH_UP_H,
    CLOCK,
    LATE_MIN,
    NTH_RULE,
    REGION,
    USUAL,
    WAIT_FILES,
    WEEKS_RULE,
    OnHoliday,
    Overlap,
    Schedule,
    SlotTerms,
    is_date,
    schedule_table,
)
from library.manifest_source import read_source, source_table
from library.toml_text import TomlValue, toml_text

_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_SURPRISE_NAME = re.compile(r"[A-Z][A-Za-z0-9]{1,60}")
_WEEKDAYS = re.compile(r"\*|(mon|tue|wed|thu|fri|sat|sun)([,-](mon|tue|wed|thu|fri|sat|sun))*")
_CRON_FIELD = re.compile(r"[0-9*,/-]+")
_MONTH = "(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)"
_MONTHS = re.compile(rf"[0-9*,/-]+|{_MONTH}(?:[,-]{_MONTH})*")
_CLOCK = re.compile(CLOCK)
_TIME_S = (1, 3600)
_MEMORY_MB = (128, 16_384)


def read_manifest(text: str | bytes) -> Manifest:
    """Raises ManifestError; unknown keys are errors, because nobody would see that they do nothing."""
    keys = Keys("", _parsed(text))
    manifest = Manifest(
        name=keys.matching("name", _NAME, "lower-case words joined by hyphens"),
        title=keys.text("title"),
        rung=keys.one_of("rung", Rung),
        why=keys.text("why"),
        script=keys.text("script", empty=True),
        schedule=_schedule(keys.table("schedule")) if "schedule" in keys.left else None,
        source=read_source(keys.table("source")),
        destinations=keys.each("destinations", _destination),
        checks=keys.each("checks", _check),
        intermediates=keys.each("intermediates", _intermediate),
        surprise=_surprise(keys.table("surprise")),
        limits=_limits(keys.table("limits")),
        parameters=_parameters(keys.table("parameters")) if "parameters" in keys.left else {},
        only=_only(keys.table("only")) if "only" in keys.left else None,
    )
    return keys.closing(manifest)


def write_manifest(manifest: Manifest) -> str:
    """The same manifest always gives the same text, and reading it gives the same manifest."""
    plain: dict[str, TomlValue] = {
        "name": manifest.name,
        "title": manifest.title,
        "rung": manifest.rung.value,
        "why": manifest.why,
        "script": manifest.script,
    }
    if manifest.schedule is not None:
        plain["schedule"] = schedule_table(manifest.schedule)
    plain["source"] = source_table(manifest.source)
    plain["destinations"] = [_destination_table(item) for item in manifest.destinations]
    plain["checks"] = [{"name": item.name, "says": item.says} for item in manifest.checks]
    plain["intermediates"] = [{"name": item.name, "unit": item.unit} for item in manifest.intermediates]
    plain["surprise"] = {
        "name": manifest.surprise.name,
        "drift": manifest.surprise.drift,
        "why": manifest.surprise.why,
    }
    plain["limits"] = {"time_s": manifest.limits.time_s, "memory_mb": manifest.limits.memory_mb}
    plain["parameters"] = manifest.parameters
    if manifest.only is not None:
        plain["only"] = {"due_at": manifest.only.due_at, "leave_out": list(manifest.only.leave_out)}
    return toml_text(plain)


def _destination_table(destination: Destination) -> dict[str, TomlValue]:
    if isinstance(destination, ChannelDestination):
        return {"kind": "channel", "channel": destination.channel}
    return {"kind": "email", "name": destination.name, "addresses": list(destination.addresses)}


def _parsed(text: str | bytes) -> Mapping[str, Any]:
    try:
        return tomllib.loads(text.decode("utf-8") if isinstance(text, bytes) else text)
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ManifestError(f"plan.toml is not valid TOML: {error}.") from error


def _schedule(keys: Keys) -> Schedule:
    rule = keys.text("rule") if "rule" in keys.left else ""
    cron = "" if rule else _cron(keys)
    if rule and not (NTH_RULE.fullmatch(rule) or WEEKS_RULE.fullmatch(rule)):
        raise keys.wrong("rule", rule, '"last fri of the month at 07:00" or "every 2 weeks on mon at 07:00"')
    zone = keys.text("zone")
    try:
        ZoneInfo(zone)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise keys.wrong("zone", zone, 'a time zone such as "Europe/Oslo"') from error
    anchor = keys.text("anchor") if WEEKS_RULE.fullmatch(rule) else ""
    if anchor and not is_date(anchor):
        raise keys.wrong("anchor", anchor, 'a date in a week that counts, such as "2026-12-07"')
    return keys.closing(Schedule(cron, zone, rule, anchor, _slot_terms(keys)))


def _cron(keys: Keys) -> str:
    cron = keys.text("cron")
    fields = cron.split()
    if len(fields) != 5 or not all(map(_CRON_FIELD.fullmatch, fields[:3])):
        raise keys.wrong("cron", cron, 'five fields such as "0 7 * * mon"')
    if not _MONTHS.fullmatch(fields[3]):
        raise keys.wrong("cron", cron, "months as numbers or names (1, jan, apr-jun)")
    if not _WEEKDAYS.fullmatch(fields[4]):
        raise keys.wrong("cron", cron, "weekdays by name (mon, tue-fri), because libraries number them differently")
    return cron


def _slot_terms(keys: Keys) -> SlotTerms:
    usual, said = USUAL, keys.left
    holidays = keys.matching("holidays", REGION, 'a country such as "NO" or "DE-BY"') if "holidays" in said else ""
    wait_until = keys.matching("wait_until", _CLOCK, 'a time such as "10:00"') if "wait_until" in said else ""
    return SlotTerms(
        overlap=keys.one_of("overlap", Overlap) if "overlap" in said else usual.overlap,
        catch_up_h=keys.integer("catch_up_h", *CATCH_UP_H) if "catch_up_h" in said else usual.catch_up_h,
        late_min=keys.integer("late_min", *LATE_MIN) if "late_min" in said else usual.late_min,
        wait_until=wait_until,
        # These two mean nothing without what they are about, and are then unknown keys.
        wait_files=keys.integer("wait_files", *WAIT_FILES) if wait_until and "wait_files" in said else 1,
        holidays=holidays,
        on_holiday=keys.one_of("on_holiday", OnHoliday) if holidays and "on_holiday" in said else usual.on_holiday,
    )


def _destination(keys: Keys) -> Destination:
    kind = keys.text("kind")
    if kind == "channel":
        return keys.closing(ChannelDestination(keys.text("channel")))
    if kind == "email":
        return keys.closing(EmailDestination(keys.text("name"), keys.texts("addresses", is_address, "plain addresses")))
    raise keys.wrong("kind", kind, '"channel" or "email"')


def _check(keys: Keys) -> DeclaredCheck:
    name = keys.matching("name", _SURPRISE_NAME, "a name like OddFile")
    return keys.closing(DeclaredCheck(name, keys.text("says")))


def _intermediate(keys: Keys) -> DeclaredIntermediate:
    return keys.closing(DeclaredIntermediate(keys.text("name"), keys.text("unit")))


def _surprise(keys: Keys) -> LikeliestSurprise:
    name = keys.matching("name", _SURPRISE_NAME, "a name like OddFile")
    drift = keys.matching("drift", _NAME, "the id of a drift, such as log-to-json")
    return keys.closing(LikeliestSurprise(name, drift, keys.text("why")))


def _limits(keys: Keys) -> Limits:
    return keys.closing(Limits(keys.integer("time_s", *_TIME_S), keys.integer("memory_mb", *_MEMORY_MB)))


def _parameters(keys: Keys) -> dict[str, TomlValue]:
    for name, value in keys.left.items():
        _refuse_times(f"parameters.{name}", value)
    return dict(keys.left)


def _only(keys: Keys) -> OneSlot:
    due_at = keys.text("due_at")
    try:
        is_aware = datetime.fromisoformat(due_at).utcoffset() is not None
    except ValueError:
        is_aware = False
    if not is_aware:
        raise keys.wrong("due_at", due_at, 'an instant such as "2026-12-14T06:00:00+00:00"')
    return keys.closing(OneSlot(due_at, keys.texts("leave_out")))


def _refuse_times(path: str, value: Any) -> None:
    if isinstance(value, dict):
        for key, inner in value.items():
            _refuse_times(f"{path}.{key}", inner)
    elif isinstance(value, list):
        for inner in value:
            _refuse_times(path, inner)
    elif not isinstance(value, str | int | float | bool):
        raise ManifestError(f"plan.toml: {path} is a {type(value).__name__}; write it as text in quotes.")
