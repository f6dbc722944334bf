"""Once a day what is older than it is kept is deleted, kind by kind, and that is written in the history.

Approvals, plans, reports in words and the history itself are kept for ever: they outlive the data.
"""

from datetime import datetime, timedelta

from sqlmodel import Session

from bot.store import aging, history
from bot.store.talk import claim_seen
from bot.work.jobs import Job, enqueue
from bot.work.parts import JobParts

SEEN_DAYS = 30
INCOMING_S = 24 * 3600.0  # no file is on its way for longer


def queue_daily(session: Session, now: datetime) -> None:
    """Queue it, once a day however many clocks tick."""
    if claim_seen(session, f"tidy:{now:%Y-%m-%d}", now):
        enqueue(session, Job.TIDY)


def tidy(parts: JobParts) -> None:
    """Delete what is too old. Rows say first that the bytes count no more; a crash leaves bytes, never a wrong row."""
    now, settings = parts.clock.now(), parts.settings
    if settings.keep_inputs_days:
        _inputs(parts, now, now - timedelta(days=settings.keep_inputs_days))
    if settings.keep_attachments_days:
        _attachments(parts, now, now - timedelta(days=settings.keep_attachments_days))
    parts.blobs.forget_incoming(INCOMING_S)
    with parts.db.transaction() as session:
        aging.forget_seen(session, now - timedelta(days=SEEN_DAYS))


def _inputs(parts: JobParts, now: datetime, before: datetime) -> None:
    with parts.db.transaction() as session:
        gone = aging.old_inputs(session, before) - aging.shas_still_attached(session, before)
        aging.forget_inputs(session, gone, now)
        _note(session, now, "inputs", len(gone), before)
    _remove(parts, gone)


def _attachments(parts: JobParts, now: datetime, before: datetime) -> None:
    with parts.db.transaction() as session:
        rows = aging.old_attachments(session, before)
        gone = {str(sha256) for row in rows for sha256 in row.kept.values()}
        gone -= aging.shas_still_attached(session, before)
        for row in rows:
            row.kept = {}
        _note(session, now, "attachments", len(gone), before)
    _remove(parts, gone)


def _note(session: Session, now: datetime, kind: str, count: int, before: datetime) -> None:
    if count:
        history.append(session, now, "data.deleted", {"kind": kind, "files": count, "before": before.isoformat()})


def _remove(parts: JobParts, shas: set[str]) -> None:
    for sha256 in sorted(shas):
        parts.blobs.remove(sha256)
