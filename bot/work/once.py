"""What is asked once and answered now: one run over all the data, its answer in the thread, and nothing scheduled."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from bot.agent.picker import Pick
from bot.domain.counts import counted
from bot.domain.csv_text import as_delivered
from bot.domain.errors import PlanProblem, RequestChanged
from bot.domain.redact import redacted
from bot.domain.unread_words import above
from bot.domain.views import BasisView, Button, Kept, ReportView, WordsView
from bot.domain.words import TaskState, Verb
from bot.store.guarded import move
from bot.store.plans import known, new_press
from bot.store.tables_talk import Task
from bot.work.outbox import attach_once, post_once
from bot.work.parts import JobParts
from bot.work.rehearsal import read_by
from bot.work.rehearse import check_source
from bot.work.reports import left_out, report_view
from bot.work.shaped import keep_attachments
from bot.work.thread import is_current, place_of
from library.facts import FileFacts
from library.manifest import Manifest
from sandbox.errors import BoxLost
from sandbox.execute import PlanRefused, SlotFacts, StagedBox
from sandbox.outcome import Crashed, Lost, Outcome, Report, Surprised
from sandbox.sample import Sample

UNMAILED = "Nobody was mailed: what is sent to people needs a teammate's approval, which a routine has."
MENDABLE = "Mend the data and post it here with a mention of me, or say here what else I should do."


@dataclass(frozen=True)
class Answered:
    """The answer to what was asked once. `words` are the model's, where it said any.

    `files` are the script and what belongs to it, by name; `kept` are the files it made: name -> sha256.
    """

    title: str
    rung: str
    why: str
    report: Report
    read: str
    looked_at: str
    files: Mapping[str, bytes]
    kept: Mapping[str, str] = field(default_factory=dict)
    words: str = ""
    notes: tuple[str, ...] = ()
    not_read: tuple[str, ...] = ()  # of the question; it stands above the answer
    left_out: tuple[str, ...] = ()  # files that somebody said to leave out; so do they
    verbs: tuple[Verb, ...] = (Verb.KEEP, Verb.MOVE)


def run_once(
    parts: JobParts, staged: StagedBox, found: Pick, slot: SlotFacts, samples: Sequence[Sample], looked_at: str
) -> Answered:
    """The picked script over all the data, once. Raises PlanProblem with the evidence where it does not report.

    A box that gave no outcome says nothing about the script, so no model is to look into it: BoxLost.
    """
    check_source(found.folder, found.manifest)
    try:
        outcome = staged.run(found.folder, slot, found.manifest.limits)
    except PlanRefused as refused:
        raise PlanProblem(str(refused)) from refused
    report = _report(outcome)
    return Answered(
        title=found.manifest.title,
        rung=found.manifest.rung,
        why=found.why,
        report=report,
        read=read_words(read_by(found.manifest, samples), report),
        looked_at=looked_at,
        files=_script_files(found),
        kept=keep_attachments(parts, staged, report),
        not_read=found.left.all,
        left_out=left_out(found.manifest),
    )


def post_answer(parts: JobParts, task: Task, answered: Answered) -> None:
    """The answer, its script, and what it rests on. Calling it again after a crash posts only what is missing.

    Raises RequestChanged where the request is another one meanwhile.
    """
    with parts.db.transaction() as session:
        if not is_current(session, task):
            raise RequestChanged("The request was changed while I worked on it, so this is no answer to it.")
    place, key = place_of(task), f"task:{task.id}:{task.round}"
    if answered.words:
        post_once(parts, place, WordsView(answered.words), f"{key}:words")
    shown = answer_view(answered)
    if shown.markdown.strip() or shown.tables or shown.charts:
        post_once(parts, place, shown, f"{key}:answer")
        for name, data in parts.chat.files_of(shown):
            attach_once(parts, place, name, data, f"{key}:answer:{name}")
    for name, sha256 in answered.kept.items():
        with parts.blobs.open(sha256) as source:
            attach_once(parts, place, name, as_delivered(name, source.read()), f"{key}:{name}")
    for name, data in answered.files.items():
        attach_once(parts, place, name, data, f"{key}:{name}")
    with parts.db.transaction() as session:
        buttons = tuple(Button(verb, new_press(session, verb, task_id=task.id).id) for verb in answered.verbs)
    post_once(parts, place, basis_view(answered, buttons), basis_key(task))
    with parts.db.transaction() as session:
        move(session, Task, known(task.id), TaskState.NEW, TaskState.ANSWERED)


def basis_key(task: Task) -> str:
    """Of the message that ends the answer to a round of a task."""
    return f"task:{task.id}:{task.round}:basis"


def basis_view(answered: Answered, buttons: tuple[Button, ...]) -> BasisView:
    return BasisView(
        title=answered.title,
        rung=answered.rung,
        why=answered.why,
        script=next(iter(answered.files), ""),
        read=answered.read,
        kept=tuple(Kept(one.name, int(one.count), one.unit) for one in answered.report.intermediates),
        looked_at=answered.looked_at,
        notes=answered.notes,
        buttons=buttons,
    )


def read_words(files: Sequence[FileFacts], report: Report) -> str:
    """How much the computer went through, measured."""
    whole = sum(one.size_bytes for one in files)
    lines = sum(one.lines for one in files)
    return f"{counted(len(files), 'file')}, {whole:,} bytes, {lines:,} lines, by a script in {report.seconds:.1f} s"


def answer_view(answered: Answered) -> ReportView:
    """The answer, and above it what was not read of the question and what it is made without."""
    view = report_view(answered.title, answered.report)
    missed = above(answered.not_read).replace("*", "∗").replace("_", " ")
    said = [f"**{missed}**"] if missed else []
    said += [f"**Without {', '.join(answered.left_out)}**: left out, as you said."] if answered.left_out else []
    words = "\n\n".join([*said, view.markdown])
    return ReportView(view.title, words, view.tables, view.charts, f"Answered once by {answered.rung}")


def _script_files(found: Pick) -> dict[str, bytes]:
    """The script under its own name, with the parameters that it was run with."""
    files = found.folder.files
    return {f"{_script_name(found.manifest)}.py": files["plan.py"], "plan.toml": files["plan.toml"]}


def _script_name(manifest: Manifest) -> str:
    return manifest.script or manifest.name


def _report(outcome: Outcome) -> Report:
    """Raises PlanProblem with what was seen and expected: no answer is better than a guess. Raises BoxLost."""
    if isinstance(outcome, Report):
        return outcome
    if isinstance(outcome, Lost):
        raise BoxLost(outcome.why)
    if isinstance(outcome, Crashed):
        where = f" at line {outcome.line}" if outcome.line else ""
        raise PlanProblem(f"I have no answer: the script broke{where} with {outcome.error}: {outcome.message}")
    raise PlanProblem(surprise_words(outcome))


def surprise_words(seen: Surprised) -> str:
    """A check that halted an answer, with its evidence."""
    lines = [f"I have no answer, because a check halted the script. {seen.name}: {seen.message}"]
    lines += [f"{label}: {words}" for label, words in (("Seen", seen.seen), ("Expected", seen.expected)) if words]
    if seen.rows:
        lines += ["The first lines of what was seen:", *(f"    {row[:300]}" for row in seen.rows)]
    return redacted("\n".join([*lines, f"Nothing was guessed or left out. {MENDABLE}"]))
