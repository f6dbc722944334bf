"""Holds a process at one exact write, from outside: a gate in the database stops it there, and then it is killed."""

from __future__ import annotations

import time
from dataclasses import dataclass

import psycopg

from bot.store.session import libpq_url
from tests.bench.bench import Wrong

LOCK = 7305_0999  # held by us for as long as gates are there; a process at a gate waits for it
WITHIN_S = 60.0
# moment -> the write at which it is, and of which rows.
MOMENTS = {
    "keeping": ("message", "insert", "new.cause::text = 'model'"),  # the answer came, and is not kept yet
    "beginning": ("tool_run", "insert", "true"),
    "writing": ("draft_file", "insert or update", "true"),  # write_file, in its effect
    "proposing": ("proposal", "insert", "true"),  # schedule, in its effect
    "ending": ("tool_run", "update", "true"),  # the effect is there, its result is not kept yet
    "answering": ("message", "insert", "new.cause::text = 'tools'"),  # results are kept, not said to the model yet
}
GATE = f"""
create table bench_hold (moment text, tool text);
create function bench_gate() returns trigger language plpgsql as $$ begin
  if exists (select from bench_hold h where h.moment = tg_argv[0]
             and (h.tool = '' or h.tool = coalesce(to_jsonb(new) ->> 'name', ''))) then
    perform pg_advisory_lock({LOCK});
  end if;
  return new;
end $$;
"""


class NeverHeld(Wrong):
    """No process came to the gate."""


@dataclass
class Gates:
    """Gates in one database. At most one is closed at a time."""

    connection: psycopg.Connection[tuple[object, ...]]

    @classmethod
    def built(cls, url: str) -> Gates:
        connection = psycopg.connect(libpq_url(url), autocommit=True)
        connection.execute(GATE)
        for moment, (table, write, rows) in MOMENTS.items():
            connection.execute(
                f"create trigger bench_{moment} before {write} on {table} for each row when ({rows}) "
                f"execute function bench_gate('{moment}')"
            )
        connection.execute("select pg_advisory_lock(%s)", (LOCK,))
        return cls(connection)

    def close(self, moment: str, tool: str) -> None:
        """Whoever comes to this moment from now on is held, before anything of it is committed."""
        self.connection.execute("delete from bench_hold")
        of = tool if MOMENTS[moment][0] == "tool_run" else ""  # no other row knows its tool
        self.connection.execute("insert into bench_hold values (%s, %s)", (moment, of))

    def wait(self) -> None:
        """Until somebody is held. Raises NeverHeld."""
        deadline = time.monotonic() + WITHIN_S
        while not self._held():
            if time.monotonic() > deadline:
                raise NeverHeld(f"nobody came to {self.connection.execute('select * from bench_hold').fetchall()}")
            time.sleep(0.02)

    def open(self) -> None:
        """Open the gate. The writes of a process that was killed at it are rolled back, as if never sent."""
        self.connection.execute("delete from bench_hold")
        for pid in self._held():
            self.connection.execute("select pg_terminate_backend(%s)", (pid,))

    def _held(self) -> list[object]:
        waiting = (
            "select pid from pg_locks where locktype = 'advisory' and not granted and objid = %s "
            "and database = (select oid from pg_database where datname = current_database())"
        )
        return [row[0] for row in self.connection.execute(waiting, (LOCK,))]
