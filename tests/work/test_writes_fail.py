"""The n-th write of a week fails, or its connection dies: the report is there once, and everything has ended."""

from __future__ import annotations

import pytest

from bot.store.tables import METADATA
from tests.approval.hands import press, proposed
from tests.approval.stage import Stage
from tests.work.weeks import verdict, week

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


def failed_at(stage: Stage, number: int, *, kills: bool) -> bool:
    """A week in which that write fails; false where the week has fewer."""
    stage.tamper("insert into failing values (:n, :k)", n=number, k=kills)
    week(stage)
    return int(stage.one("select last_value from writes")) > number


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
