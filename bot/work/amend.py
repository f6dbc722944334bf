"""People change or take back replies: before anybody read them that is all; after, it is said as something new."""

from __future__ import annotations

from dataclasses import dataclass

from sqlmodel import Session, select

from bot.domain.words import TaskState
from bot.store import agent as conversations
from bot.store import talk
from bot.store.plans import known
from bot.store.tables_talk import Said, Task
from bot.work.intake import moment_of
from bot.work.jobs import Job, enqueue
from bot.work.parts import Parts
from bot.work.thread import lock_of

EDITED = "edited: "
TOOK_BACK = "(took a reply back)"
# The ts of a row that tells of a change to another row: nothing in Slack has it.
CHANGE = "change:"


@dataclass(frozen=True)
class Amended:
    """A reply as it is now; `text` is empty where it is gone. `at_ts` is when that happened."""

    team_id: str
    channel_id: str
    ts: str
    user_id: str
    text: str
    event_id: str
    at_ts: str


def amend(parts: Parts, amended: Amended) -> None:
    """Take in that a reply is another, or gone. What is not a reply in a task's thread is left alone."""
    with parts.db.transaction() as session:
        if not talk.claim_seen(session, f"event:{amended.event_id}", parts.clock.now()):
            return
        found = select(Said).where(Said.channel_id == amended.channel_id, Said.ts == amended.ts).with_for_update()
        row = session.exec(found).first()
        if row is None or row.user_id != amended.user_id or row.text == amended.text:
            return
        task = session.get_one(Task, row.task_id)
        if _is_read(session, task, row):
            _say_so(session, task, row, amended)
        elif amended.text:
            row.text = amended.text
        else:
            session.delete(row)


def _is_read(session: Session, task: Task, row: Said) -> bool:
    """Whether a conversation, or a draft that is done, has it already."""
    conversation = conversations.conversation_of(session, known(task.id))
    if conversation and f"said:{row.id}" in conversations.keys(session, known(conversation.id)):
        return True
    return row.is_guidance and task.state is not TaskState.NEW


def _say_so(session: Session, task: Task, row: Said, amended: Amended) -> None:
    """The old words stay in our books, because something was made of them. An edit is answered like a reply."""
    change = Said(
        task_id=row.task_id,
        channel_id=row.channel_id,
        ts=f"{CHANGE}{row.id}:{amended.event_id}",
        user_id=row.user_id,
        text=f"{EDITED}{amended.text}" if amended.text else TOOK_BACK,
        said_at=moment_of(amended.at_ts),
    )
    row.is_guidance = row.is_guidance and bool(amended.text)  # words that were taken back shape no later draft
    session.add(change)
    session.flush()
    if amended.text:
        enqueue(session, Job.REPLY, lock=lock_of(task), said_id=known(change.id), file_ids=[], is_asked_for=False)
