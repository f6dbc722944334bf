"""Scripts that a conversation ran to their end: the newest that declared something is an answer, once."""

from datetime import datetime

from sqlmodel import Session, col, select

from bot.store.tables_agent import Conversation, TryRow


def add(
    session: Session, conversation_id: int, seq: int, script: str, outcome: dict[str, object], now: datetime
) -> None:
    """Keep a run that ended well."""
    row = TryRow(conversation_id=conversation_id, seq=seq, script=script, outcome=outcome, made_at=now)
    session.add(row)


def newest(session: Session, conversation_id: int) -> TryRow | None:
    """The last run that nothing was answered with yet: of those that declared tables, where one did."""
    found = select(TryRow).where(TryRow.conversation_id == conversation_id, col(TryRow.answered_at).is_(None))
    rows = list(session.exec(found.order_by(col(TryRow.id).desc())))
    return next((row for row in rows if row.outcome["tables"] or row.outcome["charts"]), rows[0] if rows else None)


def settle(session: Session, conversation_id: int, answered: TryRow, now: datetime) -> None:
    """This one was posted; what was tried before it never will be."""
    rows = session.exec(
        select(TryRow).where(TryRow.conversation_id == conversation_id, col(TryRow.answered_at).is_(None))
    )
    for row in rows:
        if row.id == answered.id:
            row.answered_at = now
        else:
            session.delete(row)


def answered(session: Session, task_id: int) -> TryRow | None:
    """The run that the last answer in a task's thread came from."""
    found = (
        select(TryRow)
        .join(Conversation, col(Conversation.id) == TryRow.conversation_id)
        .where(Conversation.task_id == task_id, col(TryRow.answered_at).is_not(None))
    )
    return session.exec(found.order_by(col(TryRow.id).desc()).limit(1)).first()
