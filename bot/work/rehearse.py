"""The rehearsal: what a plan must show on the attached data before any person sees it.

Its source can be read as it runs; it imports only what is allowed; it declares checks; its likeliest surprise
really raises; and on all data it makes a report, twice the same.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from bot.domain.errors import PlanProblem
from bot.domain.facts import of_script
from bot.work.gated import gate
from bot.work.rehearsal import Rehearsal, read_by, sample_words
from library.manifest import Manifest
from library.manifest_text import read_manifest, write_manifest
from library.plan_folder import PlanFolder
from sandbox.drifting import DriftFitsNothing, drifted
from sandbox.errors import BoxLost
from sandbox.execute import PlanRefused, SlotFacts, StagedBox
from sandbox.outcome import Crashed, Lost, Outcome, Report, Surprised
from sandbox.sample import Sample

STEP = "Rehearsing it twice, and with something gone wrong"


def rehearse(
    staged: StagedBox,
    folder: PlanFolder,
    inputs: Mapping[str, Path],
    facts: SlotFacts,
    samples: Sequence[Sample],
    resume: Callable[[Surprised], bytes],
    *,
    is_any_surprise: bool = False,
) -> tuple[PlanFolder, Rehearsal]:
    """The folder with its resume.md, and what the rehearsal found. Raises PlanProblem in words, and BoxError.

    A box that gave no outcome is a BoxError: it says nothing about the plan, so that no model is to mend it.

    `is_any_surprise`: the script predicted none by name, so whichever it raises becomes the plan's.
    """
    manifest = read_manifest(folder.files["plan.toml"])
    check_source(folder, manifest)
    surprise = _likeliest(staged, folder, manifest, inputs, facts, samples)
    if surprise.name != manifest.surprise.name:
        if not is_any_surprise:
            raise _unheard(staged, folder, facts, manifest, surprise)
        manifest = replace(manifest, surprise=replace(manifest.surprise, name=surprise.name))
    texts = {"resume.md": resume(surprise), "plan.toml": write_manifest(manifest).encode()}
    final = replace(folder, files={**folder.files, **texts})
    check_source(final, manifest)
    first = reported(_run(staged, final, facts, manifest))
    second = reported(_run(staged, final, facts, manifest))
    if not first.same_as(second):
        raise PlanProblem(
            "Two runs over the same data gave two different reports, so the script depends on something else than "
            "its data. It cannot be proposed like this."
        )
    return final, Rehearsal(first, sample_words(samples))


def check_source(folder: PlanFolder, manifest: Manifest) -> None:
    """Raise PlanProblem with everything that keeps these bytes from being shown."""
    problems = gate(folder)
    if not problems:
        problems = _script_problems(folder, manifest)
    if problems:
        raise PlanProblem("This plan cannot be shown for approval: " + "; ".join(problems) + ".")


def check_names(source: bytes) -> tuple[str, ...]:
    """The checks that a script shows; none where it cannot be read, which `check_source` then says."""
    try:
        return of_script(source.decode()).check_names
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ()


def _script_problems(folder: PlanFolder, manifest: Manifest) -> list[str]:
    found = of_script(folder.files["plan.py"].decode())
    problems = [f"plan.py imports {name}, which scripts may not" for name in found.refused_imports]
    if not manifest.checks:
        problems.append("it declares no check, so nothing could halt it")
    declared = {check.name for check in manifest.checks}
    there = {*found.check_names, *found.reader_checks}
    problems += [f"its check {name} is nowhere in the script" for name in sorted(declared - there)]
    return problems


def _likeliest(
    staged: StagedBox,
    folder: PlanFolder,
    manifest: Manifest,
    inputs: Mapping[str, Path],
    facts: SlotFacts,
    samples: Sequence[Sample],
) -> Surprised:
    """Make the likeliest surprise happen to one input, and see that it raises; the input is put back after."""
    wanted = manifest.surprise
    try:
        with drifted(staged.box, wanted.drift, read_by(manifest, samples), inputs):
            outcome = _run(staged, folder, facts, manifest)
    except DriftFitsNothing as nothing:
        raise PlanProblem(f"Its likeliest surprise cannot be tried on this data. {nothing}") from nothing
    if isinstance(outcome, Surprised):
        return outcome
    raise _unheard(staged, folder, facts, manifest, outcome)


def _unheard(
    staged: StagedBox, folder: PlanFolder, facts: SlotFacts, manifest: Manifest, outcome: Outcome
) -> PlanProblem:
    """Why it may not be proposed. Raises PlanProblem where it breaks on the data as it is: then that is why."""
    reported(_run(staged, folder, facts, manifest))
    wanted = manifest.surprise
    return PlanProblem(
        f"The script should have raised {wanted.name} when the data was changed ({wanted.drift}), "
        f"but it {_ending(outcome)}. A script that cannot hear its likeliest surprise cannot be proposed."
    )


def reported(outcome: Outcome) -> Report:
    """The report of a rehearsal. Raises PlanProblem when it ended in anything else."""
    if isinstance(outcome, Report):
        return outcome
    raise PlanProblem(f"In rehearsal, on the attached data, the script {_ending(outcome)}.")


def _run(staged: StagedBox, folder: PlanFolder, facts: SlotFacts, manifest: Manifest) -> Outcome:
    try:
        outcome = staged.run(folder, facts, manifest.limits)
    except PlanRefused as refused:
        raise PlanProblem(str(refused)) from refused
    if isinstance(outcome, Lost):
        raise BoxLost(outcome.why)
    return outcome


def _ending(outcome: Outcome) -> str:
    if isinstance(outcome, Surprised):
        evidence = f" (seen: {outcome.seen[:200]}; expected: {outcome.expected[:200]})" if outcome.seen else ""
        return f"raised {outcome.name}: {outcome.message.rstrip('.')}{evidence}"
    if isinstance(outcome, Crashed):
        where = f" at line {outcome.line}" if outcome.line else ""
        return f"broke{where} with {outcome.error}: {outcome.message.rstrip('.')}"
    return "made a report as if nothing had happened"
