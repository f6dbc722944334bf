"""What people may do with a whole routine, one function for each order; each answers with a sentence."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session

from bot.domain.approval import Lists, may_instruct, may_vouch
from bot.domain.errors import ChatError
from bot.domain.orders import Order, Said
from bot.domain.people import Person
from bot.domain.ports import Place
from bot.domain.slots import next_times, slot_words
from bot.domain.words import RoutineState, SlotState
from bot.store import history, plans, runs
from bot.store.guarded import move
from bot.store.plans import known
from bot.store.tables_plans import Plan, Routine
from bot.store.talk import claim_seen
from bot.work import made_up
from bot.work.authority import cast_of, lists_now
from bot.work.decide import Answer
from bot.work.instruct import Refused, rerun_slot
from bot.work.jobs import Job, enqueue, say
from bot.work.parts import Parts
from bot.work.propose import replace_cards
from bot.work.sweep import UNREADABLE, arm, schedule_now

STATES = {**{one: one.value for one in RoutineState}, RoutineState.DRAFT: "not approved yet"}
"""How a routine's state reads after "is"."""

NOT_YET = "No version of this was approved yet, so there is nothing to {}. Nothing was changed."


@dataclass(frozen=True)
class Governed:
    """A routine under lock, who gives the order, and when. `new_owner` is somebody for OWNER alone."""

    session: Session
    routine: Routine
    person: Person
    now: datetime
    new_owner: Person | None = None
    url: str = ""
    ping_allowed: tuple[str, ...] = ()
    may_vouch: bool = False  # could have approved the current version themselves

    @property
    def plan_id(self) -> int:
        return known(self.routine.current_plan_id)


CHANGED = "It has changed since you looked, so nothing was done. Look again; press once more if you still want to."


def give(parts: Parts, routine_id: int, said: Said, person: Person, key: str, seen: str = "") -> Answer:
    """An order that was not said in the thread: done once under `key`, and told there.

    With `seen` (see `stamp`) it counts only while the routine is as the person saw it.
    """
    try:
        order = prepared(parts, said, person)
    except ChatError as error:
        return Answer(f"{error} I cannot ask Slack who that is, so nothing was changed. Try again in a minute.", False)
    now = parts.clock.now()
    with parts.db.transaction() as session:
        routine = session.get_one(Routine, routine_id, with_for_update=True)
        if not claim_seen(session, f"order:{key}", now):
            return Answer("This was taken already. Nothing more was done.", False)
        if seen and seen != stamp(session, routine):
            return Answer(CHANGED, False)
        answer = obeyed(session, routine_id, order, now)
        if answer.accepted:
            place = Place(routine.team_id, routine.channel_id, routine.thread_ts)
            say(session, place, f"order:{key}", f"{person.name}: {answer.text}", (routine.owner_id,))
        return answer


def stamp(session: Session, routine: Routine) -> str:
    """Another one after everything that an order depends on or changes: state, version, slots, owner."""
    slot_id = runs.last_slot_id(session, known(routine.id))
    return f"{routine.state}.{routine.current_plan_id or 0}.{slot_id}.{routine.owner_id}"


@dataclass(frozen=True)
class Prepared:
    """An order with everything that the workspace had to be asked for: before rows are locked."""

    said: Said
    person: Person
    lists: Lists
    new_owner: Person | None
    ping_allowed: tuple[str, ...]


def prepared(parts: Parts, said: Said, person: Person) -> Prepared:
    new_owner = parts.chat.person(said.new_owner_id) if said.new_owner_id else None
    return Prepared(said, person, lists_now(parts), new_owner, parts.settings.ping_allowed)


def obeyed(session: Session, routine_id: int, order: Prepared, now: datetime) -> Answer:
    """Do it in the caller's transaction; an answer also where it is refused."""
    routine = session.get_one(Routine, routine_id, with_for_update=True)
    plan_id = routine.current_plan_id or known(plans.plans_of(session, routine_id)[-1].id)
    cast = cast_of(routine, session.get_one(Plan, plan_id))
    asks_only = order.said.order is Order.NEXT
    rules = order.lists.of(routine.channel_id, routine.name)
    if not asks_only and (why_not := may_instruct(order.person, cast, rules)):
        return Answer(why_not, False)
    try:
        with session.begin_nested():
            vouches = may_vouch(order.person, cast, rules)
            governed = Governed(
                session, routine, order.person, now, order.new_owner, order.said.url, order.ping_allowed, vouches
            )
            answer = _DOES[order.said.order](governed)
    except Refused as refused:
        return Answer(str(refused), False)
    except UNREADABLE as broken:
        return Answer(f"What is stored of the current version cannot be read, so nothing was changed. {broken}", False)
    if not asks_only:
        body = {"routine": routine.name, "by": order.person.user_id, "owner": routine.owner_id}
        history.append(session, now, f"routine.{order.said.order.name.lower()}", body)
    return Answer(answer, True)


def pause(it: Governed) -> str:
    """No new slots; what is due already still runs."""
    _demand_approved(it, "pause")
    arm(it.session, it.routine, it.now)
    if not _becomes(it, RoutineState.ACTIVE, RoutineState.PAUSED):
        raise Refused(f"{it.routine.name} is {STATES[it.routine.state]} already. Nothing was changed.")
    return f"Paused. {it.routine.name} runs no more until somebody says “resume” here."


def resume(it: Governed) -> str:
    """Active from the next slot on; slots that passed meanwhile are not made."""
    _demand_approved(it, "resume")
    schedule = schedule_now(it.session, it.plan_id)
    due_at = schedule.after(it.now) if schedule else None
    if it.may_vouch:
        it.routine.vouched_by = it.person.user_id
    if not _becomes(it, RoutineState.PAUSED, RoutineState.ACTIVE, due_at):
        raise Refused(f"{it.routine.name} is {STATES[it.routine.state]}, so it cannot be resumed. {_when(it)}".strip())
    return f"Resumed. {_when(it)}".strip()


def run_now(it: Governed) -> str:
    """A slot at this moment, over what was posted since the last one; the next slot goes on from here."""
    _demand_approved(it, "run")
    if it.routine.state is RoutineState.RETIRED:
        raise Refused(f"{it.routine.name} is retired. Nothing was changed.")
    if runs.slots_in(it.session, known(it.routine.id), (SlotState.DUE,)):
        raise Refused(f"{it.routine.name} is running at this moment already. Nothing was changed.")
    arm(it.session, it.routine, it.now)
    schedule = schedule_now(it.session, it.plan_id)
    begun = schedule.before(it.now) if schedule else it.routine.created_at
    since = max(filter(None, [runs.window_end(it.session, known(it.routine.id)), begun]))
    _queue(it, it.now, since, it.now)
    said = f"It runs now over the files posted since {slot_words(since, schedule)}."
    if schedule and it.routine.state is RoutineState.ACTIVE:
        said += f" {_when(it)} That one covers what is posted from now on."
    return said


def backfill(it: Governed) -> str:
    """New runs for what stopped, and one late report over what was missed; never for what was delivered."""
    _demand_approved(it, "make up for")
    stopped, empty = made_up.stopped(it.session, it.routine, it.plan_id)
    again = sum(rerun_slot(it.session, known(slot.id), it.plan_id, it.now) for slot in stopped)
    missed = _make_up(it)
    without = made_up.nothing_posted(empty, schedule_now(it.session, it.plan_id)) if empty else ""
    if not again and not missed:
        raise Refused(without or "No slot of this is halted, failed or missed, so there is nothing to make up for.")
    said = [f"{again} stopped slot{'s run' if again > 1 else ' runs'} again now."] if again else []
    said += [f"One report is made now for {missed} missed slot{'s' if missed > 1 else ''}."] if missed else []
    return " ".join(filter(None, [*said, without]))


def retire(it: Governed) -> str:
    """Over for good: no slots, and no card of it can be approved any more."""
    old = it.routine.state
    if old is RoutineState.RETIRED or not _becomes(it, old, RoutineState.RETIRED):
        raise Refused(f"{it.routine.name} is retired already. Nothing was changed.")
    replace_cards(it.session, known(it.routine.id))
    return f"Retired. {it.routine.name} never runs again; what it did is kept."


def next_slots(it: Governed) -> str:
    """Its state, when it runs next and who answers for it. Anybody who can read the thread may ask."""
    return (
        f"{it.routine.name} is {STATES[it.routine.state]}. {_when(it)}".strip()
        + f" <@{it.routine.owner_id}> answers for it."
    )


def hand_over(it: Governed) -> str:
    """Somebody else answers for it from now on: a full member of this workspace."""
    new = it.new_owner
    if new is None or new.is_bot or new.is_deleted or new.is_guest or new.is_stranger:
        raise Refused("Only a full member of this workspace can answer for a routine. Nothing was changed.")
    if new.user_id == it.routine.owner_id:
        raise Refused(f"<@{new.user_id}> answers for it already. Nothing was changed.")
    it.routine.owner_id = new.user_id
    return f"<@{new.user_id}> answers for {it.routine.name} from now on. {_when(it)}".strip()


def ping(it: Governed) -> str:
    """An outside address is asked when a slot begins, is delivered or comes to nothing."""
    if it.url and not it.url.startswith(it.ping_allowed or ("\0",)):
        allowed = " or ".join(it.ping_allowed) or "nowhere (an admin sets STANDBY_PING_ALLOWED)"
        raise Refused(f"Routines may ping addresses that begin with {allowed}. Nothing was changed.")
    it.routine.ping_url = it.url
    if not it.url:
        return f"{it.routine.name} pings nobody any more."
    return f"From its next slot on, {it.routine.name} pings that address: /start, itself when delivered, and /fail."


_DOES: Mapping[Order, Callable[[Governed], str]] = {
    Order.PAUSE: pause,
    Order.RESUME: resume,
    Order.RUN_NOW: run_now,
    Order.BACKFILL: backfill,
    Order.RETIRE: retire,
    Order.NEXT: next_slots,
    Order.OWNER: hand_over,
    Order.PING: ping,
}


def _demand_approved(it: Governed, what: str) -> None:
    if it.routine.current_plan_id is None:
        raise Refused(NOT_YET.format(what))


def _becomes(it: Governed, old: RoutineState, new: RoutineState, next_slot_at: datetime | None = None) -> bool:
    return move(it.session, Routine, known(it.routine.id), old, new, next_slot_at=next_slot_at)


def _when(it: Governed) -> str:
    """The next three slots in words; empty where none comes."""
    if it.routine.state is not RoutineState.ACTIVE or it.routine.current_plan_id is None:
        return ""
    schedule = schedule_now(it.session, it.plan_id)
    if schedule is None:
        return ""
    first, *rest = [schedule.local(one) for one in next_times(schedule, it.now)]
    return f"Next: {first} {schedule.zone}, then {' and '.join(rest)}."


def _queue(it: Governed, due_at: datetime, since: datetime, until: datetime) -> None:
    slot_id = runs.claim_slot(it.session, known(it.routine.id), due_at, since, SlotState.DUE, until=until)
    if slot_id is None:
        raise Refused("It runs at this very moment already. Nothing was changed.")
    run = runs.queue_run(it.session, slot_id, it.plan_id, it.now)
    enqueue(it.session, Job.RUN, lock=f"slot:{slot_id}", run_id=run.id)


def _make_up(it: Governed) -> int:
    """One slot now over the windows of the latest slots that were missed in a row; how many those are."""
    row = made_up.missed(it.session, it.routine)
    if row:
        _queue(it, it.now, row[0].since, row[-1].until)
    when = slot_words(it.now, schedule_now(it.session, known(it.routine.current_plan_id)))
    for slot in row:
        slot.reason = f"made up for by the slot of {when}"
    return len(row)
