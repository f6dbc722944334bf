"""What a press needs besides: the message it stands on, and a second look where a version lost or loosened a check."""

from dataclasses import dataclass

from sqlmodel import Session

from bot.domain.people import Person
from bot.domain.ports import MessageRef
from bot.domain.words import Verb
from bot.store.plans import known, new_press
from bot.store.tables_plans import Card, Plan, Press, Routine
from bot.store.tables_runs import Delivery, Slot, SurpriseRow
from bot.store.tables_talk import Post, Task
from bot.work.approval_card import change_of
from bot.work.outbox import unsure_key
from library.plan_folder import PlanFolder

# As many lines as a form shows of what is loosened.
MOST_SHOWN = 8
ELSEWHERE = "This button belongs to another message. Nothing was changed; press it on its own card."


def is_elsewhere(session: Session, row: Press, on: MessageRef) -> bool:
    """Whether a button was pressed on another message than the one it was made for.

    A message whose ts is not stored yet is known by its channel alone.
    """
    channel_id, ts = _home(session, row)
    return on.channel_id != channel_id or ts not in ("", on.ts)


@dataclass(frozen=True)
class Weaker:
    """What a version does to the checks of the one before: those that are gone, and those that hear less, in words."""

    removed: tuple[str, ...] = ()
    loosened: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.removed or self.loosened)


def weaker_checks(session: Session, plan: Plan, folder: PlanFolder) -> Weaker:
    """What a version loses of what the one before would hear."""
    change = change_of(session, plan, folder)
    return Weaker(change.checks_removed, change.checks_loosened) if change else Weaker()


def ask_again(session: Session, row: Press, person: Person, weaker: Weaker) -> tuple[str, str]:
    """A sentence, and the id of a new button that only this person's press counts on."""
    again = new_press(session, Verb.APPROVE_WITHOUT, card_id=row.card_id, person_id=person.user_id)
    words = []
    if weaker.removed:
        names = ", ".join(weaker.removed)
        words.append(f"This version no longer has the check {names}. What it heard would go unheard from then on.")
    if weaker.loosened:
        shown = [f"• {one}" for one in weaker.loosened[:MOST_SHOWN]]
        rest = len(weaker.loosened) - len(shown)
        shown += [f"• and {rest} more, which Show all lists first"] if rest else []
        words.append("\n".join(["These checks hear less than before:", *shown]))
    return "\n".join([*words, "Nothing is approved yet."]), again.id


def _home(session: Session, row: Press) -> tuple[str, str]:
    """The channel and ts of a button's message."""
    if row.card_id is not None:
        card = session.get_one(Card, row.card_id)
        return card.channel_id, card.message_ts
    if row.delivery_id is not None:
        return _home_of_delivery(session, row.delivery_id)
    if row.surprise_id is not None and row.task_id is None:
        surprise = session.get_one(SurpriseRow, row.surprise_id)
        post = session.get(Post, f"surprise:{surprise.id}")
        return session.get_one(Routine, surprise.routine_id).channel_id, post.ts if post else ""
    return session.get_one(Task, known(row.task_id)).channel_id, ""


def _home_of_delivery(session: Session, delivery_id: int) -> tuple[str, str]:
    delivery = session.get_one(Delivery, delivery_id)
    slot = session.get_one(Slot, delivery.slot_id)
    post = session.get(Post, unsure_key(delivery))
    return session.get_one(Routine, slot.routine_id).channel_id, post.ts if post else ""
