"""Cards that nobody decides on: one reminder in the thread, and an end."""

from datetime import datetime

from sqlmodel import Session

from bot.domain.cards import EXPIRES_AFTER, REMINDS_AFTER
from bot.domain.ports import Clock
from bot.domain.words import CardState, PlanState
from bot.store import history, plans
from bot.store.guarded import move
from bot.store.plans import known
from bot.store.session import Database
from bot.store.tables_plans import Card, Plan, Routine
from bot.work.jobs import say
from bot.work.propose import draw
from bot.work.thread import place_of


def mind_cards(db: Database, clock: Clock) -> None:
    """Remind once, and end what has waited too long."""
    now = clock.now()
    with db.transaction() as session:
        for card in plans.open_since(session, now - REMINDS_AFTER):
            if card.opened_at <= now - EXPIRES_AFTER:
                _expire(session, card, now)
            elif card.reminded_at is None:
                card.reminded_at = now
                _say(session, card, "reminder", f"Version {_plan(session, card).version} still waits for a decision.")


def _expire(session: Session, card: Card, now: datetime) -> None:
    plan = _plan(session, card)
    if not move(session, Card, known(card.id), CardState.OPEN, CardState.EXPIRED):
        return
    move(session, Plan, known(plan.id), PlanState.PROPOSED, PlanState.EXPIRED)
    routine = session.get_one(Routine, plan.routine_id)
    body = {"routine": routine.name, "version": plan.version, "digest": card.digest}
    history.append(session, now, "plan.expired", body)
    draw(session, known(card.id))
    text = (
        f"Nobody decided on version {plan.version} within {EXPIRES_AFTER.days} days, so it expired. It will never run."
    )
    _say(session, card, "expired", text)


def _say(session: Session, card: Card, what: str, text: str) -> None:
    routine = session.get_one(Routine, _plan(session, card).routine_id)
    say(session, place_of(routine), f"card:{card.id}:{what}", text)


def _plan(session: Session, card: Card) -> Plan:
    return session.get_one(Plan, card.plan_id)
