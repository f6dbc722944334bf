"""Turns: moments that are given out one after the other, so that many processes together are not too fast."""

from datetime import datetime, timedelta

from sqlalchemy import func
from sqlalchemy.dialects.postgresql import insert
from sqlmodel import Session, col

from bot.store.tables_runs import Turn


def turn(session: Session, name: str, now: datetime, every_s: float) -> datetime:
    """The moment at which it is the caller's turn: now, or as soon as those before have had theirs."""
    gap = timedelta(seconds=every_s)
    row = insert(Turn).values(name=name, next_at=now + gap)
    later = row.on_conflict_do_update(
        index_elements=["name"], set_={"next_at": func.greatest(col(Turn.next_at), now) + gap}
    )
    next_at: datetime = session.execute(later.returning(col(Turn.next_at))).one()[0]
    return next_at - gap
