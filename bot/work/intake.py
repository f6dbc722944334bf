"""What people say and share becomes rows and a job, in one transaction, before Slack is told that we have it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

from sqlalchemy import update
from sqlmodel import Session, col

from bot.domain.orders import order_in
from bot.domain.ports import Place, WorkspaceFile
from bot.domain.request import MEANT_WORDS, read
from bot.domain.words import TaskState
from bot.store import talk
from bot.store.plans import known
from bot.store.tables_talk import Said as SaidRow
from bot.store.tables_talk import SharedFile, Task
from bot.work.jobs import Job, enqueue
from bot.work.parts import Parts
from bot.work.quota import too_much
from bot.work.thread import lock_of

# One mention comes as two events in either order, and only one of them surely has the files.
PATIENCE_S = 1.5
TAKEN = "Something was asked for in this thread already. Reply there with a mention of me."
# While a question is open, “here is the other file” answers it rather than it asks for something.
REQUEST_WORDS = 6
# After that long without a word, what somebody writes directly is something new.
UNSETTLED_FOR = timedelta(hours=12)


@dataclass(frozen=True)
class Said:
    """A message as it came in. `thread_ts` is the message's own ts at the top level."""

    team_id: str
    channel_id: str
    ts: str
    thread_ts: str
    user_id: str
    text: str
    files: tuple[WorkspaceFile, ...]
    is_mention: bool
    event_id: str
    is_direct: bool = False


def take(parts: Parts, said: Said) -> None:
    """Keep a message and its files, and queue what follows from it. Repeated deliveries change nothing.

    What people say among themselves is most of what comes: it costs nothing, or in a thread one look.
    """
    is_ours = said.is_mention or bool(said.files)
    if not is_ours and said.thread_ts == said.ts:
        return
    with parts.db.transaction() as session:
        if not is_ours and talk.task_in_thread(session, said.team_id, said.channel_id, said.thread_ts) is None:
            return
        now = parts.clock.now()
        talk.claim_seen(session, f"event:{said.event_id}", now)
        said = _in_its_thread(parts, session, said)
        _keep_files(session, said)
        task = talk.task_in_thread(session, said.team_id, said.channel_id, said.thread_ts)
        if not talk.claim_seen(session, f"message:{said.team_id}:{said.channel_id}:{said.ts}", now):
            if task is not None and said.files and task.state is TaskState.NEW:
                enqueue(session, Job.DRAFT, lock=lock_of(task), task_id=known(task.id))
            return
        if task is None and said.is_mention:
            _begin(parts, session, said)
        elif task is not None:
            _go_on(session, said, task)


def begin(parts: Parts, said: Said) -> str:
    """Begin a task in a thread in which nobody asked for anything yet; why not, in words, or nothing.

    Files are noted in any case.
    """
    with parts.db.transaction() as session:
        _keep_files(session, said)
        if talk.task_in_thread(session, said.team_id, said.channel_id, said.thread_ts) is not None:
            return TAKEN
        return _begin(parts, session, said)


def note_files(parts: Parts, said: Said) -> None:
    """Remember the files of a message that somebody points at, though we may not have been there when it came."""
    with parts.db.transaction() as session:
        _keep_files(session, said)


def _in_its_thread(parts: Parts, session: Session, said: Said) -> Said:
    """In a direct message people seldom use threads: what they say next belongs to what is not settled yet.

    Not so a whole request of its own: words with data, unless the open one lacks data or these mend what it has.
    """
    if not said.is_direct or said.thread_ts != said.ts:
        return said
    if said.files and read(said.text, parts.settings.default_time).when:
        return said
    open_task = talk.unsettled(session, said.team_id, said.channel_id, moment_of(said.ts) - UNSETTLED_FOR)
    least = REQUEST_WORDS if open_task and open_task.state is TaskState.ASKING else MEANT_WORDS
    if open_task is None or _is_another(said, talk.files_of_thread(session, open_task), least):
        return said
    return replace(said, thread_ts=open_task.thread_ts)


def _is_another(said: Said, there: Sequence[SharedFile], least: int) -> bool:
    """Whether words that come with files, and `least` so many, ask for something else than an open request."""
    names = {one.name for one in there}
    is_new = bool(said.files and names) and not names & {one.name for one in said.files}
    return is_new and len(said.text.split()) >= least


def file_deleted(parts: Parts, team_id: str, file_id: str) -> None:
    """A file is gone from the workspace: it is no input any more."""
    with parts.db.transaction() as session:
        session.execute(
            update(SharedFile)
            .where(col(SharedFile.team_id) == team_id, col(SharedFile.file_id) == file_id)
            .values(deleted_at=parts.clock.now())
        )


def files_gone(parts: Parts, team_id: str, channel_id: str, ts: str, file_ids: Sequence[str]) -> None:
    """Files that a message no longer brings are no input any more, though they may stand elsewhere still."""
    if not file_ids:
        return
    with parts.db.transaction() as session:
        session.execute(
            update(SharedFile)
            .where(
                col(SharedFile.team_id) == team_id,
                col(SharedFile.channel_id) == channel_id,
                col(SharedFile.posted_at) == moment_of(ts),
                col(SharedFile.file_id).in_(file_ids),
                col(SharedFile.deleted_at).is_(None),
            )
            .values(deleted_at=parts.clock.now())
        )


def _begin(parts: Parts, session: Session, said: Said) -> str:
    place = Place(said.team_id, said.channel_id, said.thread_ts)
    if refused := too_much(session, parts.settings, place, said.user_id, moment_of(said.ts)):
        return refused
    task = Task(
        team_id=said.team_id,
        channel_id=said.channel_id,
        thread_ts=said.thread_ts,
        requester_id=said.user_id,
        request=said.text,
        asked_at=moment_of(said.ts),
    )
    session.add(task)
    session.flush()
    after_s = 0 if talk.files_of_thread(session, task) else PATIENCE_S
    enqueue(session, Job.DRAFT, lock=lock_of(task), after_s=after_s, task_id=known(task.id))
    return ""


def _go_on(session: Session, said: Said, task: Task) -> None:
    row = SaidRow(
        task_id=known(task.id),
        channel_id=said.channel_id,
        ts=said.ts,
        user_id=said.user_id,
        text=said.text,
        said_at=moment_of(said.ts),
    )
    session.add(row)
    session.flush()
    if said.is_mention and task.routine_id is not None and order_in(said.text):
        enqueue(session, Job.ORDER, lock=f"routine:{task.routine_id}", said_id=known(row.id))
        return
    file_ids = [file.file_id for file in said.files]
    enqueue(
        session, Job.REPLY, lock=lock_of(task), said_id=known(row.id), file_ids=file_ids, is_asked_for=said.is_mention
    )


def _keep_files(session: Session, said: Said) -> None:
    for file in said.files:
        talk.note_file(session, said.team_id, said.channel_id, said.thread_ts, said.user_id, moment_of(said.ts), file)


def moment_of(ts: str) -> datetime:
    """Slack's ts is seconds since 1970 with a counter behind the point."""
    return datetime.fromtimestamp(float(ts), UTC)
