"""The visible steps of a job in its thread: one message, rewritten as the work goes on."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from time import monotonic, sleep

from bot.domain.errors import ChatError
from bot.domain.plan_lines import Steps, reached, told
from bot.domain.ports import MessageRef, Place
from bot.domain.views import Step, StepsView
from bot.log import log
from bot.work.outbox import post_once
from bot.work.parts import Parts
from sandbox.progress import Moves

# Slack takes about one message a second per channel.
PACE_S = 1.0
# What is sent faster needs no word; while it is sent, it waits for each word.
BIG_BYTES = 50_000_000
SLOW_S = 5.0
SENDING_PACE_S = 3.0


# As often does the log of a scheduled run, for which nobody waits, say how far a file is.
LOG_PACE_S = 10.0


class _Way:
    """Which file is on its way, and since when."""

    def __init__(self) -> None:
        self._name, self._since = "", 0.0

    def is_long(self, name: str, size_bytes: int) -> bool:
        if name != self._name:
            self._name, self._since = name, monotonic()
        return size_bytes >= BIG_BYTES or monotonic() - self._since >= SLOW_S


def in_logs() -> Moves:
    """For a run without a message in a thread: the log says how far a big or slow file is, in or out of its box."""
    way, said_at = _Way(), -LOG_PACE_S

    def moving(name: str, moved_bytes: int, size_bytes: int) -> None:
        nonlocal said_at
        if way.is_long(name, size_bytes) and (moved_bytes == size_bytes or monotonic() - said_at >= LOG_PACE_S):
            said_at = monotonic()
            log.info("file_moves", name=name, moved_bytes=moved_bytes, size_bytes=size_bytes)

    return moving


class Progress:
    """Steps shown as they begin and end. A message that cannot be rewritten never stops the work."""

    def __init__(self, parts: Parts, place: Place, key: str, title: str, for_user_id: str = "") -> None:
        self._parts, self._place, self._key = parts, place, key
        self._view = StepsView(title, (), for_user_id)
        self._plan: Steps = ()  # lines that people agreed on; they stand below the steps
        self._ref: MessageRef | None = None
        self._drawn_at = 0.0
        self._way = _Way()

    def begin(self) -> None:
        """Answer at once. Raises ChatError, because somebody who is not answered waits for nothing."""
        self._ref = post_once(self._parts, self._place, self._view, self._key)
        self._drawn_at = monotonic()

    @contextmanager
    def step(self, text: str) -> Iterator[None]:
        """A step that is complete at the end of the block, or marked as the one that failed."""
        self._add(Step(text, "in_progress"))
        try:
            yield
        except BaseException:
            self._end("error", "")
            raise
        self._end("complete", "")

    def line(self, text: str) -> None:
        """A line of somebody's own while they work; it is done when the next one comes."""
        if self._view.steps and self._view.steps[-1].status == "in_progress":
            done = replace(self._view.steps[-1], status="complete")
            self._view = replace(self._view, steps=(*self._view.steps[:-1], done))
        self._wait()
        self._add(Step(text, "in_progress"))

    def agreed(self, plan: Steps) -> None:
        """Show these lines of a plan from now on, each as it is."""
        self._plan = plan
        self._draw()

    def thought(self, line: str, whole: str) -> None:
        """A line of whoever works, in short and as it was said: where the plan is now, or else what they do."""
        plan = told(self._plan, whole) if self._plan else None
        if plan is None:
            self.line(line)
            return
        if plan == self._plan:  # shown before a restart
            return
        self._plan = plan
        self._wait()
        self._draw()

    def said(self, words: str) -> None:
        """The last words of whoever worked may name the last line of the plan; drawn with what comes next."""
        self._plan = reached(self._plan, words) or self._plan

    def detail(self, text: str) -> None:
        """What came of the current step, in a few words."""
        last = self._view.steps[-1]
        self._view = replace(self._view, steps=(*self._view.steps[:-1], replace(last, detail=text)))

    def sending(self, name: str, sent_bytes: int, size_bytes: int) -> None:
        """How far a file is on its way into a box or out of it, beside the current step, where that takes long."""
        if not self._way.is_long(name, size_bytes) or not self._view.steps:
            return
        before = self._view
        if sent_bytes < size_bytes and monotonic() - self._drawn_at >= SENDING_PACE_S:
            self.detail(f"{name}: {sent_bytes // 1_000_000:,} of {size_bytes // 1_000_000:,} MB")
            self._draw()
            self._view = before  # what comes of the step is said by the step

    def doing(self, text: str) -> None:
        """How far the current step is; shown when it is time to draw again."""
        self.detail(text)
        self._draw()

    def finish(self, title: str) -> None:
        """Rename the whole and draw it for the last time; nothing is under way any more."""
        self._plan = _ended(self._plan)
        self._view = replace(self._view, title=title, steps=_ended(self._view.steps), is_over=True)
        self._draw(is_last=True)

    def _add(self, step: Step) -> None:
        self._view = replace(self._view, steps=(*self._view.steps, step))
        self._draw()

    def _end(self, status: str, detail: str) -> None:
        last = self._view.steps[-1]
        ended = replace(last, status=status, detail=detail or last.detail)
        self._view = replace(self._view, steps=(*self._view.steps[:-1], ended))
        self._draw(is_last=status == "error")

    def _wait(self) -> None:
        """What follows may take long, so that what is shown now is waited for and never skipped."""
        sleep(max(0.0, PACE_S - (monotonic() - self._drawn_at)))

    def _draw(self, *, is_last: bool = False) -> None:
        if self._ref is None or (monotonic() - self._drawn_at < PACE_S and not is_last):
            return
        try:
            shown = replace(self._view, steps=(*self._view.steps, *self._plan))
            self._parts.chat.update(self._ref, shown, key=self._key)
        except ChatError as error:
            log.warning("steps_not_drawn", key=self._key, reason=str(error))
        self._drawn_at = monotonic()


def _ended(steps: Steps) -> Steps:
    return tuple(replace(one, status="complete") if one.status == "in_progress" else one for one in steps)
