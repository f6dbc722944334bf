"""The [schedule] of plan.toml: when a plan is due, as cron or by a rule in words, and what happens in between."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from enum import StrEnum

DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_DAY = f"(?:{'|'.join(DAYS)})"
CLOCK = r"(?:[01]\d|2[0-3]):[0-5]\d"
_TIMES = rf"(?P<times>{CLOCK}(?:,{CLOCK})*)"
NTH_RULE = re.compile(
    rf"(?P<nth>first|second|third|fourth|last) (?P<day>business day|{_DAY}) of the (?P<period>month|quarter)"
    rf" at {_TIMES}"
    rf"|(?P<end>last) day of the (?P<end_period>month|quarter) at (?P<end_times>{CLOCK}(?:,{CLOCK})*)"
)
"""`first business day of the month at 07:00`, `last fri of the quarter at 07:00,12:00`, `last day of …`."""
WEEKS_RULE = re.compile(rf"every (?P<weeks>[2-9]|1\d|2[0-6]) weeks on (?P<days>{_DAY}(?:,{_DAY})*) at {_TIMES}")
"""`every 2 weeks on mon,thu at 07:00`; which weeks those are, an anchor says."""
REGION = re.compile(r"[A-Z]{2}(-[A-Z0-9]{1,3})?")
"""A country as ISO 3166 names it, or a part of one: NO, DE-BY."""

CATCH_UP_H = (1, 24 * 28)
LATE_MIN = (5, 60 * 24 * 28)
WAIT_FILES = (1, 500)


class Overlap(StrEnum):
    SKIP = "skip"  # a slot that comes while the one before still runs gets no run
    WAIT = "wait"  # it runs after the one before


class OnHoliday(StrEnum):
    SKIP = "skip"  # no slot on that day; the next one covers what was posted
    SHIFT = "shift"  # on the next day that is neither a holiday nor on a weekend


@dataclass(frozen=True)
class SlotTerms:
    """What happens to a slot that is late, overtaken, without files, or on a holiday."""

    overlap: Overlap = Overlap.SKIP
    catch_up_h: int = 48  # what was missed for longer is not run late by itself
    late_min: int = 60 * 48  # a run that could not begin for so long is not begun
    wait_until: str = ""  # HH:MM on the slot's day, in its zone: until then missing files are waited for
    wait_files: int = 1  # how many files a slot waits for
    holidays: str = ""  # the country whose public holidays count; empty: none do
    on_holiday: OnHoliday = OnHoliday.SKIP


USUAL = SlotTerms()


@dataclass(frozen=True)
class Schedule:
    """Either `cron` or `rule` says when; the other is empty."""

    cron: str  # five fields, weekdays by name, because libraries disagree on which day is 0
    zone: str  # an IANA name
    rule: str = ""  # as NTH_RULE or WEEKS_RULE has it
    anchor: str = ""  # ISO date in a week that counts, for WEEKS_RULE alone
    terms: SlotTerms = USUAL

    @property
    def when(self) -> str:
        return self.cron or self.rule


def schedule_table(schedule: Schedule) -> dict[str, str | int]:
    """As plain.toml keeps it: what is as usual is left out, so that the same schedule is always the same text."""
    table: dict[str, str | int] = {"rule": schedule.rule} if schedule.rule else {"cron": schedule.cron}
    table["zone"] = schedule.zone
    if schedule.anchor:
        table["anchor"] = schedule.anchor
    for key, value in vars(schedule.terms).items():
        if value != getattr(USUAL, key):
            table[key] = value.value if isinstance(value, StrEnum) else value
    return table


def is_date(text: str) -> bool:
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False
