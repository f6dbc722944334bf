"""The team's own proven plans: what a clean run adds to them, and which of them a request could mean."""

from datetime import datetime
from functools import cache

from sqlmodel import Session

from bot.domain.own import Own, fingerprint
from bot.store import proven, stems
from bot.store.tables_plans import Routine
from bot.store.tables_proven import Proven
from bot.store.tables_talk import Task
from bot.work.parts import JobParts
from library.catalog import load_catalog
from library.manifest_text import read_manifest
from library.match import Spoken
from library.own_script import script_of


def note_clean_run(session: Session, plan_id: int, now: datetime, needed: int) -> None:
    """In the transaction that ends a run with a report."""
    proven.note_clean_run(session, plan_id, now, needed, _of_the_library())


@cache
def _of_the_library() -> frozenset[str]:
    return frozenset(fingerprint(script.plan) for script in load_catalog().values())


def is_of_the_library(plan_py: bytes) -> bool:
    """Whether it is one of the library's scripts, but for parameters."""
    return fingerprint(plan_py) in _of_the_library()


def spoken_in(parts: JobParts, request: str) -> Spoken:
    """The request as the proven scripts are searched by it."""
    with parts.db.transaction() as session:
        return stems.spoken(session, request, load_catalog())


def own_for(parts: JobParts, task: Task, request: str) -> tuple[Own, ...]:
    """Entries that share words with the request, and whose channel the requester can read."""
    with parts.db.transaction() as session:
        found = proven.sharing_words(session, task.team_id, request)
        channels = {one.id: _channel(session, one) for one, _ in found}
    return tuple(
        _own(one, shared)
        for one, shared in found
        if not channels[one.id] or parts.chat.may_read(channels[one.id], task.requester_id)
    )


def _channel(session: Session, entry: Proven) -> str:
    return session.get_one(Routine, entry.routine_id).channel_id if entry.routine_id else ""


def _own(entry: Proven, shared: frozenset[str]) -> Own:
    return Own(
        name=entry.name,
        script=script_of(entry.name, bytes(entry.plan_py), bytes(entry.report_md), bytes(entry.plan_toml)),
        parameters=read_manifest(bytes(entry.plan_toml)).parameters,
        shape=bytes(entry.shape_json),
        shared=shared,
        approved_by=entry.approved_by,
        clean_runs=entry.clean_runs,
        last_good_at=entry.last_good_at,
        author_id=entry.author_id,
    )
