"""A routine's current script as a folder that runs anywhere: `python plan.py`, with the kit beside it."""

from datetime import datetime, timedelta
from pathlib import Path

from sqlmodel import Session, col, select

from bot.domain.errors import StandbyError
from bot.store import plans
from bot.store.blobs import Blobs
from bot.store.plans import known
from bot.store.session import Database
from bot.store.tables_plans import Routine
from bot.store.tables_runs import Slot
from bot.work.slot_facts import slot_facts
from library.manifest_text import read_manifest
from library.plan_folder import PlanFolder
from sandbox.execute import SlotFacts
from sandbox.kits import KitUnknown, kit_of
from sandbox.template.recipe import recipe

WEEK = timedelta(days=7)
_READ_ME = """This is the script of the routine {name}, as it was approved. It needs Python 3.11 or later.

1. `pip install -r requirements.txt`: what scripts have at hand in a box. A log is read without any of it.
2. Put the files that it reads into `inputs/`.
3. Set the time it is about in `slot.json`, if it asks for one: files from before its `since` are told as old.
4. `python plan.py` prints the report, or halts with the surprise that Standby would have shown. It sends nothing.

`kit/` is the kit it was approved with. `standby run .` rehearses this folder in a box.
"""


class ExportProblem(StandbyError):
    """The routine cannot be exported; the text says why and what to do."""


def export(db: Database, blobs: Blobs, name: str, into: Path, now: datetime) -> Path:
    """Write the folder INTO/NAME and return it. Raises ExportProblem."""
    folder = into / name
    if folder.exists():
        raise ExportProblem(f"{folder} is there already, and nothing is written over. Choose another place.")
    with db.transaction() as session:
        routine = _routine(session, name)
        plan = plans.folder(session, known(routine.current_plan_id))
        facts = _facts(session, routine, plan, now)
    try:
        kit = kit_of(plan, blobs.open)
    except KitUnknown as unknown:
        raise ExportProblem(str(unknown)) from unknown
    write_folder(folder, plan, {path: data for path, data in kit.items() if path.startswith("kit/")}, facts)
    return folder


def write_folder(folder: Path, plan: PlanFolder, kit: dict[str, bytes], facts: SlotFacts) -> None:
    plan.write(folder)
    for path, data in kit.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(data)
    (folder / "inputs").mkdir()
    (folder / "slot.json").write_bytes(facts.as_json())
    (folder / "requirements.txt").write_text("".join(f"{one}\n" for one in recipe().packages), encoding="utf-8")
    (folder / "README.md").write_text(_READ_ME.format(name=folder.name), encoding="utf-8")


def _routine(session: Session, name: str) -> Routine:
    found = session.exec(select(Routine).where(Routine.name == name).order_by(col(Routine.id))).all()
    approved = [routine for routine in found if routine.current_plan_id is not None]
    if not approved:
        names = ", ".join(sorted(session.exec(select(Routine.name)))) or "none"
        raise ExportProblem(f"There is no routine {name} with an approved script. Routines: {names}.")
    if len(approved) > 1:
        raise ExportProblem(f"{len(approved)} workspaces have a routine {name}; export it where there is one.")
    return approved[0]


def _facts(session: Session, routine: Routine, plan: PlanFolder, now: datetime) -> SlotFacts:
    """The routine's latest slot, or the week until now where it has had none."""
    manifest = read_manifest(plan.files["plan.toml"])
    slots = select(Slot).where(Slot.routine_id == routine.id).order_by(col(Slot.due_at).desc())
    week = Slot(routine_id=known(routine.id), due_at=now, since=now - WEEK, until=now)
    return slot_facts(session, session.exec(slots).first() or week, manifest)
