"""An open surprise with everything that a new version has to be tried on."""

from collections.abc import Mapping
from dataclasses import dataclass

from bot.domain.ports import Place
from bot.domain.words import Cause, SurpriseState
from bot.store import plans, runs, talk
from bot.store.plans import known
from bot.store.tables_plans import Plan, Routine
from bot.store.tables_runs import Run, Slot, SurpriseRow
from bot.store.tables_talk import Task
from bot.work.parts import JobParts
from bot.work.slot_facts import slot_facts
from bot.work.thread import place_of
from library.manifest_text import read_manifest
from library.plan_folder import PlanFolder
from sandbox.execute import SlotFacts


@dataclass(frozen=True)
class Case:
    """A surprise with the inputs of the run that it ended."""

    surprise: SurpriseRow
    routine: Routine
    task: Task
    plan: Plan
    folder: PlanFolder
    facts: SlotFacts
    inputs: Mapping[str, str]

    @property
    def place(self) -> Place:
        return place_of(self.routine)


def load_case(parts: JobParts, surprise_id: int) -> Case | None:
    """The open surprise with its run; None when it was answered meanwhile or is a fault."""
    with parts.db.transaction() as session:
        surprise = session.get_one(SurpriseRow, surprise_id)
        if surprise.state is not SurpriseState.OPEN or surprise.cause is Cause.FAULT:
            return None
        run = session.get_one(Run, surprise.run_id)
        slot = session.get_one(Slot, surprise.slot_id)
        folder = plans.folder(session, run.plan_id)
        return Case(
            surprise=surprise,
            routine=session.get_one(Routine, surprise.routine_id),
            task=talk.task_of_routine(session, surprise.routine_id),
            plan=session.get_one(Plan, run.plan_id),
            folder=folder,
            facts=slot_facts(session, slot, read_manifest(folder.files["plan.toml"])),
            inputs={one.name: one.sha256 for one in runs.inputs_of(session, known(run.id))},
        )


def newest_case(parts: JobParts, task: Task) -> Case | None:
    """The newest open surprise of the task's routine that has inputs to try something on."""
    if task.routine_id is None:
        return None
    with parts.db.transaction() as session:
        found = [known(one.id) for one in runs.open_surprises(session, task.routine_id)]
    return next((case for one in found if (case := load_case(parts, one)) and case.inputs), None)
