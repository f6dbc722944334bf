"""Every hostile script, as an ordinary user and, where this is root, as root: how many got anything out."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.bench.bench import Bench, demand
from tests.bench.plants import Plant
from tests.box.conftest import SMALL
from tests.box.escapes import ATTACKS
from tests.box.escapes.attack import Verdict, carry_out
from tests.box.escapes.host import prepared_host
from tests.box.local_server import LocalServer, somebody_else
from tests.folders import reachable_folder

# Commands find the server's environment in theirs.
PLANT = Plant(
    "sandbox/server/processes.py",
    "env={**command.env, **launch.env},",
    "env={**os.environ, **command.env, **launch.env},",
)


def measure(_folder: Path, code: Path | None, _rest: list[str]) -> dict[str, Any]:
    is_root = os.geteuid() == 0
    ordinary = somebody_else() if is_root else {}
    as_user = list(_verdicts(code, ordinary)) if ordinary is not None else []
    as_root = list(_verdicts(code, {})) if is_root else []
    return {
        "attacks": len(ATTACKS),
        "escaped": sum(bool(verdict.escaped) for verdict in as_user + as_root),
        "as_root": len(as_root),
        "as_user": len(as_user),
    }


def _verdicts(code: Path | None, who: dict[str, Any]) -> Iterator[Verdict]:
    with contextlib.ExitStack() as stack:
        server = LocalServer(stack.enter_context(reachable_folder()), flags=SMALL, code=code, **who)
        stack.callback(server.stop)
        boxes = server.boxes()
        host = stack.enter_context(prepared_host(stack.enter_context(reachable_folder()), server, boxes))
        for attack in ATTACKS:
            verdict = carry_out(attack, server, boxes, host)
            demand(not verdict.escaped, f"{verdict.name}: {', '.join(verdict.escaped)}")
            demand(not verdict.unproved, f"{verdict.name}: {verdict.unproved}")
            yield verdict


BENCH = Bench(measure, PLANT)
