"""A check of the queue: jobs that were given up, and jobs that nobody takes."""

from __future__ import annotations

import psycopg

from bot.processes.checks import TIMEOUT_S, Finding
from bot.settings import Settings
from bot.store.session import libpq_url

FAILED_WITHIN = "1 day"  # failed jobs are never removed; older ones were seen
WAITING_S = 120  # a worker asks for jobs every second; a busy one takes a minute for its longest
NAMED = 3

# The last event of a job says when it failed, or since when it waits.
_AT = "(SELECT max(at) FROM procrastinate_events WHERE job_id = procrastinate_jobs.id)"
_FAILED = f"""SELECT task_name FROM procrastinate_jobs WHERE status = 'failed'
    AND {_AT} > now() - interval '{FAILED_WITHIN}' ORDER BY {_AT} DESC, id DESC"""
_WAITING = f"""SELECT task_name FROM procrastinate_jobs WHERE status = 'todo'
    AND coalesce(scheduled_at, {_AT}) < now() - interval '{WAITING_S} s' ORDER BY id DESC"""

Row = tuple[str]


def queue(settings: Settings) -> Finding:
    """Whether the jobs of the last day were done, and somebody takes those that are due."""
    if not settings.database_url:
        return Finding("queue", True, "not looked at: without a database server of its own it is open only in `up`")
    try:
        with psycopg.connect(libpq_url(settings.database_url), connect_timeout=int(TIMEOUT_S)) as connection:
            failed = [str(row[0]) for row in connection.execute(_FAILED)]
            waiting = [str(row[0]) for row in connection.execute(_WAITING)]
    except psycopg.Error as error:
        said = str(error).strip().splitlines()[0]
        return Finding("queue", False, f"cannot be read: {said}", "See the line on the database.")
    if failed:
        todo = "The logs of agent and runner say why each failed; what it was about stands in its thread."
        return Finding("queue", False, _counted(failed, "failed in the last day"), todo)
    if waiting:
        todo = "Start what works on them: `standby agent` and `standby runner` (or `uv run standby up`)."
        return Finding("queue", False, _counted(waiting, f"waiting for more than {WAITING_S // 60} minutes"), todo)
    return Finding("queue", True, "no job failed in the last day, and none waits for long")


def _counted(names: list[str], how: str) -> str:
    newest = ", ".join(names[:NAMED]) + (", …" if len(names) > NAMED else "")
    return f"{len(names)} {'job' if len(names) == 1 else 'jobs'} {how} (newest: {newest})"
