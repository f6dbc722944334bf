"""What waits for a job of the queue, and whether that job still exists."""

from sqlalchemy import text
from sqlmodel import Session, col, select

from bot.domain.words import CardState, DeliveryState, RoutineState, SlotState, SurpriseState
from bot.store.plans import known
from bot.store.tables_plans import Card, Routine
from bot.store.tables_runs import Delivery, Slot, SurpriseRow
from bot.store.tables_talk import Post

# Statuses of the queue in which a job will still be worked on.
_ALIVE = "('todo', 'doing')"


def is_queued(session: Session, job: str, key: str, row_id: int) -> bool:
    """Whether a job for this row waits or is under way. Ask after locking the row: a job ends after its row changed."""
    return _count(session, job, key, row_id, _ALIVE) > 0


def times_failed(session: Session, job: str, key: str, row_id: int) -> int:
    """How many jobs for this row the queue has given up."""
    return _count(session, job, key, row_id, "('failed')")


def _count(session: Session, job: str, key: str, row_id: int, statuses: str) -> int:
    found = session.execute(
        text(
            "select count(*) from procrastinate_jobs where task_name = :job and args->>:key = :row_id "
            f"and status in {statuses}"
        ),
        {"job": job, "key": key, "row_id": str(row_id)},
    )
    return int(found.scalar_one())


def unfinished_slots(session: Session) -> list[int]:
    """Slots that have not ended, oldest first."""
    open_states = (SlotState.DUE, SlotState.DELIVERING)
    found = session.exec(select(Slot.id).where(col(Slot.state).in_(open_states)).order_by(col(Slot.id)))
    return [known(one) for one in found]


def untold_surprises(session: Session) -> list[int]:
    """Open questions whose message is not known to stand anywhere, neither in its thread nor with a person."""
    told = select(Post.key).where(
        col(Post.key).startswith("surprise:"),
        (col(Post.key) == text("'surprise:' || surprise.id"))
        | col(Post.key).op("like")(text("'surprise:' || surprise.id || ':%'")),
        Post.ts != "",
    )
    found = session.exec(
        select(SurpriseRow.id).where(SurpriseRow.state == SurpriseState.OPEN, ~told.exists()).order_by(
            col(SurpriseRow.id)
        )
    )  # fmt: skip
    return [known(one) for one in found]


def untold_deliveries(session: Session) -> list[int]:
    """Deliveries that may have been made and of which nobody was told."""
    told = select(Post.key).where(
        col(Post.key).op("like")(text(r"'delivery:' || delivery.key || '\:unknown%'")), Post.ts != ""
    )
    found = select(Delivery.id).where(Delivery.state == DeliveryState.UNKNOWN, ~told.exists())
    return [known(one) for one in session.exec(found.order_by(col(Delivery.id)))]


def unposted_cards(session: Session) -> list[int]:
    """Open cards that nobody can see yet."""
    found = session.exec(select(Card.id).where(Card.state == CardState.OPEN, Card.message_ts == ""))
    return [known(one) for one in found]


def without_next_slot(session: Session) -> list[int]:
    """Active routines that nothing would ever wake."""
    found = session.exec(
        select(Routine.id).where(
            Routine.state == RoutineState.ACTIVE,
            col(Routine.next_slot_at).is_(None),
            col(Routine.current_plan_id).is_not(None),
        )
    )
    return [known(one) for one in found]
