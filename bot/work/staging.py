"""Taking the bytes of shared files into our own keeping, so that a run and every later replay read the same."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Protocol

from bot.domain.errors import ChatRefused
from bot.domain.people import is_outsider
from bot.domain.ports import Place, WorkspaceFile
from bot.log import log
from bot.store import talk
from bot.store.tables_talk import SharedFile, Task
from bot.work.parts import JobParts
from library.manifest import Manifest


@dataclass(frozen=True)
class Input:
    """A file that a script gets, wherever it was taken from."""

    name: str
    sha256: str
    size_bytes: int


class Staged(Protocol):
    """A file whose bytes are kept: one posted in a channel, or one taken from a source."""

    @property
    def name(self) -> str: ...
    @property
    def sha256(self) -> str: ...
    @property
    def size_bytes(self) -> int: ...


# One file; the sum is bounded by the disk of the box.
LARGEST_BYTES = 20 << 30


def earlier_files(parts: JobParts, task: Task) -> list[SharedFile]:
    """The files of a task's thread that were posted before we were in the channel: one look, and they are noted."""
    try:
        found = parts.chat.files_in_thread(Place(task.team_id, task.channel_id, task.thread_ts))
    except ChatRefused as refused:
        log.warning("thread_not_looked_at", task=task.id, why=str(refused))
        return []
    with parts.db.transaction() as session:
        for one in found:
            at = datetime.fromtimestamp(float(one.ts), UTC)
            talk.note_file(session, task.team_id, task.channel_id, task.thread_ts, one.user_id, at, one.file)
        return talk.files_of_thread(session, task)


def keep_files(parts: JobParts, files: list[SharedFile]) -> list[SharedFile]:
    """Download what is not kept yet. Raises FileRefused and other ChatErrors; what was taken stays taken."""
    return [file if file.sha256 else _keep(parts, file) for file in files]


def _keep(parts: JobParts, file: SharedFile) -> SharedFile:
    described = WorkspaceFile(file.file_id, file.name, file.size_bytes, file.mimetype, file.url)
    kept = parts.blobs.keep(lambda into: parts.chat.download(described, into, LARGEST_BYTES))
    with parts.db.transaction() as session:
        row = session.get_one(SharedFile, file.id)
        row.sha256, row.size_bytes = kept.sha256, kept.size_bytes
    return row


def without(files: list[SharedFile], manifest: Manifest) -> list[SharedFile]:
    """The files that a version does not leave out."""
    left_out = manifest.only.leave_out if manifest.only else ()
    return [file for file in files if file.name not in left_out]


def from_members(parts: JobParts, files: list[SharedFile]) -> tuple[list[SharedFile], int]:
    """The files that people of this workspace posted, and how many others there are: those never count as input."""
    outsiders = {one for one in {file.posted_by for file in files} if is_outsider(parts.chat.person(one))}
    kept = [file for file in files if file.posted_by not in outsiders]
    return kept, len(files) - len(kept)


def newest_of_each(files: list[SharedFile]) -> list[SharedFile]:
    """The files without those of a name that a later message brought again. Two of one message both stay."""
    brought_at: dict[str, datetime] = {}
    for file in files:
        brought_at[file.name] = max(file.posted_at, brought_at.get(file.name, file.posted_at))
    return [file for file in files if file.posted_at == brought_at[file.name]]


def without_mended(files: list[SharedFile], thread_ts: str) -> list[SharedFile]:
    """A slot's files without those that were posted again: by the same person, or in the routine's own thread.

    The same name from somebody else in the channel may well be another file: that stays, and is asked about.
    """
    return [file for file in files if not any(_mends(later, file, thread_ts) for later in files)]


def _mends(later: SharedFile, file: SharedFile, thread_ts: str) -> bool:
    is_for_it = later.posted_by == file.posted_by or later.thread_ts == thread_ts
    return later.name == file.name and later.posted_at > file.posted_at and is_for_it


def same_content(files: Sequence[Staged]) -> tuple[str, str] | None:
    """The first two names with the same bytes; None when there are none. Empty files are all alike."""
    seen: dict[str, str] = {}
    for file in files:
        name = seen.setdefault(file.sha256, file.name)
        if name != file.name and file.size_bytes:
            return name, file.name
    return None


def two_versions(files: Sequence[Staged]) -> str:
    """The first name of which files with different contents count; empty when there is none."""
    seen: dict[str, str] = {}
    for file in files:
        if seen.setdefault(file.name, file.sha256) != file.sha256:
            return file.name
    return ""


def by_name(files: Sequence[Staged]) -> dict[str, str]:
    """name -> sha256; the same file given twice is one input."""
    return {file.name: file.sha256 for file in files}
