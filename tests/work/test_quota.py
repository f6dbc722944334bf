"""A flood of requests is refused in plain words, and what was begun before it goes on."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from bot.work import intake
from bot.work.intake import Said
from bot.work.parts import Parts
from tests.approval.outside import LAB, TEAM
from tests.approval.stage import Stage
from tests.work.queued import waiting


def ask(stage: Stage, number: int, at: datetime, by: str = "ALICE", channel: str = LAB, **most: int) -> None:
    worker = stage.worker(0)
    settings = worker.settings.model_copy(update=most)
    ts = f"{at.timestamp() + number / 1000:.6f}"
    said = Said(TEAM, channel, ts, ts, by, "every Monday", (), is_mention=True, event_id=f"E{channel}{by}{ts}")
    intake.take(Parts(worker.db, worker.chat, worker.clock, settings), said)


def begun(stage: Stage) -> int:
    assert int(stage.one("select count(*) from task")) == [name for name, _ in waiting(stage.behind)].count("draft")
    return int(stage.one("select count(*) from task"))


def refusals(stage: Stage) -> dict[str, str]:
    """By key, as each is posted once."""
    return {args["key"]: args["text"] for name, args in waiting(stage.behind) if name == "say"}


def test_OP_02_of_a_hundred_requests_of_one_person_some_are_taken_and_one_refusal_is_said(stage: Stage) -> None:
    now = stage.time.at
    for number in range(100):
        ask(stage, number, now)

    assert begun(stage) == 30
    (text,) = refusals(stage).values()
    assert "at most 30 requests an hour from one person" in text and "Ask again in 1 hour" in text

    # Others are not kept waiting by it, and an hour later the same person may ask again
    ask(stage, 101, now, by="BOB")
    ask(stage, 102, now + timedelta(minutes=61))
    assert begun(stage) == 32


@pytest.mark.parametrize(("most", "taken"), [(5, 5), (0, 12)])
def test_OP_02_a_channel_has_a_measure_of_its_own(stage: Stage, most: int, taken: int) -> None:
    for number in range(12):
        ask(stage, number, stage.time.at, by=f"U{number % 6}", requests_in_channel=most)
    ask(stage, 50, stage.time.at, channel="C0OTHER0001", requests_in_channel=most)

    assert begun(stage) == taken + 1
    assert len(refusals(stage)) == (1 if most else 0)
