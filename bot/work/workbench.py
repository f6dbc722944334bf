"""Where the model's calls have their effects: samples, the draft's rows, boxes that are thrown away, rehearsals."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bot.agent.cleaning import clean, fenced
from bot.agent.tools import ToolProblem
from bot.domain.errors import PlanProblem
from bot.domain.gate import source_problems
from bot.store import agent as conversations
from bot.store import tries
from bot.store.tables_agent import Proposal
from bot.work.agent_parts import AgentParts
from bot.work.briefing import listing
from bot.work.compose import WRITTEN, Terms, composed, filled_in, in_its_time, with_parameters
from bot.work.hear import deaf_words
from bot.work.progress import Progress
from bot.work.rehearsing_draft import Rehearsed, rehearsed
from bot.work.shaped import AROUND_S
from library.kit_parameters import goes_by_parameters
from library.manifest import Limits
from sandbox.errors import BoxTimeout
from sandbox.execute import PlanRefused, SlotFacts, StagedBox, stage
from sandbox.outcome import Crashed, Lost, Outcome, Report, Surprised
from sandbox.outcome_keys import outcome_keys
from sandbox.sample import Sample, sample_files
from sandbox.trial import time_for, try_code

RUN_DRAFT = "run plan.py"
EXAMPLE = "0 7 * * mon"  # for a first run, where nobody has said yet when it comes back
THOUGHT = 600
AGAIN = (
    " Or first improve plan.py once, so that it raises on what the hearing test below says it did not notice, and "
    "schedule it again: what stays deaf will stand on the card."
)
ROWS_SHOWN = 40  # of a table that a try declared


@dataclass
class Workbench:
    """One task's bench. `inputs` are name -> sha256; `slot` is the one that a try pretends to be.

    `terms_now` gives Standby's part of the plan, which people may change while the model works.
    """

    parts: AgentParts
    conversation_id: int
    inputs: Mapping[str, str]
    terms_now: Callable[[], Terms]
    slot: SlotFacts
    progress: Progress
    tags: Mapping[str, str]
    change_from: int | None = None  # the plan that a new version changes
    replay_before: tuple[int, Any] | None = None  # routine and moment: earlier slots to compare with
    known: list[Sample] = field(default_factory=list)
    has_asked_again: bool = False  # whether deaf rows went back to the model

    # What each tool does --------------------------------------------------------------------------------------

    def list_files(self, folder: str) -> str:
        where = folder.strip().strip("/").removeprefix("./") or "."
        if where not in (".", "inputs"):
            raise ToolProblem(f"There is no folder {where[:80]!r}; there are . and inputs.")
        draft = [f"{name}  {len(body):,} bytes  your draft" for name, body in sorted(self._draft().items())]
        shown = "\n".join(([] if where == "inputs" else draft) + [listing(self.samples())])
        return fenced(where, shown)

    def read_file(self, path: str) -> str:
        name = path.strip().removeprefix("./")
        draft = self._draft()
        if name in draft:
            return fenced(name, draft[name].decode())
        for sample in self.samples():
            if name == f"inputs/{sample.facts.name}":
                return fenced(name, clean(sample.text()))
        there = fenced("workspace", "\n".join([*sorted(draft), *(f"inputs/{one}" for one in sorted(self.inputs)[:20])]))
        raise ToolProblem(f"There is no {name[:80]!r}; the workspace has:\n{there}")

    def write_file(self, path: str, content: str) -> str:
        if path not in WRITTEN:
            raise ToolProblem(
                f"A draft has {', '.join(WRITTEN)} and no {path[:80]!r}. resume.md is written by Standby."
            )
        body = content.encode()
        with self.parts.db.transaction() as session:
            conversations.write_draft(session, self.conversation_id, {path: body}, self.parts.clock.now())
        said = f"written {path}, {len(body):,} bytes, sha256 {hashlib.sha256(body).hexdigest()[:8]}"
        return f"{said}; {_syntax(content)}" if path == "plan.py" else said

    def run_code(self, script: str) -> str:
        if script.strip() == RUN_DRAFT:
            return self._run_draft()
        try:
            draft = self._draft()
            if goes_by_parameters(script):
                draft = with_parameters(draft, script, self.terms_now(), self.samples(), self.slot)
            time_s = time_for(sum(sample.facts.size_bytes for sample in self.samples()))
            with self._box("try", time_s) as staged:
                tried = try_code(staged, script, draft, self.slot, time_s)
        except PlanProblem as problem:
            raise ToolProblem(str(problem)) from problem
        except BoxTimeout as late:
            raise ToolProblem(f"{late} Read less, or compute less at once.") from late
        ended = tried.exit
        said = f"exit {ended.code}, {ended.seconds:.1f} s\n{_plain_paths(ended.stdout + ended.stderr)}"
        if ended.code != 0:
            raise ToolProblem(fenced("output", said))
        if tried.report is not None:
            self._keep_try(script, tried.report)
        return fenced("output", said + f"\n{tried.declared(ROWS_SHOWN)}")

    def schedule(self, script: str, when: str, use_id: str) -> str:
        if script.strip().removeprefix("./") != "plan.py":
            raise ToolProblem(f"schedule takes plan.py, the script of the draft, not {script[:80]!r}.")
        seq = self._calling_seq()
        try:
            terms = self.terms_now()
            if self._has_proposal(seq, use_id):
                return _taken(terms, when)
            found = self._rehearsed(terms, when)
        except (PlanProblem, PlanRefused) as problem:
            raise ToolProblem(fenced("rehearsal", str(problem))) from problem
        self._keep(seq, use_id, found)
        return f"{_taken(terms, when)}{self._once_more(found)}\n{fenced('rehearsal', found.words())}"

    def _once_more(self, found: Rehearsed) -> str:
        """What a draft is deaf to goes back to its author once; what stays deaf after that is for people to judge."""
        if self.has_asked_again or not deaf_words(found.rehearsal.hearing):
            return ""
        self.has_asked_again = True
        return AGAIN

    def think(self, thought: str) -> str:
        if not line_of(thought):
            raise ToolProblem("The thought was empty; say in one line what you do next.")
        self.show(thought)
        return "ok"

    # ----------------------------------------------------------------------------------------------------------

    def show(self, thought: str) -> None:
        """A thought in the thread: a step of its own, or the place in the plan that it names."""
        self.progress.thought(line_of(thought), clean(thought))

    def samples(self) -> list[Sample]:
        """The samples of all inputs, in one look, kept for as long as this bench lives."""
        if not self.known and self.inputs:
            with self._box("draft", 120) as staged:
                self.known = sample_files(staged.box, sorted(self.inputs))
        return self.known

    def _run_draft(self) -> str:
        try:
            terms = self.terms_now()
            when = terms.when or EXAMPLE
            draft = self._draft()
            slot = self._slot_for(draft, terms, when)
            folder = composed(draft, terms, when, self.samples(), slot)
            with self._box("try", Limits().time_s) as staged:
                outcome = staged.run(folder, slot, Limits())
        except (PlanProblem, PlanRefused) as problem:
            raise ToolProblem(str(problem)) from problem
        if isinstance(outcome, Lost):
            raise ToolProblem("The box gave no outcome, which says nothing about the script. Run it again.")
        filled = filled_in(draft, folder)
        more = f"\nFilled in by Standby:\n{filled}" if filled else ""
        words = fenced("run of plan.py", _outcome_words(outcome) + more)
        if isinstance(outcome, Crashed):
            raise ToolProblem(words)
        return words

    def _slot_for(self, draft: Mapping[str, bytes], terms: Terms, when: str) -> SlotFacts:
        """A first plan is tried in the slot that its files are an example of, a change in the slot it is made for."""
        if self.change_from is not None or terms.is_once:
            return self.slot
        return in_its_time(draft, terms, when, self.samples(), self.slot)

    def _rehearsed(self, terms: Terms, when: str) -> Rehearsed:
        draft = self._draft()
        with self.parts.blobs.local(dict(self.inputs)) as paths:
            return rehearsed(
                self.parts, draft, terms, when, paths, self._slot_for(draft, terms, when), self.tags,
                change_from=self.change_from, replay_before=self.replay_before, sending=self.progress.sending,
            )  # fmt: skip

    def _keep_try(self, script: str, report: Report) -> None:
        now = self.parts.clock.now()
        with self.parts.db.transaction() as session:
            seq = conversations.last_seq(session, self.conversation_id)
            tries.add(session, self.conversation_id, seq, script, outcome_keys(report), now)

    def _keep(self, seq: int, use_id: str, found: Rehearsed) -> None:
        files = {name: body.decode() for name, body in found.folder.files.items()}
        row = Proposal(
            conversation_id=self.conversation_id,
            seq=seq,
            use_id=use_id,
            files=files,
            rehearsal=found.rehearsal.keys(),
            made_at=self.parts.clock.now(),
        )
        with self.parts.db.transaction() as session:
            session.add(row)

    def _has_proposal(self, seq: int, use_id: str) -> bool:
        with self.parts.db.transaction() as session:
            return session.get(Proposal, (self.conversation_id, seq, use_id)) is not None

    def _calling_seq(self) -> int:
        """The answer that calls: while its calls run, it is the last row."""
        with self.parts.db.transaction() as session:
            return conversations.last_seq(session, self.conversation_id)

    def _draft(self) -> dict[str, bytes]:
        with self.parts.db.transaction() as session:
            return conversations.draft_files(session, self.conversation_id)

    @contextmanager
    def _box(self, purpose: str, time_s: float) -> Iterator[StagedBox]:
        """A fresh box with a copy of the data; what happens in it is gone with it."""
        lifetime_s = int(time_s) + AROUND_S
        with (
            self.parts.blobs.local(dict(self.inputs)) as paths,
            self.parts.boxes.open(purpose, tags=self.tags, lifetime_s=lifetime_s) as box,
        ):
            yield stage(box, _named(paths), progress=self.progress.sending)


def _named(paths: Mapping[str, Path]) -> dict[str, Path]:
    return dict(sorted(paths.items()))


def _syntax(source: str) -> str:
    """What is already wrong before it runs, so that no box is opened for it."""
    return "python: " + ("; ".join(source_problems(source.encode())[:3]) or "syntax ok")


def line_of(thought: str) -> str:
    """A thought as it is shown: one line, nothing hidden or secret in it, and not without end."""
    return clean(" ".join(thought.split()))[:THOUGHT]


def _plain_paths(output: str) -> str:
    """Paths of the box as a script writes them; an absolute one would be copied into scripts."""
    return output.replace("/home/user/", "")


def _outcome_words(outcome: Outcome) -> str:
    if isinstance(outcome, Surprised):
        said = [f"{key}: {getattr(outcome, key)}" for key in ("message", "seen", "expected", "file")]
        return "\n".join([f"It halted with {outcome.name}.", *said, *outcome.rows])
    if isinstance(outcome, Crashed):
        where = f" at line {outcome.line}" if outcome.line else ""
        return f"It broke{where}: {outcome.error}: {outcome.message}\n{_plain_paths(outcome.traceback)[-1500:]}"
    assert not isinstance(outcome, Lost), "its caller has taken it out"
    checks = ", ".join(f"{one.name} x{one.times}" for one in outcome.checks)
    kept = ", ".join(f"{one.name}: {one.count:,} {one.unit}" for one in outcome.intermediates)
    facts = f"It reported in {outcome.seconds:.1f} s. Checks asked: {checks}. Kept in the box: {kept}."
    return f"{facts}\n{outcome.document(12)}"


def _taken(terms: Terms, when: str) -> str:
    return (
        f"Rehearsed and taken for {' '.join(when.split())} {terms.zone}. It goes on a card when your turn ends, and "
        "waits for a teammate's approval. Now end your turn with a short message."
    )
