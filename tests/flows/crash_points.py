"""Mondays on which a process dies at a named moment; verdicts are read from desk and mail sink alone."""

from __future__ import annotations

import itertools
import signal
import time
from collections.abc import Callable, Iterator, Sequence
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
LAST_STEPS_S = 10.0  # a further death that may come, once all is there that has to


def pairs() -> Iterator[tuple[str, str]]:
    """Two deaths on one healthy Monday, the second where the first leads to or further on."""
    for number, first in enumerate(IN_A_REPORT):
        yield from ((first, second) for second in IN_A_REPORT[number:] if second not in BY_CLOCK or second is first)


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

    died: tuple[bool, ...]  # at each of the points
    reports: int
    mails: int
    mails_unknown: int
    surprises: int

    def is_right(self, healthy: bool) -> bool:
        """One report and one mail, or a word that it cannot be known; of a halted one a word alone."""
        if not healthy:
            return self.died[0] and (self.reports, self.mails, self.mails_unknown, self.surprises) == (0, 0, 0, 1)
        mail = (self.mails, self.mails_unknown) == (1, 0) or (self.mails <= 1 and self.mails_unknown == 1)
        return self.died[0] and self.reports == 1 and self.surprises == 0 and mail


_weeks = itertools.count(1)


def die_at(world: World, points: Sequence[str], healthy: bool) -> Monday:
    """Lets Monday come with processes that die at these points, each started again, and waits until all has settled.

    Whether the first death came is told; a further one may find that its moment is over.
    """
    files = small(world.desk.now()) if healthy else {f"odd-{next(_weeks)}.log": b'{"level": "fine"}\n' * 40}
    world.alice.post("#lab", "This week's logs", files=files)
    before = _seen(world)
    left = {name: [point for point in points if _who(point) == name] for name in ("clock", "runner")}
    for name, waiting in left.items():
        if waiting:
            world.processes[name].stop()
            _start(world, name, waiting.pop(0))
    world.monday()
    died = tuple(_die_and_rise(world, point, left[_who(point)], before, healthy) for point in points)
    _settle(world, before, healthy)
    reports, mails, unknown, surprises = _since(world, before)
    return Monday(died, reports, mails, unknown, surprises)


def _who(point: str) -> str:
    return "clock" if point.partition(":")[0] in BY_CLOCK else "runner"


def _start(world: World, name: str, point: str = "") -> None:
    usual = world.environment
    world.environment = usual | ({"STANDBY_STOP_AT": point} if point else {})
    world.start(name)
    world.environment = usual


def _die_and_rise(world: World, point: str, left: list[str], before: Seen, healthy: bool) -> bool:
    died = _dies(world, _who(point), lambda: _is_there(world, before, healthy))
    world.processes[_who(point)].kill()
    _start(world, _who(point), left.pop(0) if left else "")
    return died


Seen = tuple[int, int, int, int]


def _seen(world: World) -> Seen:
    """Reports posted, mails taken, mails said to be unknown, and surprises told, so far."""
    return (
        world.count("version 1", "approved by"),
        len(world.desk.mails()),
        world.count(UNKNOWN_MAIL),
        world.count("Nothing was delivered"),
    )


def _since(world: World, before: Seen) -> Seen:
    reports, mails, unknown, surprises = (now - then for now, then in zip(_seen(world), before, strict=True))
    return reports, mails, unknown, surprises


def _dies(world: World, name: str, is_over: Callable[[], bool]) -> bool:
    """Whether it died; once all is there that has to come, a little longer is waited for what may follow."""
    popen = world.processes[name].popen
    assert popen is not None
    deadline = time.monotonic() + WITHIN_S
    while popen.poll() is None and time.monotonic() < deadline:
        if is_over():
            deadline = min(deadline, time.monotonic() + LAST_STEPS_S)
        time.sleep(0.05)
    return popen.poll() == -signal.SIGKILL


def _is_there(world: World, before: Seen, healthy: bool) -> bool:
    reports, mails, unknown, surprises = _since(world, before)
    return bool(reports and (mails or unknown)) if healthy else bool(surprises)


def _settle(world: World, before: Seen, healthy: bool) -> None:
    """Wait for what has to come; then for what must not."""
    deadline = time.monotonic() + WITHIN_S
    while time.monotonic() < deadline and not _is_there(world, before, healthy):
        time.sleep(0.1)
    time.sleep(SETTLED_S)
