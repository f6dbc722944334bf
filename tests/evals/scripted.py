"""A model that plays each task's own script, and the truth in the loop: it shows that the harness measures."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from random import Random

from pydantic import SecretStr

from bot.agent.config import ModelSettings
from tests.evals.tasks import Task
from tests.fakes.model_api import ModelApi, Turn, text, use

Say = Callable[[Task, int, str], None]


@contextmanager
def scripted_model(*, is_wrong: bool = False) -> Iterator[tuple[ModelSettings, Say]]:
    """Settings for it, and a function that hands it its turns. `is_wrong`: it answers something that is not true."""
    api = ModelApi(window=1_000_000)

    def say(task: Task, seed: int, way: str) -> None:
        api.say(*(_turns_of_loop(task, seed) if way == "loop" else _turns(task, seed, is_wrong=is_wrong)))

    with api.running():
        settings = ModelSettings.model_construct(
            **{**ModelSettings().model_dump(), "key": SecretStr(api.key), "base_url": api.url, "optional_fields": "on"}
        )
        yield settings, say
    api.done()


def _turns(task: Task, seed: int, *, is_wrong: bool) -> list[Turn]:
    files, _ = task.make(Random(seed))
    script = 'from kit import table\ntable("Answer", ["what"], [["nothing"]])\n' if is_wrong else task.script
    return [
        [use("read_file", path=f"inputs/{sorted(files)[0]}")],
        [use("run_code", script=script)],
        [text("The table has it.")],
    ]


def _turns_of_loop(task: Task, seed: int) -> list[Turn]:
    files, truth = task.make(Random(seed))
    said = "\n".join(f"{label}: {number:.4f}" for label, number in truth.items())
    return [[use("list_files", dir=".")], *([use("read_file", path=name)] for name in sorted(files)), [text(said)]]
