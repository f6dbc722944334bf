"""What may happen, decided apart from Standby: who may press what, which bytes may run, what may be sent once."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from bot.domain.people import Person
from tests.approval.outside import TEAM

OSLO = ZoneInfo("Europe/Oslo")


@dataclass(frozen=True)
class List:
    """Who may approve at the moment of a press."""

    approvers: tuple[str, ...] = ("BOB", "GINA")
    solo: bool = False


@dataclass
class Version:
    """One version as it was proposed; `state` is what its card must be by now."""

    plan_id: int
    routine_id: int
    files: dict[str, bytes]
    requester: str
    author: str
    state: str = "open"
    may_be_decided: bool = True  # false once somebody changed rows behind Standby's back
    may_run: bool = True


@dataclass
class Oracle:
    """Keeps books of its own over every press, run and sending."""

    versions: dict[int, Version] = field(default_factory=dict)
    decisions: list[tuple[int, str, str]] = field(default_factory=list)  # plan, verb, person
    current: dict[int, int] = field(default_factory=dict)  # routine -> plan
    active_since: dict[int, datetime] = field(default_factory=dict)
    paused: set[int] = field(default_factory=set)
    retired: set[int] = field(default_factory=set)
    reported: set[int] = field(default_factory=set)  # runs that came to a report in time
    sent: set[str] = field(default_factory=set)  # deliveries that were seen to be sent, which is for good

    def proposed(self, version: Version) -> None:
        for other in self.versions.values():
            if other.routine_id == version.routine_id and other.state == "open":
                other.state = "replaced"
        self.versions[version.plan_id] = version

    def may_press(self, version: Version, who: Person, verb: str, rule: List) -> bool:
        if who.is_bot or who.is_guest or who.is_deleted or who.is_stranger or who.team_id != TEAM:
            return False
        if version.state != "open" or not version.may_be_decided:
            return False
        if version.routine_id in self.retired and verb == "approve":
            return False
        people = [one for one in rule.approvers if not one.startswith("S")]  # the groups here cannot be read
        is_own = who.user_id in (version.requester, version.author)
        if verb == "approve":
            return who.user_id in people and (rule.solo or not is_own)
        return bool(people) and (is_own or who.user_id in people)

    def pressed(self, version: Version, who: Person, verb: str, at: datetime) -> None:
        """A press that counted."""
        self.decisions.append((version.plan_id, verb, who.user_id))
        version.state = "approved" if verb == "approve" else "rejected"
        if verb == "approve":
            self.current[version.routine_id] = version.plan_id
            if version.routine_id not in self.paused:
                self.active_since[version.routine_id] = at
            for other in self.versions.values():
                if other.routine_id == version.routine_id and other.state == "open":
                    other.state = "replaced"

    def ordered(self, routine_id: int, order: str, at: datetime) -> None:
        """What somebody who may told a routine."""
        if routine_id in self.retired:
            return
        if order == "resume" and routine_id in self.paused:
            self.paused.discard(routine_id)
            self.active_since[routine_id] = at
        elif order == "pause" and routine_id in self.active_since:
            self.paused.add(routine_id)
            self.active_since.pop(routine_id)
        elif order == "retire":
            self.retired.add(routine_id)
            self.active_since.pop(routine_id, None)
            for version in self.versions.values():
                if version.routine_id == routine_id and version.state == "open":
                    version.state = "replaced"

    def state_of(self, routine_id: int) -> str:
        if routine_id in self.retired:
            return "retired"
        if routine_id in self.paused:
            return "paused"
        return "active" if routine_id in self.active_since else "draft"

    def may_claim(self, plan_id: int, routine_id: int, slot_state: str) -> bool:
        version = self.versions[plan_id]
        return (
            version.state == "approved"
            and version.may_run
            and version.routine_id == routine_id
            and routine_id not in self.retired
            and slot_state == "due"
        )


def last_monday(now: datetime) -> datetime:
    """The last Monday 07:00 in Oslo up to now."""
    local = now.astimezone(OSLO)
    day = local.replace(hour=7, minute=0, second=0, microsecond=0) - timedelta(days=local.weekday())
    return day if day <= local else day - timedelta(days=7)
