"""Conversations over a real database and a real Messages API on a socket; only the bench is small."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from pydantic import SecretStr

from bot.agent.client import Model
from bot.agent.config import ModelSettings
from bot.agent.loop import converse
from bot.agent.prompt import NEWEST, system_prompt
from bot.agent.tools import ToolProblem, tools_json
from bot.domain.conversation import Frozen, Message, MessageCause, Role
from bot.store import agent as conversations
from bot.store.agent import StoredTranscript
from bot.store.plans import known
from bot.store.session import Database
from bot.store.tables_talk import Task
from tests.fakes.model_api import ModelApi, Turn

NOW = datetime(2026, 11, 30, 9, tzinfo=UTC)


class SetClock:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.at = NOW

    def now(self) -> datetime:
        return self.at

    def pass_by(self, **time: float) -> None:
        self.at += timedelta(**time)


class SmallBench:
    """Files in memory; code that prints what it is told to. It counts what was done, and breaks where it is told to."""

    def __init__(self, data: dict[str, str]) -> None:
        self.data, self.draft = data, dict[str, str]()
        self.done: list[str] = []
        self.thoughts: list[str] = []
        self.dies_in: str = ""  # a tool in which the process "ends": after its effect, before its result is kept

        self.while_thinking: Callable[[], None] = lambda: None  # what happens elsewhere at that moment

    def list_files(self, folder: str) -> str:
        return self._did(
            "list_files", "\n".join(f"{folder}/{name}, {len(body):,} bytes" for name, body in self.data.items())
        )

    def read_file(self, path: str) -> str:
        name = path.removeprefix("inputs/")
        if name not in self.data:
            raise ToolProblem(f"There is no {path}; the workspace has: {', '.join(self.data)}.")
        return self._did("read_file", self.data[name])

    def write_file(self, path: str, content: str) -> str:
        self.draft[path] = content
        return self._did("write_file", f"written {path}")

    def run_code(self, script: str) -> str:
        if script == "fail":
            self._did("run_code", "")
            raise ToolProblem("exit 1: NameError")
        return self._did("run_code", script)

    def schedule(self, script: str, when: str, use_id: str) -> str:
        return self._did("schedule", f"proposed {script} for {when} by {use_id}")

    def think(self, thought: str) -> str:
        self.thoughts.append(thought)
        self.while_thinking()
        return self._did("think", "ok")

    def _did(self, name: str, text: str) -> str:
        self.done.append(name)
        if name == self.dies_in:
            self.dies_in = ""
            raise ProcessEnded(name)
        return text


class ProcessEnded(BaseException):
    """What a kill looks like from inside: nothing is caught, nothing more is written."""


@dataclass
class Talk:
    """One conversation under test; every `go` is a new worker over the same rows."""

    db: Database
    api: ModelApi
    clock: SetClock
    conversation_id: int
    bench: SmallBench
    settings: ModelSettings
    slept: list[float] = field(default_factory=list)
    said: list[str] = field(default_factory=list)

    def go(self) -> Message:
        """Work until the model ends its turn, as a process just started would."""
        model = Model(self.settings, sleep=self.slept.append)
        transcript = self.transcript()
        try:
            return converse(model, transcript, self.bench, lambda: self._hear(transcript))
        finally:
            model.close()

    def transcript(self) -> StoredTranscript:
        return StoredTranscript(self.db, self.clock, self.conversation_id)

    def ask(self, words: str, cause: MessageCause = MessageCause.REQUEST, key: str = "") -> None:
        self.transcript().append(Role.USER, [{"type": "text", "text": words}], cause, key=key)

    def _hear(self, transcript: StoredTranscript) -> None:
        while self.said:
            transcript.append(Role.USER, [{"type": "text", "text": self.said.pop(0)}], MessageCause.GUIDANCE)

    def rows(self) -> list[Message]:
        return self.transcript().messages()


@pytest.fixture
def talk(database_url: str) -> Iterator[Callable[..., Talk]]:
    """Call it with scripted turns, and settings where they matter, for a conversation that was just asked something."""
    db = Database(database_url)
    apis: list[Any] = []

    def new(*turns: Turn, data: dict[str, str] | None = None, asked: str = "Count the errors", **settings: Any) -> Talk:
        api = ModelApi(turns)
        running = api.running()
        running.__enter__()
        apis.append(running)
        clock = SetClock()
        wanted = {"key": SecretStr(api.key), "base_url": api.url, "optional_fields": "on", **settings}
        model = ModelSettings(**wanted)
        frozen = Frozen(model.name, model.effort, model.max_tokens, system_prompt(), tools_json(), NEWEST)
        with db.transaction() as session:
            number = len(apis)
            task = Task(
                team_id="T1", channel_id="C1", thread_ts=f"{number}.0", requester_id="U1", request=asked, asked_at=NOW
            )
            session.add(task)
            session.flush()
            conversation = conversations.begin(session, known(task.id), "T1", frozen, NOW)
        made = Talk(db, api, clock, known(conversation.id), SmallBench(data or {"a.log": "INFO fine\n"}), model)
        made.ask(asked)
        return made

    yield new
    for running in apis:
        running.__exit__(None, None, None)
    db.close()
