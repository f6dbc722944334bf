"""One of two processes that race: each line it reads is a press; it says when it is ready, and answers in a line.

`python -m tests.approval.racer URL BLOBS`; a line is JSON: {"at", "press", "verb", "by"} with a monotonic time to
press at, or {"at", "propose": task id, "script"} for a newer version that takes the card's place.
"""

from __future__ import annotations

import json
import sys
import time
from typing import Any

from bot.domain.words import Verb
from bot.work import decide
from bot.work.parts import JobParts
from bot.work.propose import Draft, propose
from library.plan_folder import PlanFolder
from tests.approval.hands import person
from tests.approval.outside import HOME
from tests.approval.parts import parts_on, task_of
from tests.approval.stage import files
from tests.slack.proposals import REHEARSAL


def main(url: str, blobs: str) -> None:
    parts = parts_on(url, blobs)
    _act(parts, {"press": "warm", "verb": "approve", "by": "BOB"})
    print("ready", flush=True)
    for line in sys.stdin:
        order = json.loads(line)
        while time.monotonic() < order["at"]:
            pass  # busy on purpose: both go at the same instant
        print(json.dumps(_act(parts, order)), flush=True)


def _act(parts: JobParts, order: dict[str, Any]) -> dict[str, Any]:
    if "propose" in order:
        folder = PlanFolder(files(order["routine"], order["script"]))
        propose(parts, task_of(parts, order["propose"]), Draft(folder, REHEARSAL, "ALICE"))
        return {"accepted": True, "text": "proposed"}
    answer = decide.press(parts, order["press"], Verb(order["verb"]), person(order["by"]), HOME, "because")
    return {"accepted": answer.accepted, "text": answer.text}


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
