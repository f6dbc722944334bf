"""A database that is restored from last month delivers nothing a second time."""

from __future__ import annotations

from bot.store.tables import METADATA
from bot.work.sweep import arm_due
from tests.approval.hands import finish, next_monday, press, proposed, send
from tests.approval.stage import Stage
from tests.work.queued import waiting

TABLES = [*(table.name for table in METADATA.sorted_tables), "procrastinate_jobs"]


def back_up(stage: Stage) -> None:
    stage.tamper("drop schema if exists aside cascade")
    stage.tamper("create schema aside")
    for table in TABLES:
        stage.tamper(f"create table aside.{table} as select * from {table}")


def restore(stage: Stage) -> None:
    stage.tamper("delete from procrastinate_events")
    for table in reversed(TABLES):
        stage.tamper(f"delete from {table}")
    for table in TABLES:
        columns = ", ".join(_columns(stage, table))
        stage.tamper(f"insert into {table} ({columns}) select {columns} from aside.{table}")
    stage.tamper("drop schema aside cascade")


def _columns(stage: Stage, table: str) -> list[str]:
    """As pg_dump has them: what the database works out itself is not put back."""
    query = (
        "select column_name from information_schema.columns"
        " where table_schema = current_schema and table_name = :t and is_generated = 'NEVER'"
    )
    return [f'"{name}"' for (name,) in stage.rows(query, t=table)]


def test_DB_03_a_restored_old_database_delivers_nothing_again(stage: Stage) -> None:
    # Given a routine, a copy of the database, and five Mondays after it
    press(stage, proposed(stage))
    back_up(stage)
    for _ in range(5):
        assert finish(stage, next_monday(stage))
        send(stage)
    assert (len(stage.channel.posted), len(stage.post.taken)) == (5, 5)

    # When the copy takes the place of the database, and its clock finds the last Monday within the window
    restore(stage)
    arm_due(stage.worker(0).db, stage.time)
    assert finish(stage, int(stage.one("select max(id) from run")))
    send(stage)

    # Then nothing went out again: the post was found, and of the mail a person is asked
    assert (len(stage.channel.posted), len(stage.post.taken)) == (5, 5)
    assert sorted(state for (state,) in stage.rows("select state from delivery")) == ["sent", "unknown"]
    assert "unsure" in [name for name, _ in waiting(stage.behind)]
    assert stage.one("select count(*) from slot where state = 'skipped'") == 4
