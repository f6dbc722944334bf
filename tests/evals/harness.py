"""Each task asked of Standby's conversation and of a plain loop, with the same model, until the budget is used."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import timedelta
from pathlib import Path
from random import Random
from typing import Any, BinaryIO

import anthropic
from sqlmodel import select

from bot.agent.client import Model
from bot.agent.config import MICRO, ModelSettings
from bot.agent.prices import load_prices
from bot.agent.wanted import Wanted
from bot.domain.conversation import Usage
from bot.domain.request import read
from bot.domain.views import ReportView, WordsView
from bot.settings import Settings
from bot.store.blobs import Blobs
from bot.store.embedded import Embedded
from bot.store.migrate import migrate
from bot.store.plans import known
from bot.store.session import Database
from bot.store.tables_agent import Conversation, ModelCall
from bot.store.tables_talk import Task as TaskRow
from bot.work.agent_parts import AgentParts
from bot.work.draft_by_model import Given, draft_by_model
from bot.work.progress import Progress
from bot.work.thread import place_of
from sandbox.execute import SlotFacts
from tests.approval.outside import LAB, TEAM, Channel, Post, Time
from tests.bench.reading_loop import Looped, run_loop
from tests.box.local_server import LocalServer
from tests.evals.score import lines_of, right
from tests.evals.tasks import Files, Task

LOOP_ANSWER = " Answer with one line for each label, with its number."


@dataclass(frozen=True)
class Trial:
    """One asking of one task. `score` is the share of the truth that was there; `micro_usd` None: price not known."""

    task: str
    way: str  # "standby" or "loop"
    seed: int
    score: float
    requests: int
    tokens_in: int
    tokens_out: int
    micro_usd: int | None


@dataclass
class Harness:
    """Standby's own parts over a fresh database and real boxes; only the channel is one that keeps what it is told."""

    parts: AgentParts
    settings: ModelSettings

    def ask(self, task: Task, seed: int) -> Trial:
        """By the conversation, as a question asked once in a thread."""
        files, truth = task.make(Random(seed))
        row = self._row(f"{seed}.{abs(hash(task.name)) % 10**6}", task.question)
        given = self._given(row, files)
        progress = Progress(self.parts, place_of(row), f"task:{row.id}:steps", "On it")
        draft_by_model(self.parts, row, given, progress)
        shown = self._shown(known(row.id))
        tables = [table.rows for view in shown if isinstance(view, ReportView) for table in view.tables]
        words = "\n".join(view.text for view in shown if isinstance(view, WordsView))
        return self._counted(task, seed, right(truth, lines_of(tables, words)), known(row.id))

    def _shown(self, task_id: int) -> list[Any]:
        channel: Any = self.parts.chat
        return [view for key, view in channel.shown.items() if key.startswith(f"task:{task_id}:")]

    def _row(self, thread_ts: str, question: str) -> TaskRow:
        with self.parts.db.transaction() as session:
            row = TaskRow(
                team_id=TEAM, channel_id=LAB, thread_ts=thread_ts, requester_id="ALICE", request=question,
                asked_at=self.parts.clock.now(),
            )  # fmt: skip
            session.add(row)
        return row

    def _given(self, row: TaskRow, files: Files) -> Given:
        kept = {name: self._kept(data) for name, data in files.items()}
        now = self.parts.clock.now()
        wanted = Wanted(
            wish=read(row.request, "07:00"), channel_id=LAB, zone="UTC", routine_name="", taken_names=frozenset(),
            answers={}, destinations={}, allowed_domains=(), default_time="07:00", box_image="", asked_at=now,
            is_once=True,
        )  # fmt: skip
        slot = SlotFacts(now, now - timedelta(days=7), now, "UTC")
        return Given(wanted=wanted, wanted_now=lambda: wanted, inputs=kept, slot=slot)

    def _kept(self, data: bytes) -> str:
        def write(into: BinaryIO) -> None:
            into.write(data)

        return self.parts.blobs.keep(write).sha256

    def _counted(self, task: Task, seed: int, score: float, task_id: int) -> Trial:
        with self.parts.db.transaction() as session:
            calls = session.exec(select(ModelCall).join(Conversation).where(Conversation.task_id == task_id)).all()
        costs = [call.micro_usd for call in calls]
        return Trial(
            task.name, "standby", seed, score, len(calls),
            sum(call.fresh + call.write_5m + call.write_1h + call.read for call in calls),
            sum(call.out for call in calls),
            None if None in costs else sum(cost or 0 for cost in costs),
        )  # fmt: skip

    def loop(self, task: Task, seed: int) -> Trial:
        """By reading every file, with the same model."""
        files, truth = task.make(Random(seed))
        with anthropic.Anthropic(
            api_key=self.settings.key.get_secret_value() or "none", base_url=self.settings.base_url
        ) as client:
            done = run_loop(client, self.settings.name, task.question + LOOP_ANSWER, files)
        return _of_loop(task, seed, right(truth, lines_of([], done.words)), done, self.settings.name)


def _of_loop(task: Task, seed: int, score: float, done: Looped, model: str) -> Trial:
    used = [
        Usage(
            one.input_tokens,
            one.cache_creation_input_tokens or 0,
            0,
            one.cache_read_input_tokens or 0,
            one.output_tokens,
        )
        for one in done.usages
    ]
    costs = [load_prices().micro_usd(model, one) for one in used]
    return Trial(
        task.name, "loop", seed, score, done.requests, sum(one.tokens_in for one in used), sum(one.out for one in used),
        None if None in costs else sum(cost or 0 for cost in costs),
    )  # fmt: skip


@contextmanager
def a_harness(settings: ModelSettings) -> Iterator[Harness]:
    """Everything that a conversation works with, gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="sb-") as name:
        folder = Path(name)
        folder.chmod(0o711)
        (folder / "boxes").mkdir()
        server, model = LocalServer(folder / "boxes"), Model(settings)
        try:
            with Embedded(folder / "data") as embedded:
                migrate(embedded.url)
                db = Database(embedded.url)
                ours = Settings.load({})
                blobs = Blobs(str(folder / "blobs"))
                yield Harness(AgentParts(db, Channel(), Time(), ours, server.boxes(), blobs, Post(), model), settings)
                db.close()
        finally:
            model.close()
            server.stop()


def summary(trials: list[Trial]) -> dict[str, Any]:
    """Both ways beside each other: mean score, requests, tokens and money; a price that is not known stays so."""
    return {way: _summed([one for one in trials if one.way == way]) for way in ("standby", "loop")}


def _summed(trials: list[Trial]) -> Mapping[str, Any]:
    costs = [one.micro_usd for one in trials]
    return {
        "trials": len(trials),
        "score": round(sum(one.score for one in trials) / len(trials), 3) if trials else None,
        "requests": sum(one.requests for one in trials),
        "tokens_in": sum(one.tokens_in for one in trials),
        "tokens_out": sum(one.tokens_out for one in trials),
        "usd": None if None in costs else round(sum(cost or 0 for cost in costs) / MICRO, 4),
    }


def as_json(trials: list[Trial], settings: ModelSettings, day: str) -> dict[str, Any]:
    return {"date": day, "model": settings.name, "summary": summary(trials), "trials": [asdict(one) for one in trials]}
