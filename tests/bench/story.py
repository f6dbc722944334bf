"""The story with no key, timed: from the request to the rerun Monday, and how many requests reached a model."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from tests.bench.bench import Bench, demand
from tests.bench.plants import Plant
from tests.bench.worlds import whole_world
from tests.desk_client import NothingCame
from tests.flows.world import World

PLANT = Plant(
    "bot/work/endings.py",
    "    if not _end_run(session, row, RunState.HALTED, now, seen):",
    "    return _reported(session, row, Report(seen.message), now)\n"
    "    if not _end_run(session, row, RunState.HALTED, now, seen):",
)


def measure(folder: Path, code: Path | None, _rest: list[str]) -> dict[str, Any]:
    with _counting_model() as model, whole_world(folder, code, {"ANTHROPIC_BASE_URL": model.url}) as world:
        try:
            return _story(world, model)
        except NothingCame as missing:
            demand(False, str(missing))
            raise


def _story(world: World, model: _Model) -> dict[str, Any]:
    began = time.monotonic()
    world.request()
    world.posted("On it")
    first_answer_s = time.monotonic() - began
    world.approve(world.card())
    world.monday()
    world.desk.wait_for_mail(lambda mail: bool(mail.to), within_s=90)
    world.posted("version 1", "approved by")
    delivered = len(world.desk.mails())

    world.alice.post("#lab", "This week's logs", files=world.desk.story_files("changed"))
    world.monday()
    surprise = world.posted("OddFile", "Nothing was delivered")
    demand(len(world.desk.mails()) == delivered, "a halted run was mailed")
    world.approve(world.card(after=surprise))
    world.desk.wait_until(lambda: len(world.desk.mails()) > delivered, within_s=90)
    story_s = time.monotonic() - began

    rerun_delivered = len(world.desk.mails()) - delivered
    demand(delivered == 1 and rerun_delivered == 1, f"{delivered} and {rerun_delivered} mails instead of one each")
    demand(model.requests == 0, f"{model.requests} requests reached a model")
    return {
        "mode": "no-key",
        "story_s": round(story_s, 1),
        "first_answer_s": round(first_answer_s, 2),
        "run_model_requests": model.requests,
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


BENCH = Bench(measure, PLANT)
