"""What a conversation takes in before each request: what woke it, what people said or changed, what they granted."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from sqlmodel import Session, col, select

from bot.agent.cleaning import bounded, clean
from bot.domain.conversation import MessageCause, Role
from bot.domain.errors import RequestChanged
from bot.domain.words import SaidKind, TaskState, Verb
from bot.store import agent as conversations
from bot.store import talk
from bot.store.agent import StoredTranscript
from bot.store.plans import known
from bot.store.tables_plans import Press
from bot.store.tables_talk import Said, Task
from bot.work.agent_parts import AgentParts
from bot.work.parts import Parts
from bot.work.thread import is_unheard

GUIDANCE_BYTES = 4_000
STALE = "The request was changed or taken back while I read it."
GRANTED = "Another budget was granted. Go on where you stopped."


@dataclass(frozen=True)
class Opening:
    """What wakes the conversation, and where: `key` makes it happen once, `draft` is what the bench begins with."""

    cause: MessageCause
    key: str
    words: Callable[[], str]
    draft: Callable[[], Mapping[str, bytes]]


def listen(parts: AgentParts, task: Task, transcript: StoredTranscript, opening: Opening) -> None:
    """Take in what waits, in this order: the opening, what people said, what they granted.

    Raises RequestChanged where the request that is worked on was taken back.
    """
    with parts.db.transaction() as session:
        taken = conversations.keys(session, transcript.id)
        state = session.get_one(Task, known(task.id)).state
        rows = talk.said_in(session, known(task.id))
        said = [row for row in rows if f"said:{row.id}" not in taken and (row.text or row.amends_id)]
        granted = select(Press).where(
            Press.task_id == task.id, Press.verb == Verb.GO_ON, col(Press.used_at).is_not(None)
        )
        go_on = [press for press in session.exec(granted) if f"go_on:{press.id}" not in taken]
    if opening.cause is MessageCause.REQUEST and state is not TaskState.NEW:
        raise RequestChanged(STALE)
    if opening.key not in taken:
        _say(transcript, opening.words(), opening.cause, opening.key)
    for row in said:
        if row.is_guidance or not is_unheard(parts.chat.person(row.user_id), task):
            hear(parts, transcript, known(row.id))
    for press in go_on:
        _say(transcript, GRANTED, MessageCause.GO_ON, f"go_on:{press.id}")


def hear(parts: Parts, transcript: StoredTranscript, said_id: int) -> None:
    """Take in what somebody said as it reads at this moment: whoever changes it now waits, and finds it read."""
    with transcript.held() as session:
        row = session.get(Said, said_id, with_for_update=True)
        words = _guidance_words(session, row) if row is not None else ""
        if row is None or not words:
            return  # taken back before it was read
        row.is_guidance = True
        block, key = {"type": "text", "text": words}, f"said:{said_id}"
        conversations.append(
            session, transcript.id, Role.USER, [block], MessageCause.GUIDANCE, parts.clock.now(), key=key
        )


def _guidance_words(session: Session, row: Said) -> str:
    """What the model is told; nothing where nothing was said, or where it never heard what is taken back."""
    if row.kind is SaidKind.REQUEST:
        return f"Somebody in the thread changed the request. It reads now:\n{_bounded(row.text)}"
    if row.amends_id is None:
        return f"Somebody in the thread says:\n{_bounded(row.text)}" if row.text.strip() else ""
    before = _bounded(session.get_one(Said, row.amends_id).text)
    if not row.text:
        return f"Somebody in the thread took back a reply, so it does not count any more. It was:\n{before}"
    return f"Somebody in the thread changed a reply. It was:\n{before}\nNow it is:\n{_bounded(row.text)}"


def _bounded(words: str) -> str:
    return bounded(clean(words), GUIDANCE_BYTES, "they go on")


def _say(transcript: StoredTranscript, words: str, cause: MessageCause, key: str) -> None:
    transcript.append(Role.USER, [{"type": "text", "text": words}], cause, key=key)
