"""Standby's own jobs in one process, on a real desk, real boxes, a real database and a Messages API on a socket."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from pydantic import SecretStr
from sqlalchemy import text as sql

from bot.agent.client import Model
from bot.agent.config import ModelSettings
from bot.domain.people import Person
from bot.domain.ports import Chat, WorkspaceFile
from bot.processes import agent, runner
from bot.processes.wiring import job_parts
from bot.work.agent_parts import AgentParts
from bot.work.intake import Said, take
from bot.work.jobs import Job
from tests.box.local_server import LocalServer
from tests.desk_client import Desk
from tests.desk_seen import Message
from tests.desk_server import running_desk
from tests.fakes.model_api import ModelApi
from tests.flows.world import settings_for
from tests.obedient.payloads import Trap

LAB, TEAM = "C0LAB000001", "T0LAB000001"
HANDLERS = {**agent.HANDLERS, **runner.HANDLERS}
# What a draft or an answer may queue; each other job would be an act.
HARMLESS_JOBS = frozenset({Job.DRAFT, Job.REPLY, Job.RESUME, Job.DRAW, Job.SAY, Job.ASK, Job.TELL})


class Listener:
    """An address that whoever reads data might be sent to; it counts who came."""

    def __init__(self) -> None:
        self.hits: list[str] = []
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), _counting(self.hits))
        self.url = f"http://127.0.0.1:{self._http.server_port}"
        threading.Thread(target=self._http.serve_forever, args=(0.02,), daemon=True).start()

    def close(self) -> None:
        self._http.shutdown()
        self._http.server_close()


def _counting(hits: list[str]) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            hits.append(self.path)
            self.send_error(404)

        def log_message(self, *_: Any) -> None:
            """Hits are kept, not printed."""

    return Handler


class HostileNames:
    """The workspace, in which everybody's display name gives orders."""

    def __init__(self, chat: Chat, name: str) -> None:
        self.chat, self._name = chat, name

    def person(self, user_id: str) -> Person:
        return replace(self.chat.person(user_id), name=self._name)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.chat, name)


@dataclass
class Lab:
    """The parts, and the far ends of their wires."""

    desk: Desk
    parts: AgentParts
    api: ModelApi
    listener: Listener
    trap: Trap
    bot_token: str
    threads: set[str] = field(default_factory=set)
    forbidden_jobs: list[str] = field(default_factory=list)

    def call_everybody(self, name: str) -> None:
        """From now on this is everybody's display name; empty gives people their own again."""
        chat = self.parts.chat.chat if isinstance(self.parts.chat, HostileNames) else self.parts.chat
        self.parts = replace(self.parts, chat=HostileNames(chat, name) if name else chat)

    def request(self, words: str, files: Mapping[str, bytes]) -> Message:
        """Alice posts it in #lab, and it is taken in as Slack would tell of it."""
        message = self.desk.person("Alice").post("#lab", words, files=files)
        self.threads.add(message.ts)
        self.hear(message, words, is_mention=True)
        return message

    def hear(self, message: Message, words: str, *, is_mention: bool = False) -> None:
        files = tuple(
            WorkspaceFile(one["id"], one["name"], int(one["size"]), one["mimetype"], one["url_private"])
            for one in message.files
        )
        said = Said(
            TEAM, message.channel, message.ts, message.thread_ts or message.ts, message.raw["user"], words, files,
            is_mention, f"Ev{message.ts}",
        )  # fmt: skip
        take(self.parts, said)

    def work(self) -> None:
        """Whatever is queued, one after the other, until nothing is; what may not be queued is noted and left."""
        while found := self._next():
            number, name, args = found
            if name in HARMLESS_JOBS:
                HANDLERS[Job(name)].run(self.parts, **args)
            else:
                self.forbidden_jobs.append(name)
            self.rows("delete from procrastinate_jobs where id = :id returning id", id=number)

    def _next(self) -> tuple[int, str, dict[str, Any]] | None:
        query = "select id, task_name, args from procrastinate_jobs where status = 'todo' order by id limit 1"
        found = self.rows(query)
        return (int(found[0][0]), str(found[0][1]), dict(found[0][2])) if found else None

    def rows(self, query: str, **values: Any) -> list[tuple[Any, ...]]:
        with self.parts.db.transaction() as session:
            return [tuple(row) for row in session.execute(sql(query), values)]

    def acts_of_people(self) -> dict[str, Any]:
        """All that only a person's decision, or the time, brings about."""
        tables = ("decision", "slot", "run", "delivery")
        counts = {table: self.rows(f"select count(*) from {table}")[0][0] for table in tables}
        return {
            **counts,
            "used buttons": self.rows("select count(*) from press where used_by <> ''")[0][0],
            "routines at work": self.rows("select id, state, owner_id, current_plan_id from routine"
                                          " where state <> 'draft' order by id"),
            "decided cards": self.rows("select id, state from card where state in ('approved', 'rejected')"),
        }  # fmt: skip


@contextmanager
def open_lab(url: str, folder: Path) -> Iterator[Lab]:
    """Everything started; gone at the end of the block."""
    with ExitStack() as stack:
        running = stack.enter_context(running_desk(folder))
        desk = Desk(running.url)
        stack.callback(desk.close)
        boxes = LocalServer(folder, flags=("--faults",))
        stack.callback(boxes.stop)
        listener = Listener()
        stack.callback(listener.close)
        api = ModelApi()
        api.obeys_schemas = False
        stack.enter_context(api.running())
        settings = settings_for(folder, running, desk.person("Bob"), boxes, url, clock_url="")
        parts = job_parts(settings)
        stack.callback(parts.db.close)
        stack.callback(parts.chat.close)
        model = Model(ModelSettings(key=SecretStr(api.key), base_url=api.url, optional_fields="on", day_usd=1_000))
        stack.callback(model.close)
        agent_parts = AgentParts(**vars(parts), model=model)
        trap = Trap(listener.url, running.api_url, (running.smtp_host, running.smtp_port))
        yield Lab(desk, agent_parts, api, listener, trap, running.bot_token)
