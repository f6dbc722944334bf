"""A delivery that may or may not have been made: told with two buttons, and settled by a person, once."""

from datetime import datetime

from sqlmodel import Session

from bot.domain.approval import Lists, may_instruct
from bot.domain.errors import ChatGone
from bot.domain.people import Person
from bot.domain.states import slot_after_deliveries
from bot.domain.views import Button, NoteView
from bot.domain.words import DeliveryState, SlotState, Verb
from bot.store import history, plans, runs
from bot.store.guarded import move
from bot.store.plans import known, new_press
from bot.store.tables_plans import Plan, Press, Routine
from bot.store.tables_runs import Delivery, Run, Slot
from bot.work.authority import cast_of
from bot.work.fallback import tell_directly
from bot.work.instruct import Refused
from bot.work.jobs import Job, enqueue
from bot.work.outbox import post_once, unsure_key
from bot.work.parts import JobParts
from bot.work.thread import place_of

SETTLING = (Verb.SEND_ANYWAY, Verb.ARRIVED)
AFTER = {
    DeliveryState.PENDING: "It is sent again now.",
    DeliveryState.SENDING: "It is sent again now.",
    DeliveryState.FAILED: "It was sent again, and that failed.",
}


def tell(parts: JobParts, delivery_id: int) -> None:
    """Say in the thread that nobody can know, with what a person may do; or what came of it since."""
    with parts.db.transaction() as session:
        row = session.get_one(Delivery, delivery_id, with_for_update=True)
        routine = session.get_one(Routine, session.get_one(Slot, row.slot_id).routine_id)
        view = _view(session, row)
    place, key = place_of(routine), unsure_key(row)
    try:
        ref = post_once(parts, place, view, key)
    except ChatGone as gone:
        tell_directly(parts, place, key, view.text, gone)
        return
    parts.chat.update(ref, view, key=key)


def settle(session: Session, lists: Lists, row: Press, person: Person, _reason: str, now: datetime) -> str:
    """Send it again, or take it as arrived; whichever press comes first counts. Raises Refused."""
    delivery = session.get_one(Delivery, known(row.delivery_id))
    slot = session.get_one(Slot, delivery.slot_id, with_for_update=True)  # slots are locked before deliveries
    session.refresh(delivery, with_for_update=True)
    routine = session.get_one(Routine, slot.routine_id)
    plan = session.get_one(Plan, session.get_one(Run, delivery.run_id).plan_id)
    if why_not := may_instruct(person, cast_of(routine, plan), lists.of(routine.channel_id, routine.name)):
        raise Refused(why_not)
    if row.used_at is not None or delivery.state is not DeliveryState.UNKNOWN:
        raise Refused("Somebody settled this a moment before you. Your press changed nothing.")
    said = (_send_again if row.verb is Verb.SEND_ANYWAY else _is_there)(session, delivery, person, now)
    for press_id in plans.unused_of_delivery(session, known(delivery.id)).values():
        spent = session.get_one(Press, press_id)
        spent.used_by, spent.used_at = person.user_id, now
    body = {"slot": slot.id, "destination": delivery.destination, "by": person.user_id}
    history.append(session, now, f"delivery.{row.verb}", body)
    enqueue(session, Job.UNSURE, lock=f"delivery:{delivery.id}", delivery_id=delivery.id)
    return said


def _send_again(session: Session, delivery: Delivery, _person: Person, _now: datetime) -> str:
    delivery_id = known(delivery.id)
    afresh = {"attempts": 0, "proof": "", "ended_at": None}
    move(session, Delivery, delivery_id, DeliveryState.UNKNOWN, DeliveryState.PENDING, **afresh)
    move(session, Slot, delivery.slot_id, SlotState.UNKNOWN, SlotState.DELIVERING, ended_at=None)
    enqueue(session, Job.DELIVER, lock=f"delivery:{delivery_id}", delivery_id=delivery_id)
    return "It is sent again now."


def _is_there(session: Session, delivery: Delivery, person: Person, now: datetime) -> str:
    proof = f"it arrived, says {person.name}"
    move(session, Delivery, known(delivery.id), DeliveryState.UNKNOWN, DeliveryState.SENT, ended_at=now, proof=proof)
    ending = slot_after_deliveries(frozenset(one.state for one in runs.deliveries_of(session, delivery.slot_id)))
    if ending is not SlotState.UNKNOWN and move(
        session, Slot, delivery.slot_id, SlotState.UNKNOWN, SlotState.DELIVERING, ended_at=None
    ):
        move(session, Slot, delivery.slot_id, SlotState.DELIVERING, ending, ended_at=now)
    return "Thank you. It counts as delivered."


def _view(session: Session, row: Delivery) -> NoteView:
    kind, _, name = row.destination.partition(":")
    target = "the report was posted in the channel" if kind == "channel" else f"the mail to {name} was sent"
    if row.state is DeliveryState.UNKNOWN:
        text = f"I cannot know whether {target}. I do not send it again by myself. {row.proof}"
        return NoteView(text, _buttons(session, known(row.id)))
    after = AFTER.get(row.state, f"It is delivered now: {row.proof}.")
    return NoteView(f"I could not know whether {target}. {after}")


def _buttons(session: Session, delivery_id: int) -> tuple[Button, ...]:
    """The same buttons whenever it is drawn again; new ones where it became unknown a second time."""
    ids = plans.unused_of_delivery(session, delivery_id)
    for verb in SETTLING:
        if verb not in ids:
            ids[verb] = new_press(session, verb, delivery_id=delivery_id).id
    return tuple(Button(verb, ids[verb]) for verb in SETTLING)
