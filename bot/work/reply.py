"""A reply in a task's thread: guidance for a draft, an answer, more files, or a script of somebody's own."""

from sqlmodel import Session

from bot.agent.picker import NEEDS_MODEL
from bot.domain.accounted import left_out
from bot.domain.answers import SCHEDULE
from bot.domain.help_words import asks_for_help, script_named
from bot.domain.leaving_out import leaving_out
from bot.domain.request import Wish, read
from bot.domain.views import NoteView
from bot.domain.words import Cause, SaidKind, SurpriseState, TaskState
from bot.store import plans, runs, talk
from bot.store.agent import conversation_of
from bot.store.guarded import move
from bot.store.plans import known
from bot.store.tables_plans import Routine
from bot.store.tables_runs import SurpriseRow
from bot.store.tables_talk import Post, Said, SharedFile, Task
from bot.work.agent_parts import AgentParts
from bot.work.intake import moment_of
from bot.work.missing import HELP
from bot.work.once import basis_key
from bot.work.one_slot import leave_out
from bot.work.outbox import post_once
from bot.work.own_script import NOTHING_TO_ANSWER, take_script
from bot.work.parts import JobParts
from bot.work.questions import go_on
from bot.work.thread import is_unheard, place_of, wake
from bot.work.why import asks_why, numbers_of, why
from bot.work.wishes import names_of_files

ONLY_MEMBERS = (
    "Only members of this workspace can guide me here, so I left everything as it is. A member who agrees can say it."
)
UNCLEAR = (
    "Without a model I understand in replies: another time (“every Tuesday at 9”, “at 08:30”), recipients (“email it "
    "to …”), terms (“wait for files until 10:00”, “skip holidays in Norway”, “at most 2 hours late”) and “leave out "
    "FILE”. I found none of them in yours. A halted report can go on without a file: “skip NAME this week”. "
    f"Nothing was changed; say it in other words here. {NEEDS_MODEL}"
)

TAKEN_BY_RERUN = "I have what you posted. Press Rerun on the halted slot above: it takes the newest file of each name."


def reply(parts: AgentParts, said_id: int, file_ids: list[str], is_asked_for: bool = False) -> None:
    """Take one reply into account, once; what people say among themselves stays without an answer.

    `is_asked_for`: it mentions Standby, or came with a press of Ask for changes.
    """
    with parts.db.transaction() as session:
        said = session.get(Said, said_id)
        if said is None:  # taken back before it was read
            return
        task = session.get_one(Task, said.task_id)
        scripts = talk.scripts_of_message(session, task.team_id, task.channel_id, file_ids)
        is_waiting = _is_waiting(session, task, said)
    if said.is_guidance:
        return
    is_reply = said.kind is not SaidKind.REQUEST  # a request is no question about a report
    if is_reply and (answer := _why(parts, task, said, is_asked_for=is_asked_for)):
        _answer(parts, task, said, answer)
        return
    if not (is_waiting or scripts or is_asked_for):
        return
    person = parts.chat.person(said.user_id)
    if is_unheard(person, task):
        _answer(parts, task, said, ONLY_MEMBERS)
    elif is_reply and asks_for_help(said.text):
        _answer(parts, task, said, HELP)
    elif scripts:
        _answer(parts, task, said, _script(parts, task, said, scripts))
    elif (asked := leaving_out(said.text)) and task.routine_id is not None:
        _answer(parts, task, said, leave_out(parts, task, said.user_id, asked, f"said:{said.id}"))
    else:
        _answer(parts, task, said, _guide(parts, task, said, has_files=bool(file_ids)))


def give_up(parts: JobParts, said_id: int, why: str, **_rest: object) -> None:
    """The job keeps failing: say that the reply changed nothing."""
    with parts.db.transaction() as session:
        said = session.get(Said, said_id)
        if said is None:
            return
        task = session.get_one(Task, said.task_id)
    _answer(parts, task, said, f"I could not take this in, so it changed nothing. {why} Say it here once more.")


def _why(parts: AgentParts, task: Task, said: Said, *, is_asked_for: bool) -> str:
    """Where the number stands that somebody asks about; whoever reads the report may ask. Else empty."""
    if task.routine_id is None or not asks_why(said.text):
        return ""
    with parts.db.transaction() as session:
        routine = session.get_one(Routine, task.routine_id)
        found = why(session, routine, said.text)
        nowhere = numbers_of(session, routine) if is_asked_for and not found and parts.model is None else ""
    return found or nowhere


def _is_waiting(session: Session, task: Task, said: Said) -> bool:
    """Whether this thread is a conversation with Standby now, and not one among people."""
    if task.state is TaskState.ANSWERED:
        return _came_too_late(session, task, said)
    if task.state is not TaskState.PROPOSED or task.routine_id is None:
        return True
    return bool(plans.open_cards(session, task.routine_id) or runs.open_surprises(session, task.routine_id))


def _came_too_late(session: Session, task: Task, said: Said) -> bool:
    """Whether it was said while a model worked on the answer, after the model asked for the last time."""
    basis = session.get(Post, basis_key(task))
    if basis is None or not basis.ts or said.ts is None:  # it waits for Slack, or nobody said it
        return False
    is_earlier = moment_of(said.ts) < moment_of(basis.ts)
    return is_earlier and conversation_of(session, known(task.id)) is not None


def _script(parts: JobParts, task: Task, said: Said, scripts: list[SharedFile]) -> str:
    if len(scripts) > 1:
        return "There are several scripts in your message. Post the one that counts; nothing was changed."
    return take_script(parts, task, said.user_id, scripts[0])


def _guide(parts: AgentParts, task: Task, said: Said, *, has_files: bool) -> str:
    """What a reply in words does; the answer for the thread, empty where the work itself answers."""
    with parts.db.transaction() as session:
        task = session.get_one(Task, known(task.id), with_for_update=True)
        row = session.get_one(Said, known(said.id))
        if task.state is TaskState.NEW:
            row.is_guidance = True  # the draft under way reads it if it comes in time, else the next round does
            return ""
        if row.kind is SaidKind.REQUEST:
            row.is_guidance = True
            wake(session, task)
            return ""
        if has_files and (parts.model is None or not said.text.strip()) and (taken := _late_files(session, task)):
            return taken
        if task.state is TaskState.ASKING and has_files and task.question.get("surprise_id") is None:
            row.is_guidance = True  # with more data there may be something else to ask
            wake(session, task)
            return ""
        if task.state is TaskState.ASKING and not _is_answered_otherwise(session, task):
            return _answer_in_words(session, task, row)
        if parts.model is None and (script := script_named(said.text)):
            return NOTHING_TO_ANSWER.format(name=script)
        wish = read(said.text, parts.settings.default_time)
        has_news = wish.says_how or _says_more(parts, session, task, wish)
        is_settled = task.state in (TaskState.PROPOSED, TaskState.ANSWERED)
        if is_settled and not has_news and not has_files and parts.model is None:
            return UNCLEAR
        row.is_guidance = True
        if wish.when and task.state is TaskState.ANSWERED:
            task.answers = {name: value for name, value in task.answers.items() if name != SCHEDULE}
            talk.take_over(task, row.user_id)  # as with Keep this as a routine
        _go_on(session, task, is_for_model=not has_news and parts.model is not None)
        return ""


def _says_more(parts: JobParts, session: Session, task: Task, wish: Wish) -> bool:
    """Another time alone, of a routine, or a file to leave out: both say something of what is there already."""
    names = names_of_files(session, task, parts.clock.now())
    return bool((wish.at and task.routine_id is not None) or left_out(wish.text, names))


def _late_files(session: Session, task: Task) -> str:
    """What to do with files that came into the thread of a halted slot; empty where none is halted.

    They are data of that slot, and no reason to draft another version.
    """
    found = runs.open_surprises(session, task.routine_id) if task.routine_id else []
    waiting = [slot for one in found for slot in runs.slots_waiting_for(session, known(one.id))]
    return TAKEN_BY_RERUN if any(runs.is_newest(session, slot) for slot in waiting) else ""


def _go_on(session: Session, task: Task, *, is_for_model: bool) -> None:
    """Words for the model answer an open surprise, where there is one; else the draft is made anew with them."""
    surprises: list[int] = []
    if is_for_model:
        task.wants_model = True
        found = runs.open_surprises(session, task.routine_id) if task.routine_id else []
        surprises = [known(one.id) for one in found if one.cause is not Cause.FAULT]
    wake(session, task, surprises[0] if surprises else None)


def _is_answered_otherwise(session: Session, task: Task) -> bool:
    """Whether the halted slot that a question is about was settled without it; then the thread is free again."""
    surprise_id = task.question.get("surprise_id")
    if surprise_id is None or session.get_one(SurpriseRow, surprise_id).state is SurpriseState.OPEN:
        return False
    return move(session, Task, known(task.id), TaskState.ASKING, TaskState.PROPOSED)


def _answer_in_words(session: Session, task: Task, said: Said) -> str:
    """A single open question may be answered by a plain reply."""
    fields = task.question["fields"]
    if len(fields) != 1 or (fields[0]["choices"] and said.text not in [value for _, value in fields[0]["choices"]]):
        return "Please use the button of my question above, so that each answer goes to its place."
    task.answers = {**task.answers, fields[0]["name"]: said.text}
    said.is_guidance = True
    go_on(session, task)
    return ""


def _answer(parts: JobParts, task: Task, said: Said, text: str) -> None:
    if text:
        post_once(parts, place_of(task), NoteView(text), f"said:{said.id}:answer")
