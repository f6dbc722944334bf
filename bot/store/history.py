"""Writing and checking the audit chain: each entry bound to the one before, and sealed with a key of ours."""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

from sqlalchemy import func, text
from sqlmodel import Session, col, select

from bot.domain.redact import redacted_all
from bot.store import locks
from bot.store.plans import known
from bot.store.seal import Head, Seal
from bot.store.tables_history import History

GENESIS = "0" * 64
# The entry with which a history that began without a key is sealed: from there on each entry has a seal.
SEALED = "history.sealed"
# In a session's `info`: its Seal, and the newest entry that it wrote.
SEAL, HEAD = "seal", "head"


def append(session: Session, at: datetime, kind: str, body: dict[str, Any]) -> None:
    """Add an entry in the caller's transaction. Writers queue up here, so that the chain has no fork.

    Secrets are masked before anything is hashed: nothing that is written here can be taken out again.
    """
    body = redacted_all(body)
    session.execute(text("select pg_advisory_xact_lock(:lock)"), {"lock": locks.HISTORY})
    last = newest_entry(session)
    previous = last.hash if last else GENESIS
    made = hash_of(previous, at, kind, body)
    entry = History(at=at, kind=kind, body=body, previous=previous, hash=made, seal=_seal_of(session).of(made))
    session.add(entry)
    session.flush()
    session.info[HEAD] = Head(known(entry.id), made)


def newest_entry(session: Session) -> History | None:
    return session.exec(select(History).order_by(col(History.id).desc()).limit(1)).first()


def begin_seal(session: Session, at: datetime) -> bool:
    """Seal what was written before there was a key, once. False where another key than ours sealed the newest entry."""
    session.execute(text("select pg_advisory_xact_lock(:lock)"), {"lock": locks.HISTORY})
    last, seal = newest_entry(session), _seal_of(session)
    if last is not None and seal.key and not last.seal:
        append(session, at, SEALED, {"entries": last.id, "head": last.hash})
        return True
    return last is None or not seal.key or seal.fits(last.hash, last.seal)


def newest(session: Session) -> int:
    """The id of the last entry, 0 before the first: another one means that something happened."""
    return session.exec(select(func.max(History.id))).one() or 0


def holds(session: Session, kind: str, if_said: Mapping[str, str] | None = None, /, **body: str) -> bool:
    """Whether an entry of this kind says this, itself unchanged since Standby wrote it.

    `if_said` is what it must not say otherwise; older entries say nothing of it.
    """
    found = select(History).where(History.kind == kind)
    for key, value in body.items():
        found = found.where(col(History.body)[key].astext == value)
    agreeing = [one for one in session.exec(found) if all(one.body.get(k, v) == v for k, v in (if_said or {}).items())]
    return any(_is_unchanged(entry) and _is_ours(session, entry) for entry in agreeing)


def newest_at(session: Session, kind: str, **body: str) -> datetime | None:
    """When the newest entry of this kind was written that says this; None where none does."""
    found = select(History.at).where(History.kind == kind)
    for key, value in body.items():
        found = found.where(col(History.body)[key].astext == value)
    return session.exec(found.order_by(col(History.id).desc())).first()


def first_break(entries: Iterable[History], previous: str = GENESIS) -> int | None:
    """The id of the first entry that does not follow from the one before; None when the chain holds."""
    for entry in entries:
        if entry.previous != previous or not _is_unchanged(entry):
            return entry.id
        previous = entry.hash
    return None


def seal_problems(whole: Sequence[History], seal: Seal) -> Iterator[str]:
    """What the key and the note outside the database say of the history; nothing where all fits."""
    first = next((n for n, entry in enumerate(whole) if entry.seal), None)
    if not seal.key:
        if first is not None:
            yield "The history is sealed, and its key is not here (STANDBY_HISTORY_KEY, or history.key in the data)."
        return
    if first is None:
        if whole:
            yield "No entry of the history bears a seal, although there is a key: it was written anew by somebody else."
    else:
        if first > 0 and whole[first].kind != SEALED:
            yield f"The entries of the history before {whole[first].id} bear no seal, and nothing says why."
        if wrong := [entry.id for entry in whole[first:] if not seal.fits(entry.hash, entry.seal)]:
            yield f"Entry {wrong[0]} of the history was not written by Standby: its seal does not fit."
    yield from head_problems(whole, seal)


def head_problems(whole: Sequence[History], seal: Seal) -> Iterator[str]:
    """Whether the entry that was noted as the newest is still there."""
    noted = seal.noted()
    if noted is not None and not any(entry.id == noted.id and entry.hash == noted.hash for entry in whole):
        yield (
            f"The history reached entry {noted.id} when Standby last wrote to it, and that entry is gone or another: "
            "what is newest was cut off. (After a backup was restored on purpose, remove history.head.)"
        )


def entries(session: Session) -> list[History]:
    """The whole chain in order."""
    return list(session.exec(select(History).order_by(col(History.id))))


def newest_entries(session: Session, most: int) -> list[History]:
    """So many of the newest, in order."""
    found = session.exec(select(History).order_by(col(History.id).desc()).limit(most)).all()
    return list(reversed(found))


def _seal_of(session: Session) -> Seal:
    seal = session.info.get(SEAL)
    return seal if isinstance(seal, Seal) else Seal()


def _is_ours(session: Session, entry: History) -> bool:
    """Whether Standby wrote it: it bears our seal, or is older than the first and leads to it entry by entry."""
    seal = _seal_of(session)
    if not seal.key or entry.seal:
        return not seal.key or seal.fits(entry.hash, entry.seal)
    previous = entry.previous
    for one in session.exec(select(History).where(col(History.id) >= entry.id).order_by(col(History.id))):
        if one.previous != previous or not _is_unchanged(one):
            return False
        if one.seal:
            return one.kind == SEALED and seal.fits(one.hash, one.seal)
        previous = one.hash
    return False


def _is_unchanged(entry: History) -> bool:
    return entry.hash == hash_of(entry.previous, entry.at, entry.kind, entry.body)


def hash_of(previous: str, at: datetime, kind: str, body: dict[str, Any]) -> str:
    """sha256 over an entry and the hash of the one before; 64 hex digits."""
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
