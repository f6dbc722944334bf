"""Mondays on which a process dies at a named moment; verdicts are read from desk and mail sink alone."""

from __future__ import annotations

import itertools
import signal
import time
from collections.abc import Iterator
from dataclasses import dataclass

from bot.work.points import Point
from tests.flows.small_logs import small
from tests.flows.world import World

BY_CLOCK = (Point.SLOT_MADE, Point.SLOT_KEPT)
IN_A_SURPRISE = (
    *BY_CLOCK,
    Point.RUN_CLAIMED,
    Point.INPUTS_KEPT,
    Point.CODE_RAN,
    Point.RUN_ENDED,
    Point.POST_CLAIMED,
    Point.POSTED,
    Point.POST_PROVED,
    Point.TOLD,
)
IN_A_REPORT = (
    *(one for one in IN_A_SURPRISE if one is not Point.TOLD),
    Point.DELIVERY_CLAIMED,
    Point.MAIL_SENT,
    Point.DELIVERY_ENDED,
)
# Two deliveries go out on a healthy Monday: the second pass is the other one.
TWICE = (Point.DELIVERY_CLAIMED, Point.DELIVERY_ENDED)
UNKNOWN_MAIL = "cannot know whether the mail to lab list was sent"
SETTLED_S = 4.0  # longer than a worker may be silent, so that whoever would send again has had its chance
WITHIN_S = 60.0


def matrix() -> Iterator[tuple[str, bool]]:
    """Every (where to die, whether the files are healthy)."""
    for point in IN_A_REPORT:
        yield point, True
    for point in TWICE:
        yield f"{point}:2", True
    for point in IN_A_SURPRISE:
        yield point, False


@dataclass(frozen=True)
class Monday:
    """What somebody outside saw of one Monday."""

    died: bool
    reports: int
    mails: int
    mails_unknown: int
    surprises: int

    def is_right(self, healthy: bool) -> bool:
        """One report and one mail, or a word that it cannot be known; of a halted one a word alone."""
        if not healthy:
            return self.died and (self.reports, self.mails, self.mails_unknown, self.surprises) == (0, 0, 0, 1)
        mail = (self.mails, self.mails_unknown) == (1, 0) or (self.mails <= 1 and self.mails_unknown == 1)
        return self.died and self.reports == 1 and self.surprises == 0 and mail


_weeks = itertools.count(1)


def die_at(world: World, point: str, healthy: bool) -> Monday:
    """Lets Monday come with a process that dies at `point`, starts another, and waits until all has settled."""
    name = "clock" if point.partition(":")[0] in BY_CLOCK else "runner"
    files = small(world.desk.now()) if healthy else {f"odd-{next(_weeks)}.log": b'{"level": "fine"}\n' * 40}
    world.alice.post("#lab", "This week's logs", files=files)
    before = _seen(world)
    world.processes[name].stop()
    usual = world.environment
    world.environment = usual | {"STANDBY_STOP_AT": point}
    world.start(name)
    world.environment = usual
    world.monday()
    died = _dies(world, name)
    world.processes[name].kill()
    world.start(name)
    _settle(world, before, healthy)
    reports, mails, unknown, surprises = (now - then for now, then in zip(_seen(world), before, strict=True))
    return Monday(died, reports, mails, unknown, surprises)


def _seen(world: World) -> tuple[int, int, int, int]:
    """Reports posted, mails taken, mails said to be unknown, and surprises told, so far."""
    return (
        world.count("version 1", "approved by"),
        len(world.desk.mails()),
        world.count(UNKNOWN_MAIL),
        world.count("Nothing was delivered"),
    )


def _dies(world: World, name: str) -> bool:
    popen = world.processes[name].popen
    assert popen is not None
    deadline = time.monotonic() + WITHIN_S
    while popen.poll() is None and time.monotonic() < deadline:
        time.sleep(0.05)
    return popen.poll() == -signal.SIGKILL


def _settle(world: World, before: tuple[int, int, int, int], healthy: bool) -> None:
    """Wait for what has to come; then for what must not."""
    deadline = time.monotonic() + WITHIN_S
    while time.monotonic() < deadline:
        reports, mails, unknown, surprises = (now - then for now, then in zip(_seen(world), before, strict=True))
        if (reports and (mails or unknown)) if healthy else surprises:
            break
        time.sleep(0.1)
    time.sleep(SETTLED_S)
