"""Posts into one channel stand in line over all processes: who asked first is first, though Slack made them wait."""

import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta

from psycopg.errors import LockNotAvailable
from sqlalchemy import Connection, text
from sqlalchemy.exc import DBAPIError

from bot.domain.errors import ChatBusy
from bot.domain.ports import Place
from bot.store import pace
from bot.store.locks import CHANNEL_LINE
from bot.store.session import Database

PATIENCE_S = 30.0
"""How long the first in line waits for Slack; told to wait for longer, everybody comes back later."""

LONGEST_S = 90.0
"""More than a post takes with all its waits. A process that is frozen for so long loses its place, not its post."""


@contextmanager
def in_line(db: Database, place: Place, longest_s: float = LONGEST_S) -> Iterator[None]:
    """Wait for one's turn in the channel, and have it for the block. Raises ChatBusy; nothing was posted then."""
    channel = f"channel:{place.team_id}:{place.channel_id}"
    connection = db.apart.connect()
    try:
        _wait_for_turn(connection, channel, longest_s)
        _wait_for_slack(db, channel)
        yield
    except ChatBusy as busy:
        if busy.retry_after_s:
            with db.transaction() as session:
                pace.not_before(session, channel, datetime.now(UTC) + timedelta(seconds=busy.retry_after_s))
        raise
    finally:
        with suppress(DBAPIError):  # the turn of who took too long was ended with the connection
            connection.close()


def _wait_for_turn(connection: Connection, channel: str, longest_s: float) -> None:
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
        raise ChatBusy("Too much is being posted in this channel; nothing was posted.", retry_after_s=0) from error


def _wait_for_slack(db: Database, channel: str) -> None:
    """By this computer's clock, not ours, which tests move: it is Slack who counts."""
    with db.transaction() as session:
        until = pace.turn_of(session, channel)
    wait_s = (until - datetime.now(UTC)).total_seconds() if until else 0.0
    if wait_s > PATIENCE_S:
        raise ChatBusy("Slack asked to wait with this channel; nothing was posted.", retry_after_s=wait_s)
    time.sleep(max(0.0, wait_s))
