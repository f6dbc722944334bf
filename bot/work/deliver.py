"""One sending of one report to one destination: claimed first, so that a crash can only leave a question, not two."""

import re
from dataclasses import dataclass, replace
from datetime import timedelta

from sqlmodel import Session

from bot.domain.csv_text import as_delivered
from bot.domain.errors import ChatBusy, ChatError, ChatGone, MailBusy, MailError, MailUnclear
from bot.domain.mail_domains import outside_of
from bot.domain.ports import Place
from bot.domain.redact import redacted
from bot.domain.slot_terms import span_words
from bot.domain.slots import schedule_of, slot_words
from bot.domain.states import before, slot_after_deliveries
from bot.domain.views import ReportView
from bot.domain.words import DeliveryState, SlotState, Verb
from bot.log import log, told_in_logs
from bot.store import history, plans, runs
from bot.store.guarded import move
from bot.store.plans import known
from bot.store.tables_plans import Plan, Routine
from bot.store.tables_runs import Delivery, Run, Slot
from bot.work.endings import destination_key
from bot.work.fallback import pause_for
from bot.work.jobs import Job, enqueue, say
from bot.work.letters import letter
from bot.work.mailed import bring_files, hand_over, note_each
from bot.work.metrics import DELIVERIES
from bot.work.outbox import attach_once, post_once
from bot.work.own_files import aside_words
from bot.work.parts import JobParts
from bot.work.ping import Signal, note
from bot.work.points import Point, passing
from bot.work.reports import left_out, report_view
from bot.work.thread import place_of
from bot.work.uncovered import uncovered_words
from library.manifest import ChannelDestination, Destination, EmailDestination, Manifest
from library.plan_folder import short
from sandbox.outcome import Report
from sandbox.outcome_keys import read_outcome_keys

# How long to wait before a mail is offered again: greylisting ends within minutes, an outage within hours.
ON_TIME = timedelta(minutes=2)
MAIL_WAITS_S = (5, 60, 300, 900, 3600, 3600, 3600)


@dataclass(frozen=True)
class Parcel:
    """A claimed delivery with everything that is sent. `was_claimed` says that an earlier attempt got this far.

    `key` names it outside, `mark` is left beside the kept files; a restored backup of the database knows both.
    """

    delivery_id: int
    key: str
    mark: str
    slot_id: int
    destination: Destination
    view: ReportView
    routine_name: str
    team_id: str
    home: Place
    kept: dict[str, str]
    was_claimed: bool


def deliver(parts: JobParts, delivery_id: int) -> None:
    """Send once, or say that it cannot be known. Never raises for a refusal: that is an ending."""
    parcel = _claim(parts, delivery_id)
    if parcel is None:
        return
    if not parcel.was_claimed and not parts.blobs.mark(parcel.mark):
        parcel = replace(parcel, was_claimed=True)  # by a database that a backup took the place of
    with told_in_logs(delivery=delivery_id, slot=parcel.slot_id, routine=parcel.routine_name):
        passing(Point.DELIVERY_CLAIMED)
        _send(parts, parcel)
        passing(Point.DELIVERY_ENDED)


def _send(parts: JobParts, parcel: Parcel) -> None:
    if isinstance(parcel.destination, ChannelDestination):
        _post(parts, parcel, parcel.destination.channel)
    else:
        _mail(parts, parcel, parcel.destination)


def give_up(parts: JobParts, delivery_id: int, why: str) -> None:
    """The job itself keeps failing: before its claim nothing was sent, after it nobody can know."""
    with parts.db.transaction() as session:
        row = session.get_one(Delivery, delivery_id)
    state = DeliveryState.FAILED if row.state is DeliveryState.PENDING else DeliveryState.UNKNOWN
    _end(parts, delivery_id, row.slot_id, state, why)


def _claim(parts: JobParts, delivery_id: int) -> Parcel | None:
    now = parts.clock.now()
    with parts.db.transaction() as session:
        row = session.get_one(Delivery, delivery_id, with_for_update=True)
        fresh = move(session, Delivery, delivery_id, DeliveryState.PENDING, DeliveryState.SENDING, claimed_at=now)
        if not fresh and row.state is not DeliveryState.SENDING:
            return None
        return _parcel(session, row, was_claimed=not fresh)


def _parcel(session: Session, row: Delivery, *, was_claimed: bool) -> Parcel:
    run = session.get_one(Run, row.run_id)
    slot = session.get_one(Slot, row.slot_id)
    routine = session.get_one(Routine, slot.routine_id)
    plan = session.get_one(Plan, run.plan_id)
    manifest = plans.manifest(session, run.plan_id)
    report = read_outcome_keys(run.outcome)
    assert isinstance(report, Report), "only a report makes deliveries"
    foot = _foot(session, plan, slot, run, manifest)
    return Parcel(
        delivery_id=known(row.id),
        key=row.key,
        mark=_mark(session, row),
        slot_id=known(slot.id),
        destination=_destination(manifest, row.destination),
        view=report_view(manifest.title, _saying_what_it_lacks(session, slot, manifest, report), foot),
        routine_name=manifest.name,
        team_id=routine.team_id,
        home=place_of(routine),
        kept={name: str(sha256) for name, sha256 in run.kept.items()},
        was_claimed=was_claimed,
    )


def _mark(session: Session, row: Delivery) -> str:
    """What is left beside the kept files; each time that a person has it sent again it is another sending."""
    return f"delivery:{row.key}:{plans.times_used(session, Verb.SEND_ANYWAY, known(row.id))}"


def _destination(manifest: Manifest, key: str) -> Destination:
    found = {destination_key(one): one for one in manifest.destinations}
    return found[key]


def _foot(session: Session, plan: Plan, slot: Slot, run: Run, manifest: Manifest) -> str:
    approval = plans.approval_of(session, known(plan.id))
    by = f", approved by {re.sub('[<>]', '', approval.person_name)}" if approval else ""
    when = slot_words(slot.due_at, schedule_of(manifest)) + _late_words(slot, run)
    newest = history.newest_entry(session)
    mark = f", history {short(newest.hash)}" if newest else ""  # a copy of where it stood, with whoever got the report
    return f"{manifest.name}, slot {when}, version {plan.version} ({short(plan.digest)}){by}{mark}"


def _saying_what_it_lacks(session: Session, slot: Slot, manifest: Manifest, report: Report) -> Report:
    """The report, and above it what it is made without: who gets only the mail has no other way to know."""
    names = left_out(manifest)
    said = [f"**Without {', '.join(names)}**: left out of this report, as approved."] if names else []
    said += filter(None, [aside_words(session, slot), uncovered_words(session, slot, report)])
    return replace(report, markdown="\n\n".join([*said, report.markdown]))


def _late_words(slot: Slot, run: Run) -> str:
    """How late the run began, where somebody could notice."""
    late = (run.started_at or slot.due_at) - slot.due_at
    return f", begun {span_words(late)} late" if late > ON_TIME else ""


def _post(parts: JobParts, parcel: Parcel, channel: str) -> None:
    home = parcel.home
    place = Place(home.team_id, channel)
    if channel == home.channel_id:
        place = Place(home.team_id, channel, home.thread_ts, is_broadcast=True)
    try:
        key = f"delivery:{parcel.key}"
        ref = post_once(parts, place, parcel.view, key, may_be_there=parcel.was_claimed)
    except ChatBusy:
        raise  # nothing was posted; the job comes back to its own claim and looks first
    except ChatError as error:
        state = DeliveryState.FAILED if error.permanent else DeliveryState.UNKNOWN
        _end(parts, parcel.delivery_id, parcel.slot_id, state, str(error))
        if isinstance(error, ChatGone):
            pause_for(parts, parcel.home, str(error))
        return
    if missing := _attach(parts, parcel, Place(home.team_id, channel, place.thread_ts or ref.ts)):
        _end(parts, parcel.delivery_id, parcel.slot_id, DeliveryState.FAILED, missing)
    else:
        _end(parts, parcel.delivery_id, parcel.slot_id, DeliveryState.SENT, ref.ts)


def _attach(parts: JobParts, parcel: Parcel, place: Place) -> str:
    """Put what does not fit and each attachment into the thread, once; what could not be put there, in words."""
    for name, data in [*parts.chat.files_of(parcel.view), *_kept(parts, parcel)]:
        try:
            attach_once(parts, place, name, data, f"delivery:{parcel.key}:{name}")
        except ChatBusy:
            raise
        except ChatError as error:
            return f"The text of the report is there, but not its file {name}. {error}"
    return ""


def _kept(parts: JobParts, parcel: Parcel) -> list[tuple[str, bytes]]:
    """The attachments that the script made."""
    found = []
    for name, sha256 in parcel.kept.items():
        with parts.blobs.open(sha256) as source:
            found.append((name, as_delivered(name, source.read())))
    return found


def _mail(parts: JobParts, parcel: Parcel, destination: EmailDestination) -> None:
    if parcel.was_claimed:
        why = "Standby stopped while it was sending, and mail servers cannot be asked afterwards."
        _end(parts, parcel.delivery_id, parcel.slot_id, DeliveryState.UNKNOWN, why)
        return
    if parts.mail is None:
        why = "No mail server is set up (STANDBY_SMTP_HOST), so this mail was not sent."
        _end(parts, parcel.delivery_id, parcel.slot_id, DeliveryState.FAILED, why)
        return
    if outside := outside_of(destination.addresses, parts.settings.allowed_mail_domains):
        why = f"{', '.join(outside)} is outside of the domains that mail may go to (STANDBY_ALLOWED_MAIL_DOMAINS)."
        _end(parts, parcel.delivery_id, parcel.slot_id, DeliveryState.FAILED, why)
        return
    files = tuple(_kept(parts, parcel))
    message = letter(parcel.view, destination.addresses, f"delivery-{parcel.key}", files)
    try:
        handed, taken = hand_over(parts.mail, message)
        passing(Point.MAIL_SENT)
    except MailBusy as busy:
        _later(parts, parcel, str(busy))
    except MailError as error:
        state = DeliveryState.UNKNOWN if isinstance(error, MailUnclear) else DeliveryState.FAILED
        _end(parts, parcel.delivery_id, parcel.slot_id, state, str(error))
    else:
        note_each(parts, parcel.delivery_id, destination.name, taken, handed, parcel.home)
        _end(parts, parcel.delivery_id, parcel.slot_id, DeliveryState.SENT, handed.reply)
        if taken is not message:
            bring_files(parts, parcel.key, destination.name, message.attachments, parcel.home)


def _later(parts: JobParts, parcel: Parcel, why: str) -> None:
    """Nothing was sent, and the mail server wants to be asked again: some hours in all, then it has failed."""
    with parts.db.transaction() as session:
        attempts = session.get_one(Delivery, parcel.delivery_id).attempts
        is_over = attempts >= len(MAIL_WAITS_S)
        parts.blobs.unmark(parcel.mark)
        if not is_over and move(
            session, Delivery, parcel.delivery_id, DeliveryState.SENDING, DeliveryState.PENDING, attempts=attempts + 1
        ):
            lock = f"delivery:{parcel.delivery_id}"
            enqueue(session, Job.DELIVER, lock=lock, after_s=MAIL_WAITS_S[attempts], delivery_id=parcel.delivery_id)
            log.info("delivery_later", delivery=parcel.delivery_id, why=why)
    if is_over:
        _end(parts, parcel.delivery_id, parcel.slot_id, DeliveryState.FAILED, why)


def _end(parts: JobParts, delivery_id: int, slot_id: int, state: DeliveryState, proof: str) -> None:
    now, proof = parts.clock.now(), redacted(proof)
    with parts.db.transaction() as session:
        slot = session.get_one(Slot, slot_id, with_for_update=True)
        ended = [
            move(session, Delivery, delivery_id, old, state, ended_at=now, proof=proof[:1000]) for old in before(state)
        ]
        if not any(ended):
            return
        row = session.get_one(Delivery, delivery_id)
        log.info("delivery_ended", delivery=delivery_id, slot=slot_id, state=state, proof=proof[:300])
        DELIVERIES.labels(state.value, row.destination.partition(":")[0]).inc()
        body = {"slot": slot_id, "destination": row.destination, "state": state, "proof": proof[:1000]}
        history.append(session, now, f"delivery.{state}", body)
        if state is DeliveryState.UNKNOWN:
            enqueue(session, Job.UNSURE, lock=f"delivery:{delivery_id}", delivery_id=delivery_id)
        elif state is DeliveryState.FAILED:
            parts.blobs.unmark(_mark(session, row))
            _tell_failed(session, slot, row, proof)
        ending = slot_after_deliveries(frozenset(d.state for d in runs.deliveries_of(session, slot_id)))
        is_over = ending is not SlotState.DELIVERING
        if is_over and move(session, Slot, slot_id, SlotState.DELIVERING, ending, ended_at=now):
            note(session, slot.routine_id, Signal.SUCCESS if ending is SlotState.DELIVERED else Signal.FAIL)


def _tell_failed(session: Session, slot: Slot, row: Delivery, why: str) -> None:
    """Said in the routine's thread; nothing of it went out, so a rerun sends it."""
    routine = session.get_one(Routine, slot.routine_id)
    kind, _, name = row.destination.partition(":")
    failed = "The report was not posted." if kind == "channel" else f"The mail to {name} was not sent."
    say(session, place_of(routine), f"delivery:{row.key}:{row.state}", f"{failed} {why}")
