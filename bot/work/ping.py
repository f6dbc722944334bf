"""An outside address that raises the alarm when it stops hearing of us: of this install, and of a routine."""

from enum import StrEnum

import httpx
from sqlmodel import Session

from bot.store.tables_plans import Routine
from bot.work.jobs import Job, enqueue
from bot.work.parts import JobParts

WITHIN_S = 10.0


class Signal(StrEnum):
    """What is appended to the address, as healthchecks and its kin take it."""

    START = "start"
    SUCCESS = "success"  # the address itself
    FAIL = "fail"


def send(url: str, signal: Signal) -> None:
    """Ask the address. Raises httpx.HTTPError, also where it answers with an error."""
    address = url if signal is Signal.SUCCESS else f"{url.rstrip('/')}/{signal}"
    httpx.get(address, timeout=WITHIN_S).raise_for_status()


def note(session: Session, routine_id: int, signal: Signal) -> None:
    """Queue a ping of the routine, where it has an address; it goes out once what it tells is recorded."""
    if session.get_one(Routine, routine_id).ping_url:
        enqueue(session, Job.PING, lock=f"ping:{routine_id}", routine_id=routine_id, signal=signal.value)


def ping(parts: JobParts, routine_id: int, signal: str) -> None:
    """Send it. A job that comes twice pings twice, which says the same."""
    with parts.db.transaction() as session:
        url = session.get_one(Routine, routine_id).ping_url
    if url:
        send(url, Signal(signal))
