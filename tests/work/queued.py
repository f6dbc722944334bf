"""The queue as a test sees it: which jobs wait for which row."""

from typing import Any

from sqlalchemy import text

from bot.store.session import Database


def waiting(database: Database) -> list[tuple[str, dict[str, Any]]]:
    """Name and arguments of every job that waits, oldest first."""
    with database.transaction() as session:
        found = session.execute(
            text("select task_name, args from procrastinate_jobs where status = 'todo' order by id")
        )
        return [(str(name), dict(args)) for name, args in found]


def jobs_vanish(database: Database) -> None:
    """What waits is gone without having been worked on."""
    with database.transaction() as session:
        session.execute(text("delete from procrastinate_jobs"))


def jobs_fail(database: Database) -> None:
    """What waits was given up by the queue."""
    with database.transaction() as session:
        session.execute(text("update procrastinate_jobs set status = 'doing' where status = 'todo'"))
        session.execute(text("update procrastinate_jobs set status = 'failed' where status = 'doing'"))
