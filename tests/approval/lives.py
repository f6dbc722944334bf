"""Whole lives of the machine: every act once, in an order that is drawn, and then steps that are drawn one by one."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import initialize

from tests.approval.machine import NAMES, Approval
from tests.approval.stage import Stage

# Acts that try a whole list of things: too long to be drawn more than once in a life.
SWEEPS: dict[str, tuple[Callable[..., None], dict[str, st.SearchStrategy[Any]]]] = {
    one.__name__: (one, {"routine": NAMES})
    for one in (Approval.meddle_with_open_cards, Approval.meddle_with_all_that_is_due, Approval.each_outcome)
}
ALL = SWEEPS | {
    name: (one.hypothesis_stateful_rule.function, one.hypothesis_stateful_rule.arguments_strategies)
    for name, one in sorted(vars(Approval).items())
    if hasattr(one, "hypothesis_stateful_rule")
}


class Whole(Approval):
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
        make_stage = staticmethod(lambda: Stage(url, folder))
        is_over = staticmethod(lambda: time.monotonic() >= ends_at)

    return OnThis
