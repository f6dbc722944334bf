"""People change or take back what they said: before anybody read it that is all; after, it is said as something new."""

from __future__ import annotations

from dataclasses import dataclass

from sqlmodel import Session, select

from bot.domain.words import SaidKind, TaskState
from bot.store import agent as conversations
from bot.store import talk
from bot.store.guarded import move
from bot.store.plans import known
from bot.store.tables_plans import Routine
from bot.store.tables_talk import Said, Task
from bot.work.intake import moment_of
from bot.work.jobs import Job, enqueue, say
from bot.work.parts import Parts
from bot.work.thread import lock_of, place_of, wake

APPROVED = (
    "This request is approved as {name} and runs as it was approved; what you changed in its words changes nothing. "
    "To have it done otherwise, say here what should change, and I propose a new version."
)
APPROVED_GONE = (
    "The request was deleted, but {name} is approved and runs on. To end it, mention me here with “retire”; "
    "“pause” stops it for a while."
)
TAKEN_BACK = "The request was taken back, so I stopped and nothing is proposed. Write here to start again."
GONE_AFTER_CARD = (
    "The request was taken back; the plan above still waits for a decision. Reject it if nobody wants it any more."
)


@dataclass(frozen=True)
class Amended:
    """A message as it is now; `text` is empty where it is gone. `at_ts` is when that happened."""

    team_id: str
    channel_id: str
    ts: str
    user_id: str
    text: str
    event_id: str
    at_ts: str


def amend(parts: Parts, amended: Amended) -> None:
    """Take in that a message is another, or gone. What is neither a request nor a reply to one is left alone."""
    with parts.db.transaction() as session:
        if not talk.claim_seen(session, f"event:{amended.event_id}", parts.clock.now()):
            return
        task = talk.task_asked_at(session, amended.team_id, amended.channel_id, moment_of(amended.ts))
        if task is not None:
            _amend_request(session, task, amended)
            return
        found = select(Said).where(Said.channel_id == amended.channel_id, Said.ts == amended.ts).with_for_update()
        row = session.exec(found).first()
        if row is not None and row.user_id == amended.user_id and row.text != amended.text:
            _amend_reply(session, row, amended)


def _amend_reply(session: Session, row: Said, amended: Amended) -> None:
    task = session.get_one(Task, row.task_id)
    if row.is_guidance and (task.state is not TaskState.NEW or _has_heard(session, task, f"said:{row.id}")):
        # The old words stay in our books, because something was made of them; gone ones shape no later draft.
        row.is_guidance = bool(amended.text)
        _say_so(session, task, amended, SaidKind.CHANGE, row.id)
    elif amended.text:
        row.text = amended.text
    else:
        session.delete(row)


def _amend_request(session: Session, task: Task, amended: Amended) -> None:
    """The request is read anew until a version of it is approved; from then on only a version changes anything."""
    session.refresh(task, with_for_update=True)
    if task.requester_id != amended.user_id or task.request == amended.text:
        return
    routine = session.get(Routine, task.routine_id) if task.routine_id else None
    if routine is not None and routine.current_plan_id is not None:
        words = APPROVED if amended.text else APPROVED_GONE
        _tell(session, task, amended, words.format(name=routine.name))
    elif not amended.text:
        _take_back(session, task, amended)
    else:
        task.request = amended.text
        if conversations.conversation_of(session, known(task.id)) is not None:  # it begins with the request
            _say_so(session, task, amended, SaidKind.REQUEST)
        else:
            wake(session, task)


def _take_back(session: Session, task: Task, amended: Amended) -> None:
    """Stop what is under way; a card that is there already is for people to decide on, an answer was given."""
    if task.state is TaskState.ANSWERED:
        return
    is_proposed = task.state is TaskState.PROPOSED
    if task.state in (TaskState.NEW, TaskState.ASKING):
        move(session, Task, known(task.id), task.state, TaskState.STUCK, round=task.round + 1)
    _tell(session, task, amended, GONE_AFTER_CARD if is_proposed else TAKEN_BACK)


def _has_heard(session: Session, task: Task, key: str) -> bool:
    """Whether the task's conversation has taken this in. Whoever asks holds the row that it would be read from."""
    conversation = conversations.conversation_of(session, known(task.id))
    return conversation is not None and key in conversations.keys(session, known(conversation.id))


def _say_so(session: Session, task: Task, amended: Amended, kind: SaidKind, amends_id: int | None = None) -> None:
    """A change is heard, and answered, like a reply; that something was taken back is only heard."""
    change = Said(
        task_id=known(task.id),
        channel_id=amended.channel_id,
        kind=kind,
        amends_id=amends_id,
        user_id=amended.user_id,
        text=amended.text,
        said_at=moment_of(amended.at_ts),
    )
    session.add(change)
    session.flush()
    if amended.text:
        is_asked_for = kind is SaidKind.REQUEST
        enqueue(
            session, Job.REPLY, lock=lock_of(task), said_id=known(change.id), file_ids=[], is_asked_for=is_asked_for
        )


def _tell(session: Session, task: Task, amended: Amended, words: str) -> None:
    say(session, place_of(task), f"amended:{amended.event_id}", words)
