"""Posts into one channel stand in line over all processes: who asked first is first, though Slack made them wait."""

import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta

from psycopg.errors import LockNotAvailable
from sqlalchemy import Connection, text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.orm import aliased
from sqlmodel import Session, col, select

from bot.domain.errors import ChatBusy
from bot.domain.ports import Place
from bot.store import pace
from bot.store.locks import CHANNEL_LINE
from bot.store.session import Database
from bot.store.tables_talk import Post

PATIENCE_S = 3.0
"""Whoever Slack makes wait for longer goes back to the queue: while they wait, they may hold a claim."""

LONGEST_S = 30.0
"""More than a post takes with all its waits. A process that is frozen for so long loses its place, not its post."""

COMES_BACK_WITHIN_S = 15.0
"""For so long, once Slack takes posts again, the channel is kept for those who asked before."""

WAITING = "waiting"
"""Stands for the owner of a post that Slack made wait: nothing was posted for certain, and it comes back."""


@contextmanager
def in_line(db: Database, place: Place, key: str, longest_s: float = LONGEST_S) -> Iterator[None]:
    """Wait for the turn of a claimed post, and have it for the block. Raises ChatBusy; nothing was posted then."""
    channel = f"channel:{place.team_id}:{place.channel_id}"
    connection = db.apart.connect()
    try:
        _stand(connection, channel, longest_s)
        _wait_for_slack(db, channel, place, key)
        try:
            yield
        except ChatBusy as busy:
            if busy.retry_after_s:
                with db.transaction() as session:
                    pace.not_before(session, channel, datetime.now(UTC) + timedelta(seconds=busy.retry_after_s))
            raise
    finally:
        with suppress(DBAPIError):  # the turn of who took too long was ended with the connection
            connection.close()


def _stand(connection: Connection, channel: str, longest_s: float) -> None:
    """PostgreSQL keeps the line in order, and ends the turn of whoever dies or does nothing for too long."""
    for name in ("lock_timeout", "idle_in_transaction_session_timeout"):
        longest = {"name": name, "longest": f"{longest_s * 1000:.0f}ms"}
        connection.execute(text("select set_config(:name, :longest, true)"), longest)
    take = text("select pg_advisory_xact_lock(:kind, hashtext(:channel))")
    try:
        connection.execute(take, {"kind": CHANNEL_LINE, "channel": channel})
    except DBAPIError as error:
        if not isinstance(error.orig, LockNotAvailable):
            raise
        raise ChatBusy("Too much is being posted in this channel; nothing was posted.") from error


def _wait_for_slack(db: Database, channel: str, place: Place, key: str) -> None:
    """By this computer's clock, not ours, which tests move: it is Slack who counts."""
    with db.transaction() as session:
        until, now = pace.turn_of(session, channel), datetime.now(UTC)
        if until is None or (now - until).total_seconds() > COMES_BACK_WITHIN_S:
            return
        is_next = not _waits_before(session, place, key)
    wait_s = (until - now).total_seconds()
    if wait_s > PATIENCE_S or not is_next:
        raise ChatBusy("Slack asked to wait with this channel; nothing was posted.", max(wait_s, 1.0))
    time.sleep(max(0.0, wait_s))


def _waits_before(session: Session, place: Place, key: str) -> bool:
    """Whether something waits for the same channel that was asked for earlier."""
    ours = aliased(Post)
    asked = select(ours.claimed_at).where(ours.key == key).scalar_subquery()
    earlier = select(Post.key).where(
        Post.team_id == place.team_id, Post.channel_id == place.channel_id, Post.owner == WAITING, Post.ts == "",
        col(Post.claimed_at) < asked,
    )  # fmt: skip
    return session.exec(earlier.limit(1)).first() is not None
