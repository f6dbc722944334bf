"""Ways in which a provider of boxes fails under a scheduled run, and a Monday lived through with each of them."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from tests.box.local_server import LocalServer, until
from tests.flows.world import World

CREATE, START, FILES = "/v2/sandboxes", "/process.Process/Start", "/files"

# More often than the SDK tries again by itself, so that the failure reaches us; still less than our own attempts.
THROUGH = 4


def _vanish(server: LocalServer) -> None:
    """The box ends while its command is under way."""
    server.fault("delay", START, milliseconds=1_500)
    before = len(server.ledger()["created"])

    def end_it() -> None:
        if until(lambda: len(server.ledger()["created"]) > before, within_s=60):
            box = server.ledger()["created"][before]["id"]
            until(lambda: f"POST {START}" in server.ledger()["requests"][-1:], within_s=30)
            server.http.delete(f"/sandboxes/{box}")

    threading.Thread(target=end_it, daemon=True).start()


FAULTS: Mapping[str, Callable[[LocalServer], None]] = {
    "the box vanishes in mid-run": _vanish,
    "the box is gone when its command starts": lambda server: server.fault(
        "status", START, status=502, message="The sandbox was not found"
    ),
    "the answer to create is lost": lambda server: server.fault("cut", CREATE, parts=0),
    "too many boxes, no word on when": lambda server: server.fault("status", CREATE, status=429, times=THROUGH),
    "too many boxes, try in a second": lambda server: server.fault(
        "status", CREATE, status=429, times=THROUGH, headers={"Retry-After": "1"}
    ),
    "the provider fails": lambda server: server.fault("status", CREATE, status=500),
    "no capacity": lambda server: server.fault("status", CREATE, status=503, times=THROUGH),
    "the stream is cut": lambda server: server.fault("cut", START, parts=1),
    "the disk is full": lambda server: server.fault("status", FILES, status=507),
    "an upload breaks off": lambda server: server.fault("cut", FILES, parts=0),
}


@dataclass(frozen=True)
class Monday:
    """What became of one Monday with a fault in it."""

    delivered: int
    boxes_for_runs: int  # opened, or asked for as far as the provider knows
    boxes_left: int
    surprises: int
    agent_boxes: int  # opened by the process that has the model

    @property
    def is_right(self) -> bool:
        return (self.delivered, self.boxes_left, self.surprises, self.agent_boxes) == (1, 0, 0, 0)


def live_through(world: World, fault: Callable[[LocalServer], None], files: Mapping[str, bytes]) -> Monday:
    """Posts the week's files, makes the fault wait, and lets Monday come."""
    created, mails = len(world.boxes.ledger()["created"]), len(world.desk.mails())
    said = world.count("Nothing was delivered")
    world.alice.post("#lab", "This week's logs", files=dict(files))
    fault(world.boxes)
    world.monday()
    world.desk.wait_until(lambda: len(world.desk.mails()) > mails, within_s=90)
    until(lambda: world.boxes.folders() == [], within_s=20)
    world.boxes.no_faults()
    purposes = [each["tags"].get("purpose", "") for each in world.boxes.ledger()["created"][created:]]
    return Monday(
        delivered=len(world.desk.mails()) - mails,
        boxes_for_runs=purposes.count("run"),
        boxes_left=len(world.boxes.folders()),
        surprises=world.count("Nothing was delivered") - said,
        agent_boxes=len(purposes) - purposes.count("run"),
    )
