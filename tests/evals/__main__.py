"""`standby eval`: twelve tasks with known truth, by Standby's conversation and by a plain loop with the same model.

With a key it asks that model, and ends before the budget. Without one it runs on a scripted model, which shows that the
harness works and nothing about any model; and every draft that is broken by hand must be refused with the right words.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path

from rich.console import Console
from rich.table import Table

from bot.agent.config import MICRO, ModelSettings
from bot.agent.prices import load_prices
from tests.evals.drafts import all_refused
from tests.evals.harness import Harness, Trial, a_harness, as_json, summary
from tests.evals.scripted import scripted_model
from tests.evals.tasks import TASKS, Task

LARGEST_LOOP_TOKENS = 90_000  # what a plain loop over one of these tasks, of some ten kilobytes, cannot pass


def main(arguments: list[str]) -> int:
    options = _options(arguments)
    settings = ModelSettings.load(os.environ)
    with ExitStack() as stack:
        say: Callable[[Task, int, str], None] = lambda *_: None  # noqa: E731
        if settings is None:
            settings, say = stack.enter_context(scripted_model())
        budget = settings.model_copy(update={"day_usd": options.budget})
        harness = stack.enter_context(a_harness(budget))
        trials = list(_trials(harness, options, say))
        refused = (
            all_refused(harness.parts.boxes, Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="sb-"))))
            if options.drafts
            else []
        )
    _show(trials, refused)
    found = as_json(trials, settings, f"{datetime.now(UTC):%Y-%m-%d}")
    found["drafts"] = {"broken": len(refused), "refused_right": sum(is_right for _, _, is_right in refused)}
    if options.out:
        options.out.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    print(json.dumps({"summary": found["summary"], "drafts": found["drafts"]}))
    return 0 if all(is_right for _, _, is_right in refused) else 1


def _trials(harness: Harness, options: argparse.Namespace, say: Callable[[Task, int, str], None]) -> Iterator[Trial]:
    """Half of the budget for each way. A price that is not known cannot be kept to, so then only one trial is made."""
    left = {"standby": options.budget * MICRO / 2, "loop": options.budget * MICRO / 2}
    for seed in range(1, options.trials + 1):
        for task in TASKS[: options.tasks]:
            for way, ask in (("standby", harness.ask), ("loop", harness.loop)):
                if left[way] <= _worst(harness, way):
                    continue
                say(task, seed, way)
                trial = ask(task, seed)
                left[way] -= trial.micro_usd if trial.micro_usd is not None else options.budget * MICRO
                yield trial


def _worst(harness: Harness, way: str) -> float:
    """What one more trial could cost at most: the draft's own budget, or the longest loop with every token new."""
    if way == "standby":
        return harness.settings.draft_usd * MICRO if load_prices().rates(harness.settings.name) else 0
    return load_prices().worst_micro_usd(harness.settings.name, LARGEST_LOOP_TOKENS, 8_000) or 0


def _show(trials: list[Trial], refused: list[tuple[str, str, bool]]) -> None:
    table = Table("task", "way", "score", "requests", "tokens in", "usd", title="evaluation")
    for one in trials:
        usd = "unknown" if one.micro_usd is None else f"{one.micro_usd / MICRO:.4f}"
        table.add_row(one.task, one.way, f"{one.score:.2f}", str(one.requests), f"{one.tokens_in:,}", usd)
    for way, sums in summary(trials).items():
        table.add_row("all", way, str(sums["score"]), str(sums["requests"]), f"{sums['tokens_in']:,}", str(sums["usd"]))
    Console().print(table)
    for name, said, is_right in refused:
        if not is_right:
            print(f"WRONG  {name}: {said or 'it would have been proposed'}")


def _options(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="standby eval", description=__doc__)
    parser.add_argument("--budget", type=float, default=2.0, help="most that it may cost, in US dollars")
    parser.add_argument("--trials", type=int, default=3, help="how often each task is asked, each time with other data")
    parser.add_argument("--tasks", type=int, default=len(TASKS), help="how many of the tasks")
    parser.add_argument("--no-drafts", dest="drafts", action="store_false", help="leave out the broken drafts")
    parser.add_argument("--out", type=Path, help="a file for all of it as JSON")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
