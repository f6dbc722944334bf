"""The n-th write of a week fails, or its connection dies: the report is there once, and everything has ended."""

from __future__ import annotations

from contextlib import suppress

import pytest
from sqlalchemy.exc import DBAPIError

from bot.store.tables import METADATA
from bot.work import deliver, endings, run, unsure
from bot.work.sweep import arm_due
from tests.approval.hands import REPORT, press, proposed
from tests.approval.stage import Stage

COUNT = """
create sequence if not exists writes;
create table if not exists failing (at bigint, kills boolean);
create or replace function fail_here() returns trigger language plpgsql as $$
begin
    if nextval('writes') = (select max(at) from failing) then
        if (select bool_or(kills) from failing) then perform pg_terminate_backend(pg_backend_pid()); end if;
        raise exception 'the disk is full';
    end if;
    return null;
end $$;
"""
TABLES = [*(table.name for table in METADATA.sorted_tables), "procrastinate_jobs"]
ROUNDS = 12


@pytest.fixture
def counted(stage: Stage) -> Stage:
    """A routine that is due, every further write of which is counted."""
    press(stage, proposed(stage))
    stage.tamper(COUNT)
    for table in TABLES:
        stage.tamper(
            f"create or replace trigger fail_here after insert or update on {table}"
            " for each statement execute function fail_here()"
        )
    stage.time.pass_by(days=7)
    return stage


def week(stage: Stage) -> None:
    """What clock and workers do, again and again as the queue has them do it, until nothing waits."""
    parts = stage.worker(0)
    for _ in range(ROUNDS):
        with suppress(DBAPIError):
            arm_due(parts.db, stage.time)
        for run_id in stage.ids("select id from run where state in ('queued', 'running') order by id"):
            with suppress(DBAPIError):
                if run.claim(parts, run_id) is not None:
                    endings.ended(parts, run_id, REPORT)
        for delivery_id in stage.ids("select id from delivery where state in ('pending', 'sending') order by id"):
            with suppress(DBAPIError):
                deliver.deliver(parts, delivery_id)
        for delivery_id in stage.ids("select id from delivery where state = 'unknown'"):
            with suppress(DBAPIError):
                unsure.tell(parts, delivery_id)


def failed_at(stage: Stage, number: int, *, kills: bool) -> bool:
    """A week in which that write fails; false where the week has fewer."""
    stage.tamper("insert into failing values (:n, :k)", n=number, k=kills)
    week(stage)
    return int(stage.one("select last_value from writes")) > number


def verdict(stage: Stage) -> None:
    reports = [key for key, _ in stage.channel.posted if not key.endswith(":unknown")]
    told = [key for key, _ in stage.channel.posted if key.endswith(":unknown")]
    unknown = int(stage.one("select count(*) from delivery where state = 'unknown'"))
    assert (len(reports), len(stage.post.taken)) == (1, 1) or (len(reports) == 1 and unknown == 1), stage.channel.posted
    assert len(told) == unknown
    assert stage.one("select state from slot") == ("unknown" if unknown else "delivered")


def test_an_undisturbed_week_is_delivered(counted: Stage) -> None:
    assert not failed_at(counted, 10_000, kills=False)
    verdict(counted)
    assert len(counted.post.taken) == 1


@pytest.mark.parametrize("number", [2, 9, 17])
@pytest.mark.parametrize("kills", [False, True])
def test_DB_02_whichever_write_fails_the_report_is_there_once(counted: Stage, number: int, kills: bool) -> None:
    assert failed_at(counted, number, kills=kills)
    verdict(counted)


@pytest.mark.slow
@pytest.mark.parametrize("number", range(1, 26))
@pytest.mark.parametrize("kills", [False, True])
def test_every_write_of_a_week_may_fail(counted: Stage, number: int, kills: bool) -> None:
    failed_at(counted, number, kills=kills)
    verdict(counted)
