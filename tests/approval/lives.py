"""Whole lives of the machine: every act once, in an order that is drawn, and then steps that are drawn one by one."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import initialize

from bot.domain.orders import Order
from bot.domain.words import Verb
from bot.work import deliver
from tests.approval.hands import person
from tests.approval.machine import NAMES, OUTCOMES, Approval
from tests.approval.meddling import AFTER_DECISION, MEDDLE
from tests.approval.oracle import List
from tests.approval.stage import Stage

BOB = person("BOB")


class Sweeping(Approval):
    """Acts that try a whole list of things: too long to be drawn more than once in a life."""

    def meddle_with_open_cards(self, routine: str) -> None:
        """In every way once: drawn one at a time, most ways would not come up in many lives."""
        for what in MEDDLE:
            self._meddle_with_an_open_card(what, routine, runs_first=what == "unapproved_run")
        self._run_all(0, OUTCOMES[0])

    def meddle_with_all_that_is_due(self, routine: str) -> None:
        for what in AFTER_DECISION:
            self._meddle_with_what_is_due(what, routine)

    def each_outcome(self, routine: str) -> None:
        """A quiet week for each thing that may come of a run."""
        self._press(self._propose(routine, "ALICE", "", None), BOB, Verb.APPROVE, List(), 0)
        for outcome in OUTCOMES[1:]:
            self._due(0, 7)
            self._run_all(0, outcome)
            self._run_all(1, OUTCOMES[0])
            self._send_all(0)

    def week_without_the_channel(self, routine: str) -> None:
        """The mail goes out and the channel takes nothing; the job comes again; then the owner has it run again."""
        version = self._propose(routine, "ALICE", "", None)
        self._press(version, BOB, Verb.APPROVE, List(), 0)
        self._due(0, 7)
        self._run_all(0, OUTCOMES[0])
        self.stage.channel.refuses = True
        self._send_all(0)
        self.stage.channel.refuses = False
        for delivery_id in self.stage.ids("select id from delivery where state = 'failed'"):
            deliver.deliver(self.stage.worker(1), delivery_id)
        self._agree()
        self._order(version.routine_id, Order.BACKFILL)
        self._run_all(1, OUTCOMES[0])
        self._send_all(1)


SWEEPS = (
    Sweeping.meddle_with_open_cards,
    Sweeping.meddle_with_all_that_is_due,
    Sweeping.each_outcome,
    Sweeping.week_without_the_channel,
)
ALL: dict[str, tuple[Callable[..., None], dict[str, Any]]] = {one.__name__: (one, {"routine": NAMES}) for one in SWEEPS}
ALL |= {
    name: (one.hypothesis_stateful_rule.function, one.hypothesis_stateful_rule.arguments_strategies)
    for name, one in sorted(vars(Approval).items())
    if hasattr(one, "hypothesis_stateful_rule")
}


class Whole(Sweeping):
    """Drawn blindly, a life of 20 steps holds half of the acts, and fewer still of those that need another before."""

    @initialize(data=st.data())
    def start(self, data: st.DataObject) -> None:
        self.begin()
        for name in data.draw(st.permutations(list(ALL)), label="order"):
            act, arguments = ALL[name]
            act(self, **{key: data.draw(of, label=key) for key, of in arguments.items()})
            self._agree()


def machine_on(url: str, folder: Path, ends_at: float) -> type[Whole]:
    """The machine on one database, which each life empties first. After `ends_at` (monotonic) lives are empty."""

    class OnThis(Whole):
        make_stage = staticmethod(lambda: Stage(url, Path(tempfile.mkdtemp(dir=folder))))
        is_over = staticmethod(lambda: time.monotonic() >= ends_at)

    return OnThis
