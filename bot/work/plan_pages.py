"""What Show all leafs through: every byte of a plan, what people read before what machines read."""

from sqlmodel import Session

from bot.domain.unread_words import above
from bot.store.tables_plans import Plan
from bot.store.tables_talk import Task
from bot.work.approval_card import change_of, hearing_words, request_of
from bot.work.letters import in_words
from bot.work.rehearsal import Rehearsal
from bot.work.reports import report_view
from bot.work.shape_words import shape_words
from library.manifest_text import read_manifest
from library.plan_folder import PlanFolder

FOR_PEOPLE = ("plan.py", "plan.toml", "report.md", "resume.md")
FOR_MACHINES = ("shape.json", "box.json")
PREVIEW = "The report that the rehearsal made"


def plan_files(session: Session, plan: Plan, folder: PlanFolder) -> tuple[tuple[str, str], ...]:
    """A title and a text for each stretch of the pages; all files of the folder are among them, unchanged."""
    files: list[tuple[str, str]] = []
    if change := change_of(session, plan, folder):
        weaker = [f"Check that is gone: {one}" for one in change.checks_removed]
        weaker += [f"Check that is loosened: {one}" for one in change.checks_loosened]
        weaker += [f"What this check counts is computed differently now: {one}" for one in change.counted_otherwise]
        words = "\n".join([*weaker, change.diff, "", *change.replay, ""])
        files.append((f"What changes since version {change.from_version}", words))
    rehearsal = Rehearsal.read(plan.rehearsal)
    title = read_manifest(folder.files["plan.toml"]).title
    files.append((PREVIEW, in_words(report_view(title, rehearsal.report))))
    files += [(name, folder.files[name].decode()) for name in FOR_PEOPLE]
    if heard := hearing_words(rehearsal.hearing):
        files.append(("What it would not notice", heard))
    task = session.get(Task, plan.task_id) if plan.task_id else None
    asked = [request_of(session, task, plan), above(rehearsal.not_read or ())]
    files.append(("What was asked", "\n".join(filter(None, asked))))
    if plan.answer.strip():
        files.append(("The author's words, which Standby did not check", f"{plan.answer.strip()}\n"))
    if shape := shape_words(folder.files["shape.json"]):
        files.append(("What the files look like (a table of shape.json, which follows byte for byte)", shape))
    return (*files, *((name, folder.files[name].decode()) for name in FOR_MACHINES))
