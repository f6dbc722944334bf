"""Routines as Home and /standby show them: at a glance, their slots, their versions; only to those who may see them."""

import re
from datetime import datetime
from zoneinfo import ZoneInfo

from sqlmodel import Session

from bot.domain.bill_words import glance_words
from bot.domain.counts import counted
from bot.domain.left_words import who_left
from bot.domain.overview import HistoryView, RoutineLine, SlotLine, VersionLine, VersionsView
from bot.domain.people import Person
from bot.domain.ports import Chat, MessageRef
from bot.domain.redact import redacted
from bot.domain.slots import Schedule, moment_words, schedule_of
from bot.domain.words import DeliveryState, PlanState, RoutineState, RunState, SlotState
from bot.store import plans, runs
from bot.store.plans import known
from bot.store.tables_plans import Plan, Routine
from bot.store.tables_runs import Delivery, Run, Slot, SurpriseRow
from bot.work.approval_card import sends
from bot.work.cost import bill_of_routine
from bot.work.decide import DONE
from bot.work.govern import stamp
from bot.work.parts import Parts
from bot.work.reports import left_out
from library.manifest import Manifest
from library.plan_folder import short
from sandbox.outcome import Crashed, Surprised
from sandbox.outcome_json import OutcomeUnreadable
from sandbox.outcome_keys import read_outcome_keys

STRIP = 10
BY_PRESS = re.compile(r"skipped by <@([UW][A-Z0-9]{2,20})>")
SLOTS_ON_PAGE = 8
VERSIONS = 12
# Of a routine that was never approved and has no open card: how its last version ended.
UNDECIDED = {
    PlanState.REJECTED: "its version was rejected; say in its thread, with a mention of me, what should be otherwise",
    PlanState.EXPIRED: "its card expired undecided; write in its thread, with a mention of me, for another",
}
ENDED_BADLY = {RunState.HALTED: "halted", RunState.FAILED: "failed"}
SENT = {
    DeliveryState.PENDING: "waits to be sent to",
    DeliveryState.SENDING: "is being sent to",
    DeliveryState.SENT: "sent to",
    DeliveryState.FAILED: "not sent to",
    DeliveryState.UNKNOWN: "perhaps sent to",
}


def visible(parts: Parts, person: Person) -> list[Routine]:
    """The routines that somebody may know of: their own, and those of channels that they can read."""
    with parts.db.transaction() as session:
        found = plans.routines_of(session, person.team_id)
    return [one for one in found if is_visible(parts, one, person)]


def is_visible(parts: Parts, routine: Routine, person: Person) -> bool:
    """Whether somebody may know of this routine of their workspace."""
    with parts.db.transaction() as session:
        own = (routine.owner_id, _requester(session, routine))
    return person.user_id in own or parts.chat.may_read(routine.channel_id, person.user_id)


def line(session: Session, chat: Chat, routine: Routine) -> RoutineLine:
    """A routine at a glance; one whose plan cannot be read any more by its name alone."""
    plan = newest_plan(session, routine)
    manifest = plans.readable_manifest(session, known(plan.id))
    schedule = schedule_of(manifest) if manifest else None
    slots = runs.latest_slots(session, known(routine.id), STRIP)
    return RoutineLine(
        routine_id=known(routine.id),
        stamp=stamp(session, routine),
        name=routine.name,
        title=manifest.title if manifest else routine.name,
        state=routine.state,
        owner_id=routine.owner_id,
        channel_id=routine.channel_id,
        schedule=schedule.words() if schedule else "",
        next_at=_local(routine.next_slot_at, schedule) if routine.next_slot_at else "",
        version=plan.version,
        outcomes=tuple(one.state for one in reversed(slots)),
        latest=_local(slots[0].due_at, schedule) if slots else "",
        waiting=_waiting(session, routine, schedule),
        thread_url=chat.link(MessageRef(routine.channel_id, routine.thread_ts)),
        sends=sends(manifest) if manifest else (),
        bill=glance_words(bill_of_routine(session, routine)),
    )


def newest_plan(session: Session, routine: Routine) -> Plan:
    """The current version, else the last that was proposed."""
    if routine.current_plan_id is not None:
        return session.get_one(Plan, routine.current_plan_id)
    return plans.plans_of(session, known(routine.id))[-1]


def history(session: Session, routine: Routine, page: int = 0) -> HistoryView:
    """A page of its slots, newest first."""
    manifest = plans.readable_manifest(session, known(newest_plan(session, routine).id))
    schedule = schedule_of(manifest) if manifest else None
    pages = max(1, -(-runs.slot_count(session, known(routine.id)) // SLOTS_ON_PAGE))
    page = min(page, pages - 1)
    slots = runs.latest_slots(session, known(routine.id), SLOTS_ON_PAGE, page * SLOTS_ON_PAGE)
    return HistoryView(
        routine_id=known(routine.id),
        name=routine.name,
        zone=schedule.zone if schedule else "UTC",
        slots=tuple(_slot(session, one, schedule) for one in slots),
        page=page,
        pages=pages,
    )


def versions(session: Session, chat: Chat, routine: Routine) -> VersionsView:
    """Its newest versions with what became of each, and the way to their cards."""
    found = plans.plans_of(session, known(routine.id))[::-1]
    shown = tuple(_version(session, chat, routine, one) for one in found[:VERSIONS])
    return VersionsView(routine.name, shown, max(0, len(found) - VERSIONS))


def _requester(session: Session, routine: Routine) -> str:
    return newest_plan(session, routine).requester_id


def _local(instant: datetime, schedule: Schedule | None) -> str:
    return schedule.local(instant) if schedule else f"{moment_words(instant)} UTC"


def _day(instant: datetime, manifest: Manifest | None) -> str:
    """The day on which it was where the routine lives."""
    schedule = schedule_of(manifest) if manifest else None
    here = instant.astimezone(ZoneInfo(schedule.zone)) if schedule else instant
    return f"{here:%a} {here.day} {here:%b %Y}"


def _unanswered(session: Session, question: SurpriseRow, schedule: Schedule | None) -> str:
    """Which report an open question holds up; that later ones came does not answer it."""
    when = _local(session.get_one(Slot, question.slot_id).due_at, schedule)
    times = f" and {counted(question.times - 1, 'later one')}" if question.times > 1 else ""
    return f"No report for {when}{times}: {question.name} has no answer yet"


def _waiting(session: Session, routine: Routine, schedule: Schedule | None) -> str:
    """What a person has to answer: an open question first, for it holds up reports."""
    if routine.state is RoutineState.RETIRED:
        return ""
    said = [_unanswered(session, one, schedule) for one in runs.open_surprises(session, known(routine.id))[:1]]
    said += [f"version {plan.version} waits for approval" for _, plan in plans.open_cards(session, known(routine.id))]
    if not said and routine.state is RoutineState.DRAFT:
        return UNDECIDED.get(newest_plan(session, routine).state, "")
    return "; ".join(said)


def _slot(session: Session, slot: Slot, schedule: Schedule | None) -> SlotLine:
    every = runs.runs_of(session, known(slot.id))
    run = every[-1] if every else None
    sent = tuple(_delivery(one) for one in runs.deliveries_of(session, known(slot.id)))
    why = "" if slot.state in (SlotState.DELIVERED, SlotState.DELIVERING) else slot.reason
    return SlotLine(
        slot.state,
        _local(slot.due_at, schedule),
        _version_of(session, run),
        why,
        sent,
        _who(slot),
        earlier=tuple(_ended(session, one) for one in every[:-1] if one.state in ENDED_BADLY),
        left_out=_left_out(session, run) if run and run.state is RunState.REPORTED else (),
    )


def _ended(session: Session, run: Run) -> str:
    """How a run ended that was not the slot's last: what was halted first is part of what became of it."""
    said = f"{ENDED_BADLY[run.state]} before, version {_version_of(session, run)}"
    try:
        outcome = read_outcome_keys(run.outcome) if run.outcome else None
    except OutcomeUnreadable:
        return said
    if isinstance(outcome, Surprised):
        return redacted(f"{said}: {outcome.name}: {outcome.message}")
    return redacted(f"{said}: {outcome.error}: {outcome.message}") if isinstance(outcome, Crashed) else said


def _left_out(session: Session, run: Run) -> tuple[str, ...]:
    manifest = plans.readable_manifest(session, run.plan_id)
    return left_out(manifest) if manifest else ()


def _who(slot: Slot) -> tuple[str, ...]:
    """Whoever skipped it by a press, or left: only then is the reason a sentence of ours that names somebody."""
    if slot.state is SlotState.BLOCKED:
        return who_left(slot.reason)
    found = BY_PRESS.fullmatch(slot.reason) if slot.state is SlotState.SKIPPED else None
    return (found[1],) if found else ()


def _version_of(session: Session, run: Run | None) -> int | None:
    return session.get_one(Plan, run.plan_id).version if run else None


def _delivery(row: Delivery) -> str:
    """One sending in words; what was heard stands there where it did not go well."""
    kind, _, name = row.destination.partition(":")
    where = f"<#{name}>" if kind == "channel" else name
    heard = f" ({row.proof})" if row.proof and row.state in (DeliveryState.FAILED, DeliveryState.UNKNOWN) else ""
    refused = [f"{address}: {why}" for address, why in row.recipients.items() if why != "sent"]
    but = f", but not to {'; '.join(refused)}" if refused else ""
    return f"{SENT[row.state]} {where}{heard}{but}"


def _version(session: Session, chat: Chat, routine: Routine, plan: Plan) -> VersionLine:
    card = plans.card_of(session, known(plan.id))
    decision = plans.decision_on(session, known(plan.id))
    is_posted = card is not None and card.message_ts
    return VersionLine(
        version=plan.version,
        digest=short(plan.digest),
        state=DONE.get(card.state, card.state.value) if card else plan.state.value,
        made=_day(plan.created_at, plans.readable_manifest(session, known(plan.id))),
        by=decision.person_id if decision else "",
        is_current=plan.id == routine.current_plan_id,
        url=chat.link(MessageRef(card.channel_id, card.message_ts), card.thread_ts) if card and is_posted else "",
    )
