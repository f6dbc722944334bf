"""Queries about what was said and which files were shared."""

from collections.abc import Collection
from datetime import datetime

from sqlalchemy import ColumnElement
from sqlalchemy.dialects.postgresql import insert
from sqlmodel import Session, col, select

from bot.domain.ports import WorkspaceFile
from bot.domain.words import SaidKind, TaskState, Verb
from bot.store.tables_plans import Press, Routine
from bot.store.tables_talk import Said, Seen, SharedFile, Task

_ASKED_FIRST = "asked first by"  # among a task's answers


def claim_seen(session: Session, key: str, now: datetime) -> bool:
    """True for the first who names this key, false for everybody after."""
    row = session.execute(
        insert(Seen).values(key=key, seen_at=now).on_conflict_do_nothing().returning(col(Seen.key))
    ).first()
    return row is not None


def note_file(
    session: Session, team_id: str, channel_id: str, thread_ts: str, by: str, at: datetime, file: WorkspaceFile
) -> None:
    """Remember a shared file. The same file may come with two events at once; the richer one fills in the other."""
    seen = {"name": file.name, "size_bytes": file.size_bytes, "mimetype": file.mimetype, "url": file.url}
    row = insert(SharedFile).values(
        team_id=team_id,
        channel_id=channel_id,
        thread_ts=thread_ts,
        file_id=file.file_id,
        posted_by=by,
        posted_at=at,
        sha256="",
        **seen,
    )
    session.execute(
        row.on_conflict_do_update(
            index_elements=["team_id", "channel_id", "file_id"], set_=seen, where=col(SharedFile.url) == ""
        )
    )


def task_in_thread(session: Session, team_id: str, channel_id: str, thread_ts: str) -> Task | None:
    return session.exec(
        select(Task).where(Task.team_id == team_id, Task.channel_id == channel_id, Task.thread_ts == thread_ts)
    ).first()


def unsettled(session: Session, team_id: str, channel_id: str, since: datetime) -> Task | None:
    """The newest task of a channel if it still waits for words or files; None where it is done, or older."""
    found = select(Task).where(Task.team_id == team_id, Task.channel_id == channel_id, Task.asked_at >= since)
    newest = session.exec(found.order_by(col(Task.asked_at).desc()).limit(1)).first()
    return newest if newest and newest.state not in (TaskState.PROPOSED, TaskState.ANSWERED) else None


def another_team(session: Session, known: Collection[str]) -> str:
    """A workspace other than these that has tasks or routines here; nothing where there is none."""
    for owner in (Task.team_id, Routine.team_id):
        if found := session.exec(select(owner).where(col(owner).not_in(known)).limit(1)).first():
            return found
    return ""


def asked_since(
    session: Session, team_id: str, since: datetime, *, user_id: str = "", channel_id: str = ""
) -> list[datetime]:
    """When requests of a person, or in a channel, were made since then, oldest first."""
    found = select(Task.asked_at).where(Task.team_id == team_id, Task.asked_at > since)
    if user_id:
        found = found.where(Task.requester_id == user_id)
    if channel_id:
        found = found.where(Task.channel_id == channel_id)
    return list(session.exec(found.order_by(col(Task.asked_at))))


def task_asked_at(session: Session, team_id: str, channel_id: str, asked_at: datetime) -> Task | None:
    """The task whose request is the message of this moment, wherever in its thread that stands."""
    return session.exec(
        select(Task).where(Task.team_id == team_id, Task.channel_id == channel_id, Task.asked_at == asked_at)
    ).first()


def files_of_thread(session: Session, task: Task) -> list[SharedFile]:
    """What is attached to a task, without what was deleted; scripts that people wrote are not data."""
    found = session.exec(
        select(SharedFile)
        .where(
            SharedFile.team_id == task.team_id,
            SharedFile.channel_id == task.channel_id,
            SharedFile.thread_ts == task.thread_ts,
            col(SharedFile.deleted_at).is_(None),
        )
        .order_by(col(SharedFile.posted_at), col(SharedFile.id))
    )
    return [file for file in found if not _is_script(file)]


def files_in_window(
    session: Session, routine_id: int, team_id: str, channel_id: str, since: datetime, until: datetime
) -> list[SharedFile]:
    """Files posted in a channel in (since, until], oldest first.

    Not data for this routine: scripts that people wrote, and what is attached to somebody's other request.
    """
    return _posted(session, team_id, channel_id, since, until, ~_of_other_requests(team_id, routine_id))


def count_of_requests(
    session: Session, routine_id: int, team_id: str, channel_id: str, since: datetime, until: datetime
) -> int:
    """How many files in (since, until] are no input of this routine because they belong to another request."""
    return len(_posted(session, team_id, channel_id, since, until, _of_other_requests(team_id, routine_id)))


def _of_other_requests(team_id: str, routine_id: int) -> ColumnElement[bool]:
    return (
        select(Task.id)
        .where(
            Task.team_id == team_id,
            Task.channel_id == SharedFile.channel_id,
            Task.thread_ts == SharedFile.thread_ts,
            col(Task.routine_id).is_distinct_from(routine_id),
        )
        .exists()
    )


def _posted(
    session: Session, team_id: str, channel_id: str, since: datetime, until: datetime, condition: ColumnElement[bool]
) -> list[SharedFile]:
    found = session.exec(
        select(SharedFile)
        .where(condition)
        .where(
            SharedFile.team_id == team_id,
            SharedFile.channel_id == channel_id,
            SharedFile.posted_at > since,
            SharedFile.posted_at <= until,
            col(SharedFile.deleted_at).is_(None),
        )
        .order_by(col(SharedFile.posted_at), col(SharedFile.id))
    )
    return [file for file in found if not _is_script(file)]


def scripts_of_message(session: Session, team_id: str, channel_id: str, file_ids: list[str]) -> list[SharedFile]:
    """The Python files among the files of one message."""
    found = session.exec(
        select(SharedFile).where(
            SharedFile.team_id == team_id,
            SharedFile.channel_id == channel_id,
            col(SharedFile.file_id).in_(file_ids),
        )
    )
    return [file for file in found if _is_script(file)]


def scripts_of_request(session: Session, task: Task) -> list[str]:
    """Names of the Python files in the message that a task was asked for in."""
    found = session.exec(
        select(SharedFile).where(
            SharedFile.team_id == task.team_id,
            SharedFile.channel_id == task.channel_id,
            SharedFile.thread_ts == task.thread_ts,
            SharedFile.posted_at == task.asked_at,
            col(SharedFile.deleted_at).is_(None),
        )
    )
    return sorted({file.name for file in found if _is_script(file)})


def guidance(session: Session, task_id: int) -> list[Said]:
    """What people said in a task's thread that counts beside the request, oldest first."""
    said = select(Said).where(Said.task_id == task_id, col(Said.is_guidance), Said.kind != SaidKind.REQUEST)
    return list(session.exec(said.order_by(col(Said.said_at), col(Said.id))))


def take_over(task: Task, user_id: str) -> None:
    """Somebody else asks for it from now on; who asked first shaped it with the words that it began with."""
    if user_id != task.requester_id:
        task.answers = {**task.answers, _ASKED_FIRST: task.answers.get(_ASKED_FIRST) or task.requester_id}
        task.requester_id = user_id


def guides(session: Session, task_id: int) -> tuple[str, ...]:
    """Whose words are guidance, each once, in the order in which they first said something; then who filled in forms.

    Before them who asked first, where somebody else asks now. Of the forms, those that the requester did not answer
    themselves.
    """
    task = session.get_one(Task, task_id)
    first = [str(who) for who in [task.answers.get(_ASKED_FIRST)] if who and who != task.requester_id]
    forms = select(Press.used_by).where(
        Press.task_id == task_id, Press.verb == Verb.ANSWER, Press.used_by != "", Task.id == Press.task_id,
        Press.used_by != Task.requester_id,
    )  # fmt: skip
    said = [one.user_id for one in guidance(session, task_id)]
    return tuple(dict.fromkeys([*first, *said, *session.exec(forms.order_by(col(Press.used_at)))]))


def said_in(session: Session, task_id: int) -> list[Said]:
    """Everything that people said in a task's thread, oldest first."""
    return list(session.exec(select(Said).where(Said.task_id == task_id).order_by(col(Said.said_at), col(Said.id))))


def task_of_routine(session: Session, routine_id: int) -> Task:
    """The task a routine came from."""
    return session.exec(select(Task).where(Task.routine_id == routine_id)).one()


def _is_script(file: SharedFile) -> bool:
    """Scripts that people post are no data."""
    return file.name.endswith(".py")
