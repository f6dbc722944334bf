"""Starts parts in order, starts again what crashed, and stops all of them in the opposite order."""

from __future__ import annotations

import contextlib
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import psutil

from bot.domain.errors import StandbyError
from bot.processes.parts import Part, descendants

TICK_S = 0.1
READY_S = 60.0  # a cold start of the heaviest part takes under 5 s; a busy laptop gets ten times that
ONE_REQUEST_S = 1.0  # one Ctrl-C comes twice where a launcher such as uv passes it on too
DRAIN_S = 30.0  # how long a part may finish what it holds
CRASHES = 5
CRASHES_WITHIN_S = 60.0
FIRST_PAUSE_S = 0.5
LONG_PAUSE_S = 60.0  # between tries once it crashed CRASHES times


class PartDidNotStart(StandbyError):
    """A part ended, or stayed silent, at the first start; nothing was left running."""


class StopAsked(Exception):
    """Somebody asked to stop while parts were still being started."""


@dataclass
class _Watched:
    """One part and its recent history."""

    part: Part
    crashed_at: deque[float] = field(default_factory=lambda: deque(maxlen=CRASHES))
    start_at: float | None = None  # when to start it again; None while it runs
    ready_by: float | None = None  # until when it may take to become ready; None once it is

    def pause_s(self, now: float) -> float:
        """How long to wait before the next try: doubling, then a minute."""
        if self.crashes_often(now):
            return LONG_PAUSE_S
        return FIRST_PAUSE_S * float(2 ** (len(self._recent(now)) - 1))

    def crashes_often(self, now: float) -> bool:
        return len(self._recent(now)) == CRASHES

    def _recent(self, now: float) -> list[float]:
        return [at for at in self.crashed_at if now - at < CRASHES_WITHIN_S]


class Supervisor:
    """Runs parts. `say` puts one line in the terminal; `changed` is called whenever a process came or went.

    Use from one thread, the main one; only `ask_to_stop` may be called from anywhere, a signal handler included.
    """

    def __init__(self, say: Callable[[str], None], changed: Callable[[], None] = lambda: None) -> None:
        self._say = say
        self._changed = changed
        self._groups: list[list[_Watched]] = []
        self._stop = threading.Event()
        self._hurry = threading.Event()
        self._asked_at = 0.0

    @property
    def parts(self) -> Sequence[Part]:
        """What runs, in the order in which it was started."""
        return [watched.part for group in self._groups for watched in group]

    def ask_to_stop(self) -> None:
        """Ends `watch` (or a start under way) soon; asked again later, `stop` waits for nobody."""
        now = time.monotonic()
        if not self._stop.is_set():
            self._asked_at = now
        elif now - self._asked_at > ONE_REQUEST_S:
            self._hurry.set()
        self._stop.set()

    def start(self, *parts: Part) -> None:
        """Starts parts that need nothing of each other, and waits until all are ready.

        Raises PartDidNotStart with the part's last words, or StopAsked.
        """
        if self._stop.is_set():
            raise StopAsked
        group = [_Watched(part) for part in parts]
        self._groups.append(group)
        for part in parts:
            part.start()
        deadline = time.monotonic() + READY_S
        for part in parts:
            self._await_first_ready(part, deadline)
        self._changed()

    def watch(self) -> None:
        """Keeps every part running until `ask_to_stop`."""
        while not self._stop.wait(TICK_S):
            for watched in [one for group in self._groups for one in group]:
                self._look_after(watched)

    def stop(self) -> None:
        """Stops everything, last started first; afterwards nothing of ours runs. A part may take DRAIN_S to finish."""
        family = [process for part in self.parts for process in descendants(part.pid)]
        while self._groups:
            group = [watched.part for watched in self._groups[-1]]
            for part in group:
                part.ask_to_stop()
            deadline = time.monotonic() + DRAIN_S
            for part in group:
                self._await_end(part, deadline)
            self._groups.pop()
        self._end_strays(family)

    def _end_strays(self, family: Sequence[psutil.Process]) -> None:
        """What a part started and did not end with itself."""
        for process in family:
            with contextlib.suppress(psutil.NoSuchProcess):
                if process.is_running() and process.status() != psutil.STATUS_ZOMBIE:
                    self._say(f"{process.name()} (process {process.pid}) was left by a part and was ended.")
                    process.kill()

    def _await_first_ready(self, part: Part, deadline: float) -> None:
        while not part.is_ready():
            if not part.is_alive():
                raise PartDidNotStart(f"{part.name} did not start ({part.ended_with()}). {_last_words(part)}")
            if time.monotonic() > deadline:
                raise PartDidNotStart(f"{part.name} was not ready after {READY_S:.0f} s. {_last_words(part)}")
            if self._stop.wait(TICK_S / 2):
                raise StopAsked

    def _await_end(self, part: Part, deadline: float) -> None:
        while part.is_alive() and time.monotonic() < deadline and not self._hurry.is_set():
            time.sleep(TICK_S / 5)
        if part.is_alive():
            self._say(f"{part.name} did not finish what it held and was ended.")
        part.end()

    def _look_after(self, watched: _Watched) -> None:
        now = time.monotonic()
        if watched.start_at is not None:
            if now >= watched.start_at:
                self._start_again(watched)
        elif not watched.part.is_alive():
            self._crashed(watched, f"stopped unexpectedly ({watched.part.ended_with()})")
        elif watched.ready_by is not None:
            self._await_ready(watched, now)
        watched.part.log.turn_over()

    def _await_ready(self, watched: _Watched, now: float) -> None:
        if watched.part.is_ready():
            watched.ready_by = None
            self._say(f"{watched.part.name} runs again.")
            self._changed()
        elif watched.ready_by is not None and now > watched.ready_by:
            self._crashed(watched, f"was not ready after {READY_S:.0f} s")

    def _crashed(self, watched: _Watched, how: str) -> None:
        now = time.monotonic()
        watched.crashed_at.append(now)
        watched.ready_by = None
        pause_s = LONG_PAUSE_S if watched.part.is_hopeless() else watched.pause_s(now)
        watched.start_at = now + pause_s
        if watched.crashes_often(now) or watched.part.is_hopeless():
            self._say(
                f"{watched.part.name} {how} and would again; the next try is in {pause_s:.0f} s. "
                f"{_last_words(watched.part)}"
            )
        else:
            self._say(f"{watched.part.name} {how}{_cause(watched.part)} - it starts again in {pause_s:.1f} s.")
        watched.part.end()

    def _start_again(self, watched: _Watched) -> None:
        watched.start_at = None
        watched.ready_by = time.monotonic() + READY_S
        try:
            watched.part.start()
        except (StandbyError, OSError) as error:
            self._crashed(watched, f"could not be started ({error})")


def _cause(part: Part) -> str:
    """What its log says last of it; nothing where something outside ended it, since its log then tells of other things.

    A line that says that all is well is no cause either.
    """
    if part.was_killed():
        return ": it was ended from outside, by somebody or for want of memory"
    said = [line.strip() for line in part.log.since_start() if line.strip() and " level=info " not in line]
    return f": {said[-1][:200]}" if said else ""


def _last_words(part: Part) -> str:
    words = "\n".join(f"    {line}" for line in part.log.since_start()[-8:]) or "    (it wrote nothing)"
    return f"Its last lines:\n{words}\nThe whole log is {part.log.path}; `standby doctor` checks what it needs."
