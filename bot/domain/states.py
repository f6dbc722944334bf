"""The moves that exist; a change of state that is not in these tables is a defect, not a wish."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any, Final, TypeVar

from bot.domain.words import (
    CardState,
    DeliveryState,
    PlanState,
    RoutineState,
    RunState,
    SlotState,
    SurpriseState,
    TaskState,
)

S = TypeVar("S", bound=StrEnum)

TASK: Final[Mapping[TaskState, frozenset[TaskState]]] = {
    TaskState.NEW: frozenset({TaskState.ASKING, TaskState.PROPOSED, TaskState.ANSWERED, TaskState.STUCK}),
    # another question may take the place of one that is open; stuck where the request was taken back
    TaskState.ASKING: frozenset({TaskState.NEW, TaskState.PROPOSED, TaskState.ASKING, TaskState.STUCK}),
    TaskState.PROPOSED: frozenset({TaskState.NEW, TaskState.ASKING}),
    TaskState.ANSWERED: frozenset({TaskState.NEW, TaskState.ASKING}),
    TaskState.STUCK: frozenset({TaskState.NEW, TaskState.ASKING}),
}

ROUTINE: Final[Mapping[RoutineState, frozenset[RoutineState]]] = {
    RoutineState.DRAFT: frozenset({RoutineState.ACTIVE, RoutineState.RETIRED}),
    RoutineState.ACTIVE: frozenset({RoutineState.PAUSED, RoutineState.RETIRED}),
    RoutineState.PAUSED: frozenset({RoutineState.ACTIVE, RoutineState.RETIRED}),
}

PLAN: Final[Mapping[PlanState, frozenset[PlanState]]] = {
    PlanState.DRAFT: frozenset({PlanState.PROPOSED}),
    PlanState.PROPOSED: frozenset({PlanState.APPROVED, PlanState.REJECTED, PlanState.REPLACED, PlanState.EXPIRED}),
}

SURPRISE: Final[Mapping[SurpriseState, frozenset[SurpriseState]]] = {
    SurpriseState.OPEN: frozenset({SurpriseState.ANSWERED}),
}

CARD: Final[Mapping[CardState, frozenset[CardState]]] = {
    CardState.OPEN: frozenset({CardState.APPROVED, CardState.REJECTED, CardState.REPLACED, CardState.EXPIRED}),
}

RUN: Final[Mapping[RunState, frozenset[RunState]]] = {
    RunState.QUEUED: frozenset({RunState.RUNNING, RunState.FAILED, RunState.HALTED}),
    # back to queued where the provider of boxes had none free
    RunState.RUNNING: frozenset({RunState.REPORTED, RunState.HALTED, RunState.FAILED, RunState.LOST, RunState.QUEUED}),
}

SLOT: Final[Mapping[SlotState, frozenset[SlotState]]] = {
    SlotState.DUE: frozenset(
        {
            SlotState.DELIVERING,
            SlotState.HALTED,
            SlotState.FAILED,
            SlotState.BLOCKED,
            SlotState.SKIPPED,
            SlotState.DELIVERED,
        }
    ),
    SlotState.DELIVERING: frozenset({SlotState.DELIVERED, SlotState.FAILED, SlotState.UNKNOWN}),
    # only a new run leads out of these
    SlotState.HALTED: frozenset({SlotState.DUE, SlotState.SKIPPED}),
    SlotState.FAILED: frozenset({SlotState.DUE, SlotState.SKIPPED}),
    SlotState.BLOCKED: frozenset({SlotState.DUE, SlotState.SKIPPED}),
    # only a person, who sends again or says that it arrived
    SlotState.UNKNOWN: frozenset({SlotState.DELIVERING}),
}

DELIVERY: Final[Mapping[DeliveryState, frozenset[DeliveryState]]] = {
    DeliveryState.PENDING: frozenset({DeliveryState.SENDING, DeliveryState.FAILED, DeliveryState.UNKNOWN}),
    DeliveryState.SENDING: frozenset(
        {DeliveryState.SENT, DeliveryState.FAILED, DeliveryState.UNKNOWN, DeliveryState.PENDING}
    ),
    DeliveryState.UNKNOWN: frozenset({DeliveryState.PENDING, DeliveryState.SENT}),
    # what was refused for certain is offered again by a rerun
    DeliveryState.FAILED: frozenset({DeliveryState.PENDING}),
}

_MOVES: Final[Mapping[type[StrEnum], Mapping[Any, frozenset[Any]]]] = {
    TaskState: TASK,
    RoutineState: ROUTINE,
    PlanState: PLAN,
    SurpriseState: SURPRISE,
    CardState: CARD,
    RunState: RUN,
    SlotState: SLOT,
    DeliveryState: DELIVERY,
}


def may_move(old: StrEnum, new: StrEnum) -> bool:
    """Whether the tables know this move."""
    return type(old) is type(new) and new in _MOVES[type(old)].get(old, frozenset())


def before(new: S) -> tuple[S, ...]:
    """The states that lead to `new`."""
    return tuple(old for old in type(new) if may_move(old, new))


def slot_after_deliveries(states: frozenset[DeliveryState]) -> SlotState:
    """The state of a slot whose run reported, from the states of all its deliveries."""
    if DeliveryState.PENDING in states or DeliveryState.SENDING in states:
        return SlotState.DELIVERING
    if DeliveryState.UNKNOWN in states:
        return SlotState.UNKNOWN
    if DeliveryState.FAILED in states:
        return SlotState.FAILED
    return SlotState.DELIVERED
