"""Standby was removed from the workspace: its routines pause, with the reason, until somebody resumes them."""

from datetime import datetime

from sqlmodel import col, select

from bot.domain.words import RoutineState
from bot.store import history
from bot.store.guarded import move
from bot.store.plans import known
from bot.store.session import Database
from bot.store.tables_plans import Routine

WHY = {
    "app_uninstalled": "the app was uninstalled from the workspace",
    "tokens_revoked": "the app's token was revoked",
}


def pause_all(db: Database, kind: str, now: datetime) -> int:
    """Pause every active routine, once; how many that were. Nobody can be told there: nothing can be posted."""
    with db.transaction() as session:
        paused = 0
        for routine in session.exec(
            select(Routine).where(Routine.state == RoutineState.ACTIVE).order_by(col(Routine.id))
        ):
            if move(session, Routine, known(routine.id), RoutineState.ACTIVE, RoutineState.PAUSED, next_slot_at=None):
                history.append(session, now, "routine.paused", {"routine": routine.name, "reason": WHY[kind]})
                paused += 1
    return paused
