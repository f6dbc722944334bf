"""A stretch of work with the model on one task: heard, carried on after any stop, and its end put into the thread."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from bot.agent.cleaning import clean
from bot.agent.errors import ModelAway, ModelError, Stopped
from bot.agent.loop import converse
from bot.agent.prompt import NEWEST, system_prompt
from bot.agent.tools import tools_json
from bot.domain.conversation import Frozen, Message, MessageCause, Role
from bot.domain.errors import RequestChanged
from bot.domain.plan_lines import Steps, begun, told
from bot.domain.views import Button, NoteView, View, WordsView
from bot.domain.words import Verb
from bot.log import log
from bot.store import agent as conversations
from bot.store import talk
from bot.store.agent import StoredTranscript
from bot.store.plans import known, new_press
from bot.store.tables_talk import Task
from bot.work.agent_parts import AgentParts
from bot.work.briefing import ASK_FOR_VERDICT, VERDICTS, verdict_in
from bot.work.jobs import Job, enqueue
from bot.work.listen import STALE, Opening, listen
from bot.work.propose import Draft
from bot.work.rehearsal import Rehearsal
from bot.work.thread import is_current, lock_of
from bot.work.workbench import Workbench
from library.plan_folder import PlanFolder

if TYPE_CHECKING:
    from bot.agent.client import Model

LONGEST_WAIT_S = 3_600.0
AWAY_TIMES = 8  # as often is a job put off before people are told that the model stays away


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
    """Make the task's conversation where there is none, and take the opening in once. Its id.

    Raises RequestChanged where a request is not any more what it was when it was read.
    """
    assert parts.model is not None, "callers look first whether there is a model"
    settings = parts.model.settings
    frozen = Frozen(settings.name, settings.effort, settings.max_tokens, system_prompt(), tools_json(), NEWEST)
    words = opening.words() if conversation_id(parts, task) is None else ""  # a look at samples takes its time
    now = parts.clock.now()
    with parts.db.transaction() as session:
        if words and opening.cause is MessageCause.REQUEST and not is_current(session, task):
            raise RequestChanged(STALE)
        found = conversations.begin(session, known(task.id), task.team_id, frozen, now)
        conversation = known(found.id)
        if opening.key in conversations.keys(session, conversation):
            return conversation
        conversations.write_draft(session, conversation, opening.draft(), now)
        if conversations.last_seq(session, conversation) == 0:
            block = {"type": "text", "text": words or opening.words()}
            conversations.append(session, conversation, Role.USER, [block], opening.cause, now, key=opening.key)
    return conversation


def work(parts: AgentParts, task: Task, bench: Workbench, opening: Opening) -> Ended:
    """Work until the model ends its turn or is stopped. Raises BoxError and ChatError; calling it again goes on."""
    assert parts.model is not None, "callers look first whether there is a model"
    transcript = StoredTranscript(parts.db, parts.clock, bench.conversation_id)
    for thought in _thoughts(transcript.messages()):
        bench.show(thought)

    def hear() -> None:
        listen(parts, task, transcript, opening)

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


def agreed_on(parts: AgentParts, conversation: int, asked: str) -> Steps:
    """The lines of the plan that the model answered with since it was asked for one in these words, as far as they are
    carried out by now; or none."""
    messages = StoredTranscript(parts.db, parts.clock, conversation).messages()
    since = max((n for n, one in enumerate(messages) if one.role is Role.USER and asked in one.text()), default=0)
    steps: Steps = ()
    for message in messages[since:]:
        if message.role is Role.ASSISTANT:
            steps = begun(clean(message.text())) or steps
            for thought in _thoughts_in(message) if steps else ():
                steps = told(steps, clean(thought)) or steps
    return steps


def _thoughts(messages: list[Message]) -> list[str]:
    """What was shown before a restart, so that the steps in the thread do not begin again from nothing."""
    last = max((n for n, one in enumerate(messages) if one.role is Role.USER and one.blocks("text")), default=0)
    return [thought for message in messages[last:] for thought in _thoughts_in(message)]


def _thoughts_in(message: Message) -> list[str]:
    return [str(use["input"].get("thought", "")) for use in message.blocks("tool_use") if use["name"] == "think"]


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


def with_origin(
    parts: AgentParts, task: Task, draft: Draft, requester_id: str, surprise_id: int | None = None
) -> Draft:
    """The draft as somebody's wish: who asked, and who shaped it by now."""
    with parts.db.transaction() as session:
        guides = talk.guides(session, known(task.id))
    return replace(draft, requester_id=requester_id, guides=guides, surprise_id=surprise_id)
