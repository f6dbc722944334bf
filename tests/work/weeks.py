"""A week of clock and workers on a stage where something fails, and what must hold whatever it was."""

from __future__ import annotations

from contextlib import suppress

from procrastinate.exceptions import ConnectorException
from sqlalchemy.exc import DBAPIError

from bot.work import deliver, endings, run, unsure
from bot.work.sweep import arm_due
from tests.approval.hands import REPORT
from tests.approval.stage import Stage

ROUNDS = 12
FAILED = (DBAPIError, ConnectorException)  # as the store says it, and as the queue does


def week(stage: Stage) -> None:
    """What clock and workers do, again and again as the queue has them do it, until nothing waits."""
    parts = stage.worker(0)
    for _ in range(ROUNDS):
        with suppress(*FAILED):
            arm_due(parts.db, stage.time)
        for run_id in stage.ids("select id from run where state in ('queued', 'running') order by id"):
            with suppress(*FAILED):
                if run.claim(parts, run_id) is not None:
                    endings.ended(parts, run_id, REPORT)
        for delivery_id in stage.ids("select id from delivery where state in ('pending', 'sending') order by id"):
            with suppress(*FAILED):
                deliver.deliver(parts, delivery_id)
        for delivery_id in stage.ids("select id from delivery where state = 'unknown'"):
            with suppress(*FAILED):
                unsure.tell(parts, delivery_id)


def verdict(stage: Stage) -> None:
    """The report is there once, by mail too or said to be unknown, and the slot has ended."""
    reports = [key for key, _ in stage.channel.posted if not key.endswith(":unknown")]
    told = [key for key, _ in stage.channel.posted if key.endswith(":unknown")]
    unknown = int(stage.one("select count(*) from delivery where state = 'unknown'"))
    assert (len(reports), len(stage.post.taken)) == (1, 1) or (len(reports) == 1 and unknown == 1), stage.channel.posted
    assert len(stage.post.taken) <= 1
    assert len(told) == unknown
    assert stage.one("select state from slot") == ("unknown" if unknown else "delivered")
