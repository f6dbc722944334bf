"""The slots around every change of every clock, beside an independent walk through the minutes."""

from __future__ import annotations

import random
from datetime import timedelta

import pytest

from bot.domain.slots import Schedule
from tests.domain.transitions import Transition, transitions
from tests.domain.walker import walked, walls

AROUND = timedelta(days=1, hours=6)
FIXED = [
    "0 0 * * *", "30 0 * * *", "0 2,3 * * *", "*/20 1-3 * * *", "17 */6 * * *", "0 * * * *", "15 2 * * sun",
    "0 0 1 * *", "30 2 29-31 * *", "59 23 * * sat,sun", "5 0-23/5 * * mon-fri", "45 1-2 * mar,apr,sep,oct *",
]  # fmt: skip
SAMPLE = 40


def cron_at(change: Transition, draw: random.Random) -> str:
    """A line of whose minutes some lie within what the clock skips or repeats."""
    local = change.at + timedelta(minutes=change.before + draw.randint(-70, 70))
    hours = draw.choice([str(local.hour), f"{local.hour},{(local.hour + 1) % 24}", f"{min(local.hour, 22)}-23"])
    day = draw.choice(["* * *", f"{local.day} * *", f"* * {local:%a}".lower()])
    return f"{local.minute} {hours} {day}"


def differences(change: Transition, seed: int) -> list[str]:
    draw = random.Random(seed)
    minutes = walls(change.zone, change.at - AROUND, change.at + AROUND)
    begin, end = minutes[0][0], minutes[-1][0]
    wrong = []
    for cron in (draw.choice(FIXED), cron_at(change, draw), cron_at(change, draw)):
        made = [one for one in Schedule(cron, change.zone).between(begin, end) if one > begin]
        seen = [one for one in walked(cron, minutes) if one > begin]
        if made != seen:
            wrong.append(f"{cron} in {change.zone} around {change.at}: {sorted(set(made) ^ set(seen))}")
    return wrong


def test_the_world_changes_its_clocks_in_more_than_one_way():
    jumps = {abs(one.jump) for one in transitions()}

    assert {30, 60} <= jumps
    assert len(transitions()) > 500


@pytest.mark.parametrize("number", range(SAMPLE))
def test_slots_around_a_sampled_change_are_those_of_the_walk(number: int):
    every = transitions()
    assert differences(every[number * len(every) // SAMPLE], seed=number) == []


@pytest.mark.slow
def test_slots_around_every_change_are_those_of_the_walk():
    wrong = [line for number, one in enumerate(transitions()) for line in differences(one, seed=number)]
    assert wrong == []
