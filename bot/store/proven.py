"""Queries about a team's own proven plans: when one enters, and which share words with a request."""

from collections.abc import Collection
from datetime import datetime

from sqlalchemy import Text, cast, func
from sqlalchemy.dialects.postgresql import TSQUERY
from sqlmodel import Session, col, or_, select

from bot.domain.own import fingerprint
from bot.domain.words import RunState
from bot.store import plans
from bot.store.tables_plans import Plan, PlanFile, Routine
from bot.store.tables_proven import Proven
from bot.store.tables_runs import Run, Slot
from bot.store.tables_talk import Task
from library.manifest_text import read_manifest
from library.plan_folder import PlanFolder

MOST = 20  # entries that are looked at more closely


def note_clean_run(session: Session, plan_id: int, now: datetime, needed: int, known_scripts: Collection[str]) -> None:
    """A version came to a report once more. From the `needed`th on it is in the catalogue; the latest bytes count.

    `known_scripts` are fingerprints of the library's own scripts, which are found without this.
    """
    plan = session.get_one(Plan, plan_id)
    folder = plans.folder(session, plan_id)
    mark = fingerprint(folder.files["plan.py"])
    routine = session.get_one(Routine, plan.routine_id)
    entry = entry_of(session, routine.team_id, mark)
    runs = clean_runs(session, plan_id)
    approval = plans.approval_of(session, plan_id)
    if mark in known_scripts or approval is None or (entry is None and runs < needed):
        return
    entry = entry or _new(routine.team_id, routine.name, folder, now)
    task = session.get(Task, plan.task_id) if plan.task_id else None
    manifest = read_manifest(folder.files["plan.toml"])
    entry.name, entry.routine_id = routine.name, routine.id
    entry.words = " ".join([routine.name.replace("-", " "), manifest.title, task.request if task else ""])
    entry.approved_by, entry.author_id = approval.person_name or "a teammate", plan.author_id
    entry.clean_runs, entry.last_good_at = entry.clean_runs + 1 if entry.id else runs, now
    _fill(entry, folder)
    session.add(entry)


def entry_of(session: Session, team_id: str, mark: str) -> Proven | None:
    """The entry of a script, whichever parameters it has."""
    return session.exec(select(Proven).where(Proven.team_id == team_id, Proven.fingerprint == mark)).first()


def clean_runs(session: Session, plan_id: int) -> int:
    """Runs of one version that came to a report."""
    found = select(func.count()).select_from(Run).where(Run.plan_id == plan_id, Run.state == RunState.REPORTED)
    return int(session.exec(found).one())


def enter(session: Session, team_id: str, name: str, words: str, folder: PlanFolder, now: datetime) -> bool:
    """An imported script. False where the catalogue has the same one already, but for its parameters."""
    mark = fingerprint(folder.files["plan.py"])
    if entry_of(session, team_id, mark) is not None:
        return False
    entry = _new(team_id, name, folder, now)
    entry.words = words
    session.add(entry)
    return True


def sharing_words(session: Session, team_id: str, request: str) -> list[tuple[Proven, frozenset[str]]]:
    """Entries that have a word of the request, with the stems they share; most first."""
    stems = func.tsvector_to_array(func.to_tsvector("english", request))
    all_of_them = cast(func.plainto_tsquery("english", request), Text)
    any_of_them = cast(func.replace(all_of_them, " & ", " | "), TSQUERY)
    found = session.exec(
        select(Proven, func.tsvector_to_array(Proven.found_by), stems)
        .where(or_(Proven.team_id == team_id, Proven.team_id == ""))
        .where(col(Proven.found_by).op("@@")(any_of_them))
        .order_by(func.ts_rank(Proven.found_by, any_of_them).desc(), col(Proven.id))
        .limit(MOST)
    )
    return [(one, frozenset(words) & frozenset(said)) for one, words, said in found]


def last_clean_run(session: Session, entry: Proven) -> tuple[Slot, Run] | None:
    """The newest run of these very bytes that came to a report; None for what was imported."""
    same = select(PlanFile.plan_id).where(PlanFile.name == "plan.py", PlanFile.body == entry.plan_py)
    return session.exec(
        select(Slot, Run)
        .where(Run.slot_id == Slot.id, Slot.routine_id == entry.routine_id, Run.state == RunState.REPORTED)
        .where(col(Run.plan_id).in_(same))
        .order_by(col(Slot.due_at).desc(), col(Run.id).desc())
    ).first()


def entries(session: Session) -> list[Proven]:
    return list(session.exec(select(Proven).order_by(Proven.name)))


def _new(team_id: str, name: str, folder: PlanFolder, now: datetime) -> Proven:
    mark = fingerprint(folder.files["plan.py"])
    files = [folder.files[one] for one in ("plan.py", "report.md", "plan.toml", "shape.json")]
    return Proven(
        team_id=team_id, fingerprint=mark, name=name, words=name, entered_at=now,
        plan_py=files[0], report_md=files[1], plan_toml=files[2], shape_json=files[3],
    )  # fmt: skip


def _fill(entry: Proven, folder: PlanFolder) -> None:
    """The latest bytes that ran clean count."""
    entry.plan_py, entry.report_md = folder.files["plan.py"], folder.files["report.md"]
    entry.plan_toml, entry.shape_json = folder.files["plan.toml"], folder.files["shape.json"]
