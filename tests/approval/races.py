"""Rounds of two real processes against each other, and what each round must come to."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from bot.domain.words import Verb
from tests.approval.hands import button_of, press, proposed
from tests.approval.stage import Stage
from tests.bench.plants import CHECKOUT

# How far ahead the starting moment lies: far enough for both to have read their line.
AHEAD_S = 0.02


class Racer:
    """A process that presses when it is told to."""

    def __init__(self, url: str, blobs: Path, code: Path | None) -> None:
        path = os.pathsep.join(str(part) for part in (code, CHECKOUT) if part)
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", "tests.approval.racer", url, str(blobs)],
            env={**os.environ, "PYTHONPATH": path},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self._read_until("ready")

    def go(self, order: dict[str, Any]) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(order) + "\n")
        self._process.stdin.flush()

    def answer(self) -> dict[str, Any]:
        return dict(json.loads(self._read_until("{")))

    def _read_until(self, start: str) -> str:
        """The next line that begins so; logs stand between."""
        assert self._process.stdout is not None
        for line in self._process.stdout:
            if line.startswith(start):
                return line
        raise RuntimeError(f"a racer ended with {self._process.wait()}")

    def stop(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait(20)
        assert self._process.stdout is not None
        self._process.stdout.close()


def race(url: str, blobs: Path, rounds: int, code: Path | None = None) -> list[str]:
    """What went wrong, round by round; empty when every round had one winner and every press its answer."""
    stage = Stage(url, blobs)
    racers = [Racer(url, blobs, code) for _ in range(2)]
    try:
        return [wrong for number in range(rounds) if (wrong := _round(stage, racers, number))]
    finally:
        for racer in racers:
            racer.stop()
        stage.close()


def _round(stage: Stage, racers: list[Racer], number: int) -> str:
    """Approve against reject, approve twice, approve against a newer version: in turns, and each side first."""
    routine = f"routine-{number}"
    plan_id = proposed(stage, routine=routine)
    approve = {"press": button_of(stage, plan_id), "verb": "approve", "by": "BOB"}
    against: tuple[dict[str, Any], ...] = (
        {"press": button_of(stage, plan_id, Verb.REJECT), "verb": "reject", "by": "GINA"},
        {**approve, "by": "GINA"},
        {"propose": stage.one("select task_id from plan where id = :p", p=plan_id), "routine": routine, "script": "b"},
    )
    orders = [approve, against[number % 3]]
    at = time.monotonic() + AHEAD_S
    for racer, order in zip(racers, orders if number % 2 else orders[::-1], strict=True):
        racer.go({**order, "at": at})
    answers = [racer.answer() for racer in racers]
    wrong = _wrong(stage, plan_id, answers, is_replaced="propose" in orders[1])
    for left_open in stage.ids("select plan_id from card where state = 'open'"):
        press(stage, left_open, "GINA", Verb.REJECT)  # a channel takes only so many open cards
    return wrong


def _wrong(stage: Stage, plan_id: int, answers: list[dict[str, Any]], *, is_replaced: bool) -> str:
    """Why the round did not end as it must; empty when it did."""
    decided = stage.one("select count(*) from decision where plan_id = :p", p=plan_id)
    written = stage.one(
        "select count(*) from history where kind in ('plan.approve', 'plan.reject') and body ->> 'digest' ="
        " (select digest from plan where id = :p)",
        p=plan_id,
    )
    accepted = sum(answer["accepted"] for answer in answers)
    wanted = {0, 1} if is_replaced else {1}
    is_right = decided in wanted and written == decided and accepted == decided + is_replaced
    is_right = is_right and all(answer["text"] for answer in answers)
    states = stage.rows("select state from card where plan_id = :p", p=plan_id)
    if is_replaced:
        open_cards = stage.one(
            "select count(*) from card join plan on plan.id = plan_id where card.state = 'open' and routine_id ="
            " (select routine_id from plan where id = :p)",
            p=plan_id,
        )
        is_right = is_right and open_cards <= 1 and states != [("open",)]
    return "" if is_right else f"{decided} decisions, {written} entries, card {states}, answers {answers}"
