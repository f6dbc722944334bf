"""Standby's own decision and run code on a real database, with two workers, and hands that reach behind its back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

from sqlalchemy import text

from bot.domain.words import TaskState, Verb
from bot.settings import Settings
from bot.store.blobs import Blobs
from bot.store.plans import new_press
from bot.store.seal import Seal
from bot.store.session import Database
from bot.store.tables import METADATA
from bot.store.tables_talk import Task
from bot.work.parts import JobParts
from bot.work.propose import Draft, propose
from library.plan_folder import PlanFolder, digest_of
from sandbox.client import Boxes
from tests.approval.outside import LAB, TEAM, Channel, Post, Time
from tests.slack.proposals import MANIFEST, REHEARSAL

SEAL = Seal(b"a key that no row of the database holds")
APPROVERS = ("BOB", "GINA")
EMAIL = '\n[[destinations]]\nkind = "email"\nname = "lab list"\naddresses = ["lab@example.org"]\n\n[[checks]]'

# A crash: whoever touches the armed table loses the transaction, or the whole connection.
CRASH = """
create table if not exists crash (at text, kills boolean);
create or replace function crash_here() returns trigger language plpgsql as $$
begin
    if exists (select 1 from crash where at = tg_table_name) then
        if (select bool_or(kills) from crash) then perform pg_terminate_backend(pg_backend_pid()); end if;
        raise exception 'the process ended here';
    end if;
    return null;
end $$;
"""
CRASH_AT = ("card", "decision", "history", "run", "slot", "delivery", "routine", "procrastinate_jobs")


class NoBoxes:
    """The machine plays the box itself: it is told what would run, and says what came of it."""


class Stage:
    """One database, two workers on it with connections of their own, and the outside."""

    def __init__(self, url: str, folder: Path) -> None:
        self.forged = 0  # entries that somebody put into the history
        self.time, self.channel, self.post = Time(), Channel(), Post()
        self.databases = [Database(url, pool_size=1, seal=SEAL) for _ in range(2)]
        self.behind = Database(url, pool_size=1, seal=SEAL)
        self._blobs = Blobs(str(folder))
        if self.one("select to_regclass('crash')") is None:  # once for a database, however many lives it sees
            self._execute(CRASH)
            for table in CRASH_AT:
                self._execute(
                    f"create or replace trigger crash_here after insert or update on {table}"
                    " for each statement execute function crash_here()"
                )
        self._clear()

    def close(self) -> None:
        for database in (*self.databases, self.behind):
            database.close()

    def worker(
        self,
        number: int,
        *,
        approvers: tuple[str, ...] = APPROVERS,
        solo: bool = False,
        of: Mapping[str, tuple[str, ...]] | None = None,
    ) -> JobParts:
        """`of` are lists of places of their own."""
        lists = {"approvers": approvers, "solo": solo, "approvers_of": of or {}}
        settings = Settings.load({}).model_copy(update=lists)
        boxes = cast("Boxes", NoBoxes())
        return JobParts(self.databases[number], self.channel, self.time, settings, boxes, self._blobs, self.post)

    def new_task(self, thread_ts: str) -> Task:
        with self.behind.transaction() as session:
            task = Task(
                team_id=TEAM, channel_id=LAB, thread_ts=thread_ts, requester_id="ALICE", request="every Monday",
                state=TaskState.NEW, asked_at=self.time.now(),
            )  # fmt: skip
            session.add(task)
        return task

    def task(self, task_id: int) -> Task:
        with self.behind.transaction() as session:
            return session.get_one(Task, task_id)

    def propose(
        self,
        task: Task,
        files: dict[str, bytes],
        requester: str,
        author: str,
        surprise: int | None,
        change_from: int | None = None,
    ) -> int:
        """The id of the plan that was proposed; `change_from` is the plan that it was drafted from."""
        rehearsal = replace(REHEARSAL, change_from=change_from)
        draft = Draft(PlanFolder(files), rehearsal, requester, author, surprise_id=surprise)
        with self.behind.transaction() as session:
            task = session.get_one(Task, task.id)  # as it is by now
        propose(self.worker(0), task, draft)
        return int(self.one("select max(id) from plan"))

    def button_of_surprise(self, surprise_id: int, verb: Verb) -> str:
        """The button of that verb on the message that tells of a surprise."""
        with self.behind.transaction() as session:
            return new_press(session, verb, surprise_id=surprise_id).id

    def digest(self, plan_id: int) -> str:
        """The digest of a plan's files as they are stored now."""
        found = self.rows("select name, body from plan_file where plan_id = :p", p=plan_id)
        return digest_of({name: bytes(body) for name, body in found})

    def one(self, query: str, **values: Any) -> Any:
        return self.rows(query, **values)[0][0]

    def rows(self, query: str, **values: Any) -> list[tuple[Any, ...]]:
        with self.behind.engine.begin() as connection:
            return [tuple(row) for row in connection.execute(text(query), values)]

    def ids(self, query: str, **values: Any) -> list[int]:
        return [int(row[0]) for row in self.rows(query, **values)]

    def tamper(self, statement: str, **values: Any) -> None:
        """What somebody could do who owns the database: no rule of it holds them."""
        with self.behind.engine.begin() as connection:
            connection.execute(text("set local session_replication_role = replica"))
            connection.execute(text(statement), values)

    def arm_crash(self, at: str, *, kills: bool) -> None:
        self._execute(f"insert into crash values ('{at}', {kills})")

    def disarm(self) -> None:
        self._execute("delete from crash")

    def _execute(self, statement: str) -> None:
        with self.behind.engine.begin() as connection:
            connection.exec_driver_sql(statement)

    def _clear(self) -> None:
        names = [table.name for table in METADATA.sorted_tables]
        statements = "; ".join(f"delete from {name}" for name in [*names, "procrastinate_events", "procrastinate_jobs"])
        self._execute(f"set session_replication_role = replica; {statements}; delete from crash; reset all")


def files(routine: str, script: str) -> dict[str, bytes]:
    """A plan folder that every gate lets pass."""
    manifest = MANIFEST.replace("weekly-error-report", routine).replace("\n[[checks]]", EMAIL)
    return {
        "plan.py": f"# {script}\n".encode(),
        "plan.toml": manifest.encode(),
        "report.md": b"{errors} errors\n",
        "resume.md": b"OddFile\n",
        "shape.json": b"{}\n",
        "box.json": b"{}\n",
    }
