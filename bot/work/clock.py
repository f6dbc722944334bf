"""What wakes us: APScheduler in memory, one leader by an advisory lock. It decides nothing."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from threading import Event, Lock
from time import monotonic
from typing import Protocol

import httpx
from apscheduler.schedulers.background import BackgroundScheduler
from sqlalchemy import Connection, text
from sqlalchemy.exc import SQLAlchemyError

from bot.domain.ports import Clock
from bot.log import log
from bot.settings import Settings
from bot.store import locks
from bot.store.session import Database
from bot.work.mend import mend
from bot.work.metrics import LAST_TICK, MENDED, RESCUED
from bot.work.ping import Signal, send
from bot.work.queue import Rescue
from bot.work.sweep import arm_due
from bot.work.tidy import queue_daily
from bot.work.waiting import mind_cards

TICK_S = 1.0
# Every so many rounds of rescue (once a minute by default) what has not ended and has no job is looked for.
MEND_ROUNDS = 12
# A clock that has not come round for so long does not mind its slots any more.
QUIET_S = 60.0
PING_S = 60.0


class Leader:
    """Holds the lock on a connection of its own. An optimisation only: two leaders are harmless."""

    def __init__(self, db: Database) -> None:
        self._db = db
        self._connection: Connection | None = None
        self._lock = Lock()

    def is_ours(self) -> bool:
        """True while this process leads; takes the lead when it is free."""
        with self._lock:
            try:
                self._hold()
            except SQLAlchemyError:
                self.release()
            return self._connection is not None

    def _hold(self) -> None:
        if self._connection is not None:
            self._connection.execute(text("select 1"))
            return
        self._connection = self._db.engine.connect().execution_options(isolation_level="AUTOCOMMIT")
        if not self._connection.execute(text("select pg_try_advisory_lock(:lock)"), {"lock": locks.LEADER}).scalar():
            self.release()

    def release(self) -> None:
        if self._connection is not None:
            # Thrown away, not handed back to the pool: the lock must end with it.
            self._connection.invalidate()
            self._connection.close()
            self._connection = None


class Minded(Protocol):
    """Whose slots are minded."""

    def now(self) -> Sequence[Database]:
        """The databases that can be worked in now."""
        ...

    def unminded(self) -> str:
        """Which others cannot be opened, and why; empty where all can."""
        ...


@dataclass(frozen=True)
class One:
    """Of one workspace alone."""

    db: Database

    def now(self) -> Sequence[Database]:
        return [self.db]

    def unminded(self) -> str:
        return ""


class Wakes:
    """Ticks once a second: due slots become rows and jobs; silent workers lose theirs, forgotten slots get new ones."""

    def __init__(self, db: Database, clock: Clock, settings: Settings, minded: Minded | None = None) -> None:
        """Without `minded`, the slots in `db` are."""
        self._minded = minded or One(db)
        self._clock = clock
        self._stalled_after_s = settings.stalled_after_s
        self._leader = Leader(db)
        self._rescues: dict[str, Rescue] = {}
        self._ping_url = settings.ping_url
        self._passed_at = monotonic()
        self.last_tick_at: datetime | None = None

    def serve(self, stop: Event, ready: Callable[[], None]) -> None:
        """Tick until told to stop."""
        scheduler = BackgroundScheduler(timezone=UTC)
        # A late tick is one tick: the rows say what was missed meanwhile.
        lax = {"coalesce": True, "max_instances": 1, "misfire_grace_time": None}
        rescue_s = max(1.0, self._stalled_after_s / 4)
        scheduler.add_job(self._guard(self._tick), "interval", seconds=TICK_S, **lax)
        scheduler.add_job(self._guard(self._rescue_round), "interval", seconds=rescue_s, **lax)
        scheduler.add_job(self._guard(self._mend_round), "interval", seconds=rescue_s * MEND_ROUNDS, **lax)
        if self._ping_url:
            soon = datetime.now(UTC) + timedelta(seconds=2 * TICK_S)
            scheduler.add_job(self._guard(self._ping), "interval", seconds=PING_S, next_run_time=soon, **lax)
            self._send(Signal.START)
        scheduler.start()
        ready()
        stop.wait()
        scheduler.shutdown(wait=True)
        self._leader.release()

    def _tick(self) -> None:
        self._each(self._tick_of)
        self.last_tick_at = datetime.now(UTC)
        LAST_TICK.set(self.last_tick_at.timestamp())

    def _tick_of(self, db: Database) -> None:
        arm_due(db, self._clock)
        mind_cards(db, self._clock)

    def _rescue_round(self) -> None:
        living = {db.url for db in self._minded.now()}
        self._rescues = {url: one for url, one in self._rescues.items() if url in living}
        self._each(self._rescue_in)

    def _rescue_in(self, db: Database) -> None:
        if db.url not in self._rescues:
            self._rescues[db.url] = Rescue(db.url, self._stalled_after_s)
        RESCUED.inc(self._rescues[db.url].round())

    def _mend_round(self) -> None:
        self._each(self._mend_in)

    def _mend_in(self, db: Database) -> None:
        MENDED.inc(mend(db, self._clock))
        with db.transaction() as session:
            queue_daily(session, self._clock.now())

    def _each(self, work: Callable[[Database], None]) -> None:
        """Trouble with one database does not keep the others waiting. Raises the last one's."""
        trouble: Exception | None = None
        for db in self._minded.now():
            try:
                work(db)
            except Exception as error:
                if trouble is not None:
                    log.error("tick_failed", exc_info=trouble)
                trouble = error
        if trouble is not None:
            raise trouble

    def asleep(self) -> str:
        """What is wrong when nothing was done for a minute; empty when ticks come."""
        quiet_s = monotonic() - self._passed_at
        return f"the clock has not ticked for {quiet_s:.0f} s" if quiet_s > QUIET_S else ""

    def _ping(self) -> None:
        """Tell the outside that all slots are minded. It raises the alarm when this stops, whatever the reason."""
        last = self.last_tick_at
        is_fresh = last is not None and (datetime.now(UTC) - last).total_seconds() < QUIET_S
        if unminded := self._minded.unminded():
            log.error("slots_not_minded", why=unminded)
        self._send(Signal.SUCCESS if is_fresh and not unminded else Signal.FAIL)

    def _send(self, signal: Signal) -> None:
        try:
            send(self._ping_url, signal)
        except httpx.HTTPError as error:
            log.warning("ping_failed", why=str(error))

    def _guard(self, work: Callable[[], None]) -> Callable[[], None]:
        """Only the leader works, and a failure is said and tried again at the next tick."""

        def guarded() -> None:
            is_ours = self._leader.is_ours()
            self._passed_at = monotonic()
            if not is_ours:
                return
            try:
                work()
            except Exception:
                log.exception("tick_failed")

        return guarded
