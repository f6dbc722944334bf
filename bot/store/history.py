"""Writing and checking the audit chain."""

import hashlib
import json
from collections.abc import Iterable
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

from sqlalchemy import func, text
from sqlmodel import Session, col, select

from bot.domain.redact import redacted_all
from bot.store import locks
from bot.store.tables_history import History

GENESIS = "0" * 64


def append(session: Session, at: datetime, kind: str, body: dict[str, Any]) -> None:
    """Add an entry in the caller's transaction. Writers queue up here, so that the chain has no fork.

    Secrets are masked before anything is hashed: nothing that is written here can be taken out again.
    """
    body = redacted_all(body)
    session.execute(text("select pg_advisory_xact_lock(:lock)"), {"lock": locks.HISTORY})
    last = session.exec(select(History).order_by(col(History.id).desc()).limit(1)).first()
    previous = last.hash if last else GENESIS
    session.add(History(at=at, kind=kind, body=body, previous=previous, hash=_hash(previous, at, kind, body)))
    session.flush()


def newest(session: Session) -> int:
    """The id of the last entry, 0 before the first: another one means that something happened."""
    return session.exec(select(func.max(History.id))).one() or 0


def holds(session: Session, kind: str, **body: str) -> bool:
    """Whether an entry of this kind says this, itself unchanged since it was written."""
    found = select(History).where(History.kind == kind)
    for key, value in body.items():
        found = found.where(col(History.body)[key].astext == value)
    return any(_is_unchanged(entry) for entry in session.exec(found))


def first_break(entries: Iterable[History]) -> int | None:
    """The id of the first entry that does not follow from the one before; None when the chain holds."""
    previous = GENESIS
    for entry in entries:
        if entry.previous != previous or not _is_unchanged(entry):
            return entry.id
        previous = entry.hash
    return None


def entries(session: Session) -> list[History]:
    """The whole chain in order."""
    return list(session.exec(select(History).order_by(col(History.id))))


def _is_unchanged(entry: History) -> bool:
    return entry.hash == _hash(entry.previous, entry.at, entry.kind, entry.body)


def _hash(previous: str, at: datetime, kind: str, body: dict[str, Any]) -> str:
    entry = [previous, at.astimezone(UTC).isoformat(), kind, _as_kept(body)]
    whole = json.dumps(entry, sort_keys=True, ensure_ascii=True, allow_nan=False)
    return hashlib.sha256(whole.encode()).hexdigest()


def _as_kept(value: Any) -> Any:
    """A JSON value as the database gives it back: it keeps decimals, so 1e+22 returns as a whole number."""
    if isinstance(value, float) and value.is_integer():
        return int(Decimal(repr(value)))
    if isinstance(value, dict):
        return {str(key): _as_kept(inner) for key, inner in value.items()}
    return [_as_kept(inner) for inner in value] if isinstance(value, list | tuple) else value
