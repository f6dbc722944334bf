"""Turns: moments before which something may not begin, so that many processes together are not too fast."""

from datetime import datetime, timedelta

from sqlalchemy import case, func
from sqlalchemy.dialects.postgresql import insert
from sqlmodel import Session, col, select

from bot.store.tables_runs import Turn


def turn(session: Session, name: str, now: datetime, every_s: float, most: int) -> datetime:
    """The moment at which it is the caller's turn: now, or as soon as those before have had theirs.

    At most `most` can stand before it. A turn further ahead was given by a clock that was set back since.
    """
    gap = timedelta(seconds=every_s)
    row = insert(Turn).values(name=name, next_at=now + gap)
    known = case((col(Turn.next_at) > now + gap * (most + 1), now), else_=col(Turn.next_at))
    later = row.on_conflict_do_update(index_elements=["name"], set_={"next_at": func.greatest(known, now) + gap})
    next_at: datetime = session.execute(later.returning(col(Turn.next_at))).one()[0]
    return next_at - gap


def not_before(session: Session, name: str, moment: datetime) -> None:
    """Nothing of this name may begin before this moment."""
    row = insert(Turn).values(name=name, next_at=moment)
    session.execute(row.on_conflict_do_update(index_elements=["name"], set_={"next_at": moment}))


def turn_of(session: Session, name: str) -> datetime | None:
    """When the next of this name may begin, as was said last."""
    return session.exec(select(Turn.next_at).where(Turn.name == name)).first()
