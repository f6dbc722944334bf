"""The moves that exist; a change of state that is not in these tables is a defect, not a wish."""

from collections.abc import Mapping
from typing import Final

from bot.domain.words import CardState, DeliveryState, RunState, SlotState

CARD: Final[Mapping[CardState, frozenset[CardState]]] = {
    CardState.OPEN: frozenset({CardState.APPROVED, CardState.REJECTED, CardState.REPLACED, CardState.EXPIRED}),
}

RUN: Final[Mapping[RunState, frozenset[RunState]]] = {
    RunState.QUEUED: frozenset({RunState.RUNNING, RunState.FAILED}),
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
}


def slot_after_deliveries(states: frozenset[DeliveryState]) -> SlotState:
    """The state of a slot whose run reported, from the states of all its deliveries."""
    if DeliveryState.PENDING in states or DeliveryState.SENDING in states:
        return SlotState.DELIVERING
    if DeliveryState.UNKNOWN in states:
        return SlotState.UNKNOWN
    if DeliveryState.FAILED in states:
        return SlotState.FAILED
    return SlotState.DELIVERED
