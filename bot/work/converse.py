"""A stretch of work with the model on one task: heard, carried on after any stop, and its end put into the thread."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from sqlmodel import col, select

from bot.agent.cleaning import bounded, clean
from bot.agent.client import Model
from bot.agent.errors import ModelAway, ModelError, Stopped
from bot.agent.loop import converse
from bot.agent.prompt import NEWEST, system_prompt
from bot.agent.tools import tools_json
from bot.domain.conversation import Frozen, Message, MessageCause, Role
from bot.domain.views import Button, NoteView, View, WordsView
from bot.domain.words import Verb
from bot.log import log
from bot.store import agent as conversations
from bot.store import talk
from bot.store.agent import StoredTranscript
from bot.store.plans import known, new_press
from bot.store.tables_plans import Press
from bot.store.tables_talk import Said, Task
from bot.work.agent_parts import AgentParts
from bot.work.amend import CHANGE, TOOK_BACK
from bot.work.briefing import ASK_FOR_VERDICT, VERDICTS, verdict_in
from bot.work.jobs import Job, enqueue
from bot.work.progress import Progress
from bot.work.propose import Draft
from bot.work.rehearsal import Rehearsal
from bot.work.thread import is_unheard, lock_of
from bot.work.workbench import Workbench
from library.plan_folder import PlanFolder

GUIDANCE_BYTES = 4_000
GRANTED = "Another budget was granted. Go on where you stopped."
LONGEST_WAIT_S = 3_600.0
AWAY_TIMES = 8  # as often is a job put off before people are told that the model stays away


@dataclass(frozen=True)
class Opening:
    """What wakes the conversation, and where: `key` makes it happen once, `draft` is what the bench begins with."""

    cause: MessageCause
    key: str
    words: Callable[[], str]
    draft: Callable[[], Mapping[str, bytes]]


@dataclass(frozen=True)
class Ended:
    """How a stretch of work ended: with words of the model, or of ours; with a rehearsed draft or none.

    `again_s` is set where it goes on by itself after so many seconds.
    """

    key: str  # of the message in the thread that says so
    words: str = ""
    stopped: str = ""
    can_go_on: bool = False
    draft: Draft | None = None
    again_s: float | None = None


def conversation_id(parts: AgentParts, task: Task) -> int | None:
    with parts.db.transaction() as session:
        found = conversations.conversation_of(session, known(task.id))
    return found.id if found else None


def begin(parts: AgentParts, task: Task, opening: Opening) -> int:
    """Make the task's conversation where there is none, and take the opening in once. Its id."""
    assert parts.model is not None, "callers look first whether there is a model"
    settings = parts.model.settings
    frozen = Frozen(settings.name, settings.effort, settings.max_tokens, system_prompt(), tools_json(), NEWEST)
    now = parts.clock.now()
    with parts.db.transaction() as session:
        found = conversations.begin(session, known(task.id), task.team_id, frozen, now)
        conversation = known(found.id)
        if opening.key in conversations.keys(session, conversation):
            return conversation
        conversations.write_draft(session, conversation, opening.draft(), now)
        if conversations.last_seq(session, conversation) == 0:
            block = {"type": "text", "text": opening.words()}
            conversations.append(session, conversation, Role.USER, [block], opening.cause, now, key=opening.key)
    return conversation


def work(parts: AgentParts, task: Task, bench: Workbench, progress: Progress, opening: Opening) -> Ended:
    """Work until the model ends its turn or is stopped. Raises BoxError and ChatError; calling it again goes on."""
    assert parts.model is not None, "callers look first whether there is a model"
    transcript = StoredTranscript(parts.db, parts.clock, bench.conversation_id)
    for thought in _thoughts(transcript.messages()):
        progress.line(thought)

    def hear() -> None:
        _hear(parts, task, transcript, opening)

    try:
        last = _turn(parts.model, transcript, bench, hear, opening)
    except ModelAway as away:
        return _put_off(parts, transcript, away)
    except ModelError as stopped:
        can_go_on = isinstance(stopped, Stopped) and stopped.can_go_on
        log.info("conversation_stopped", task=task.id, why=str(stopped))
        draft = _draft_of(parts, bench.conversation_id, "")
        return Ended(_key(transcript), stopped=str(stopped), can_go_on=can_go_on, draft=draft)
    words = clean(last.text())
    if verdict_in(words) == VERDICTS[2] and opening.cause is MessageCause.SURPRISE:
        settle_drafts(parts, bench.conversation_id)
    return Ended(_key(transcript), words=words, draft=_draft_of(parts, bench.conversation_id, words))


def settle_drafts(parts: AgentParts, conversation: int) -> None:
    """Rehearsed drafts stand on a card now, or never will: none of them is proposed again."""
    with parts.db.transaction() as session:
        for row in conversations.proposals(session, conversation):
            row.settled_at = row.settled_at or parts.clock.now()


def view_of(parts: AgentParts, task: Task, ended: Ended, surprise_id: int | None = None) -> View:
    """What the thread is told: the model's words under their label, or ours with a button where one helps."""
    if not ended.stopped:
        return WordsView(ended.words or "(The model ended without a word.)")
    if not ended.can_go_on:
        return NoteView(ended.stopped)
    with parts.db.transaction() as session:
        press = new_press(session, Verb.GO_ON, task_id=task.id, surprise_id=surprise_id)
    return NoteView(ended.stopped, (Button(Verb.GO_ON, press.id),))


def put_off(parts: AgentParts, task: Task, ended: Ended, job: Job, **args: int) -> bool:
    """Queue the job again for when the model may be back, where that is how it ended."""
    if ended.again_s is None:
        return False
    with parts.db.transaction() as session:
        enqueue(session, job, lock=lock_of(task), after_s=ended.again_s, **args)
    return True


def _turn(
    model: Model, transcript: StoredTranscript, bench: Workbench, hear: Callable[[], None], opening: Opening
) -> Message:
    """One turn; after a surprise it has to end with a verdict, and is asked for one once."""
    last = converse(model, transcript, bench, hear)
    key = f"verdict:{opening.key}"
    if opening.cause is MessageCause.SURPRISE and not verdict_in(last.text()):
        block = {"type": "text", "text": ASK_FOR_VERDICT}
        if transcript.append(Role.USER, [block], MessageCause.ASK_AGAIN, key=key):
            last = converse(model, transcript, bench, hear)
    return last


def _hear(parts: AgentParts, task: Task, transcript: StoredTranscript, opening: Opening) -> None:
    """Take in what waits, in this order: the opening, what people said, what they granted."""
    with parts.db.transaction() as session:
        taken = conversations.keys(session, transcript.id)
        said = [row for row in talk.said_in(session, known(task.id)) if f"said:{row.id}" not in taken and row.text]
        granted = select(Press).where(
            Press.task_id == task.id, Press.verb == Verb.GO_ON, col(Press.used_at).is_not(None)
        )
        go_on = [press for press in session.exec(granted) if f"go_on:{press.id}" not in taken]
    if opening.key not in taken:
        _say(transcript, opening.words(), opening.cause, opening.key)
    for row in said:
        if row.is_guidance or _admit(parts, task, row):
            _say(transcript, _guidance_words(parts, row), MessageCause.GUIDANCE, f"said:{row.id}")
    for press in go_on:
        _say(transcript, GRANTED, MessageCause.GO_ON, f"go_on:{press.id}")


def _admit(parts: AgentParts, task: Task, row: Said) -> bool:
    """Whether words that came while we worked are from somebody who may guide; if so they count from now on."""
    if row.ts.startswith("press:") or is_unheard(parts.chat.person(row.user_id), task):
        return False
    with parts.db.transaction() as session:
        session.get_one(Said, row.id).is_guidance = True
    return True


def _guidance_words(parts: AgentParts, row: Said) -> str:
    if row.ts.startswith(CHANGE):
        before = _quoted(parts, int(row.ts.split(":")[1]))
        if row.text == TOOK_BACK:
            return f"Somebody in the thread took back a reply, so it does not count any more. It was:\n{before}"
        return f"Somebody in the thread changed a reply. It was:\n{before}\nNow it is {_bounded(row.text)}"
    return f"Somebody in the thread says:\n{_bounded(row.text)}"


def _quoted(parts: AgentParts, said_id: int) -> str:
    with parts.db.transaction() as session:
        return _bounded(session.get_one(Said, said_id).text)


def _bounded(words: str) -> str:
    return bounded(clean(words), GUIDANCE_BYTES, "they go on")


def _say(transcript: StoredTranscript, words: str, cause: MessageCause, key: str) -> None:
    transcript.append(Role.USER, [{"type": "text", "text": words}], cause, key=key)


def _thoughts(messages: list[Message]) -> list[str]:
    """What was shown before a restart, so that the steps in the thread do not begin again from nothing."""
    last = max((n for n, one in enumerate(messages) if one.role is Role.USER and one.blocks("text")), default=0)
    return [
        str(use["input"].get("thought", ""))[:600]
        for message in messages[last:]
        for use in message.blocks("tool_use")
        if use["name"] == "think"
    ]


def _draft_of(parts: AgentParts, conversation: int, words: str) -> Draft | None:
    """The newest rehearsed draft that is on no card yet. Who asked for it is for the caller to say."""
    with parts.db.transaction() as session:
        found = conversations.proposals(session, conversation)
    if not found or found[-1].settled_at is not None:
        return None
    files = {name: str(text).encode() for name, text in found[-1].files.items()}
    return Draft(PlanFolder(files), Rehearsal.read(found[-1].rehearsal), requester_id="", answer=words)


def _put_off(parts: AgentParts, transcript: StoredTranscript, away: ModelAway) -> Ended:
    """Wait as a row and not as a thread. After some hours people are told that it stays away."""
    with parts.db.transaction() as session:
        times = conversations.rounds_away(session, transcript.id)
    if times > AWAY_TIMES:
        return Ended(_key(transcript), stopped=f"{away} I tried for hours and stop here.", can_go_on=True)
    again_s = min(max(away.wait_s, 30.0 * 2**times), LONGEST_WAIT_S)
    return Ended(f"{_key(transcript)}:away", stopped=f"{away} I go on by myself when it does.", again_s=again_s)


def _key(transcript: StoredTranscript) -> str:
    return f"conversation:{transcript.id}:{transcript.messages()[-1].seq}"


def with_origin(draft: Draft, requester_id: str, guides: tuple[str, ...], surprise_id: int | None = None) -> Draft:
    """The draft as somebody's wish: who asked, and who shaped it."""
    return replace(draft, requester_id=requester_id, guides=guides, surprise_id=surprise_id)
