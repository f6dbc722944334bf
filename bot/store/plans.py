"""Queries about routines, versions, cards and presses."""

import secrets
from collections.abc import Mapping
from datetime import datetime
from typing import cast

from sqlalchemy import Text, func
from sqlalchemy import cast as sql_cast
from sqlmodel import Session, col, select

from bot.domain.words import CardState, PlanState, RoutineState, Verb
from bot.store.tables_plans import Card, Decision, Plan, PlanFile, Press, Routine
from library.manifest import Manifest, ManifestError
from library.manifest_text import read_manifest
from library.plan_folder import PlanFolder, PlanFolderError


def folder(session: Session, plan_id: int) -> PlanFolder:
    """The plan's bytes as stored. Raises PlanFolderError when a file is missing."""
    files = session.exec(select(PlanFile).where(PlanFile.plan_id == plan_id))
    return PlanFolder({file.name: bytes(file.body) for file in files})


def manifest(session: Session, plan_id: int) -> Manifest:
    """What the plan states. Raises PlanFolderError and ManifestError where what is stored cannot be read."""
    return read_manifest(folder(session, plan_id).files["plan.toml"])


def readable_manifest(session: Session, plan_id: int) -> Manifest | None:
    """What the plan states; None where what is stored cannot be read, which whoever runs it says."""
    try:
        return manifest(session, plan_id)
    except (PlanFolderError, ManifestError):
        return None


def add_files(session: Session, plan_id: int, files: Mapping[str, bytes]) -> None:
    for name, body in files.items():
        session.add(PlanFile(plan_id=plan_id, name=name, body=body))


def next_version(session: Session, routine_id: int) -> int:
    last = session.exec(select(func.max(Plan.version)).where(Plan.routine_id == routine_id)).one()
    return int(last or 0) + 1


def card_of(session: Session, plan_id: int) -> Card | None:
    return session.exec(select(Card).where(Card.plan_id == plan_id)).first()


def open_cards(session: Session, routine_id: int) -> list[tuple[Card, Plan]]:
    """Cards of this routine that still wait for a decision."""
    found = session.exec(
        select(Card, Plan)
        .where(Card.plan_id == Plan.id)
        .where(Plan.routine_id == routine_id, Plan.state == PlanState.PROPOSED)
    )
    return [(card, plan) for card, plan in found]


def waiting_cards(session: Session, team_id: str) -> list[tuple[Card, Plan, Routine]]:
    """Every card that waits for a decision and stands in its thread, oldest first."""
    found = session.exec(
        select(Card, Plan, Routine)
        .where(Card.plan_id == Plan.id, Plan.routine_id == Routine.id)
        .where(Routine.team_id == team_id, Card.state == CardState.OPEN, Card.message_ts != "")
        .order_by(col(Card.opened_at), col(Card.id))
    )
    return [(card, plan, routine) for card, plan, routine in found]


def routines_of(session: Session, team_id: str) -> list[Routine]:
    """All routines of a workspace: those that run first, then by name."""
    found = session.exec(select(Routine).where(Routine.team_id == team_id).order_by(Routine.name))
    return sorted(found, key=lambda one: (one.state is RoutineState.RETIRED, one.name))


def open_in_channel(session: Session, channel_id: str) -> int:
    """How many cards wait for a decision in a channel."""
    found = select(func.count()).select_from(Card).where(Card.channel_id == channel_id, Card.state == CardState.OPEN)
    return int(session.exec(found).one())


def new_press(
    session: Session,
    verb: Verb,
    *,
    card_id: int | None = None,
    task_id: int | None = None,
    surprise_id: int | None = None,
    delivery_id: int | None = None,
    person_id: str = "",
) -> Press:
    """A button: a random id that is stored before anybody can press it; with `person_id` only theirs counts."""
    press = Press(
        id=secrets.token_urlsafe(18),
        verb=verb,
        card_id=card_id,
        task_id=task_id,
        surprise_id=surprise_id,
        delivery_id=delivery_id,
        person_id=person_id,
    )
    session.add(press)
    session.flush()
    return press


def author_of(session: Session, routine_id: int, plan_py: bytes) -> str:
    """The person who wrote this very script, for whichever routine of the workspace; "" where none did."""
    team_id = select(Routine.team_id).where(Routine.id == routine_id).scalar_subquery()
    found = select(Plan.author_id).where(
        Plan.id == PlanFile.plan_id,
        Plan.routine_id == Routine.id,
        Routine.team_id == team_id,
        Plan.author_id != "",
        PlanFile.name == "plan.py",
        PlanFile.body == plan_py,
    )
    return session.exec(found.order_by(col(Plan.id).desc())).first() or ""


def origin_words(plan: Plan) -> dict[str, str]:
    """What the history says of a proposed version: its bytes, and whose they are."""
    return {"digest": plan.digest, "requester": plan.requester_id, "author": plan.author_id}


def rehearsal_words(session: Session, plan: Plan) -> dict[str, str]:
    """The same of what its card shows besides: preview, hearing, replay, and what it is compared with."""
    digest = func.encode(func.sha256(func.convert_to(sql_cast(Plan.rehearsal, Text), "UTF8")), "hex")
    return {"rehearsal": str(session.exec(select(digest).where(Plan.id == plan.id)).one())}


def presses_of_card(session: Session, card_id: int) -> list[Press]:
    return list(session.exec(select(Press).where(Press.card_id == card_id)))


def presses_of_surprise(session: Session, surprise_id: int) -> list[Press]:
    return list(session.exec(select(Press).where(Press.surprise_id == surprise_id)))


def unused_of_delivery(session: Session, delivery_id: int) -> dict[Verb, str]:
    """The buttons of a delivery while nobody has used one up: their ids by what they do."""
    found = select(Press).where(Press.delivery_id == delivery_id, col(Press.used_at).is_(None))
    return {press.verb: press.id for press in session.exec(found)}


def times_used(session: Session, verb: Verb, delivery_id: int) -> int:
    """How often a button of a delivery was pressed and counted."""
    found = select(func.count()).where(Press.delivery_id == delivery_id, Press.verb == verb, Press.used_by != "")
    return int(session.exec(found).one())


def due_routines(session: Session, now: datetime) -> list[int]:
    """Active routines whose next slot has come."""
    due = select(Routine.id).where(
        Routine.state == RoutineState.ACTIVE,
        col(Routine.next_slot_at).is_not(None),
        col(Routine.next_slot_at) <= now,
    )
    return [known(one) for one in session.exec(due)]


def routine_in(session: Session, team_id: str, channel_id: str, thread_ts: str) -> Routine | None:
    """The routine that speaks in a thread."""
    found = select(Routine).where(
        Routine.team_id == team_id, Routine.channel_id == channel_id, Routine.thread_ts == thread_ts
    )
    return session.exec(found).first()


def open_since(session: Session, moment: datetime) -> list[Card]:
    """Cards that wait for a decision since then or longer, locked, without those that another clock holds."""
    waiting = select(Card).where(Card.state == CardState.OPEN, col(Card.opened_at) <= moment)
    return list(session.exec(waiting.with_for_update(skip_locked=True)))


def decision_on(session: Session, plan_id: int) -> Decision | None:
    """The decision that ended the plan's card, if there is one."""
    return session.exec(select(Decision).where(Decision.plan_id == plan_id).order_by(col(Decision.id).desc())).first()


def approval_of(session: Session, plan_id: int) -> Decision | None:
    return session.exec(select(Decision).where(Decision.plan_id == plan_id, Decision.verb == Verb.APPROVE)).first()


def routine_names(session: Session, team_id: str) -> set[str]:
    return set(session.exec(select(Routine.name).where(Routine.team_id == team_id)))


def current_plans(session: Session, team_id: str, besides: int, *, with_paused: bool) -> list[tuple[str, int]]:
    """Name and current plan of every other routine that runs, or may run again."""
    states = [RoutineState.ACTIVE, *[RoutineState.PAUSED] * with_paused]
    found = select(Routine.name, Routine.current_plan_id).where(
        Routine.team_id == team_id, Routine.id != besides, col(Routine.state).in_(states)
    )
    return [(name, plan_id) for name, plan_id in session.exec(found.order_by(Routine.name)) if plan_id is not None]


def plans_of(session: Session, routine_id: int) -> list[Plan]:
    """All versions of a routine, oldest first."""
    return list(session.exec(select(Plan).where(Plan.routine_id == routine_id).order_by(col(Plan.version))))


def known(row_id: int | None) -> int:
    """The id of a row that was flushed."""
    return cast(int, row_id)
