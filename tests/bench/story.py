"""The story, timed: from the request to the rerun Monday, and how many requests reached a model.

`story` has no key, and a proven script does the work. `story model` has one: a scripted model writes the plan and its
fix, and is asked nothing in between.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from tests.bench.bench import Bench, demand
from tests.bench.plants import Plant
from tests.bench.worlds import model_world, whole_world
from tests.fakes.model_api import ModelApi
from tests.flows import silence
from tests.flows.world import REQUEST, World

PLANT = Plant(
    "bot/work/endings.py",
    "    if not _end_run(session, row, RunState.HALTED, now, seen):",
    "    return _reported(session, row, Report(seen.message), now)\n"
    "    if not _end_run(session, row, RunState.HALTED, now, seen):",
)
# What a conversation begins with is no longer frozen, so that what the model thought is bound to other words.
MODEL_PLANT = Plant(
    "bot/agent/client.py",
    '{"type": "text", "text": frozen.system}',
    '{"type": "text", "text": f"{frozen.system} ({len(request.messages)} messages)"}',
)


@dataclass(frozen=True)
class Telling:
    """One way of telling the story: what is asked, over which files, and how many requests a model got so far."""

    request: str
    files: Callable[[str], Mapping[str, bytes]]
    asked: Callable[[], int]
    before_the_surprise: Callable[[], None] = lambda: None


def measure(folder: Path, code: Path | None, rest: list[str]) -> dict[str, Any]:
    return _with_model(folder, code) if rest == ["model"] else _without_key(folder, code)


def _without_key(folder: Path, code: Path | None) -> dict[str, Any]:
    with _counting_model() as model, whole_world(folder, code, {"ANTHROPIC_BASE_URL": model.url}) as world:
        figures = _story(world, Telling(REQUEST, world.desk.story_files, lambda: model.requests))
        demand(model.requests == 0, f"{model.requests} requests reached a model")
    return {"mode": "no-key", **figures}


def _with_model(folder: Path, code: Path | None) -> dict[str, Any]:
    with model_world(folder, code) as (world, api):
        api.say(*silence.draft_turns())
        telling = Telling(
            request=silence.REQUEST,
            files=lambda name: silence.files(world, name),
            asked=lambda: api.attempts,
            before_the_surprise=lambda: api.say(*silence.fix_turns()),
        )
        figures = _story(world, telling)
        api.done()
        return {"mode": "model", **figures, **_sent(api)}


def _sent(api: ModelApi) -> dict[str, int]:
    return {"model_requests": api.attempts, "model_bytes": sum(api.sent_bytes)}


def _story(world: World, telling: Telling) -> dict[str, Any]:
    began = time.monotonic()
    world.request(telling.request, dict(telling.files("request")))
    world.posted("On it")
    first_answer_s = time.monotonic() - began
    card = world.card()
    asked = telling.asked()
    world.approve(card)
    world.monday()
    world.desk.wait_for_mail(lambda mail: bool(mail.to), within_s=90)
    world.posted("version 1", "approved by")
    delivered = len(world.desk.mails())
    asked_by_runs = telling.asked() - asked

    telling.before_the_surprise()
    world.alice.post("#lab", "This week's logs", files=telling.files("changed"))
    world.monday()
    halted = ("OddFile", "Nothing was delivered")
    world.desk.wait_until(lambda: world.count(*halted) or len(world.desk.mails()) > delivered, within_s=90)
    demand(len(world.desk.mails()) == delivered, "a halted run was mailed")
    surprise = world.posted(*halted)
    fix = world.card(after=surprise)
    asked = telling.asked()
    world.approve(fix)
    world.desk.wait_until(lambda: len(world.desk.mails()) > delivered, within_s=90)
    story_s = time.monotonic() - began

    rerun_delivered = len(world.desk.mails()) - delivered
    asked_by_runs += telling.asked() - asked
    demand(delivered == 1 and rerun_delivered == 1, f"{delivered} and {rerun_delivered} mails instead of one each")
    demand(asked_by_runs == 0, f"{asked_by_runs} requests reached a model")
    return {
        "story_s": round(story_s, 1),
        "first_answer_s": round(first_answer_s, 2),
        "run_model_requests": asked_by_runs,
        "delivered": delivered,
        "halted": 1,
        "rerun_delivered": rerun_delivered,
    }


class _Model(ThreadingHTTPServer):
    """Where every process would find a model; it only counts."""

    requests = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"


class _Count(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        assert isinstance(self.server, _Model)
        self.server.requests += 1
        self.send_error(503)


@contextmanager
def _counting_model() -> Iterator[_Model]:
    with _Model(("127.0.0.1", 0), _Count) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.shutdown()


BENCH = Bench(measure, PLANT, {"model": MODEL_PLANT})
