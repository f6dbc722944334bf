"""The moves between states: what has ended stays ended, and nothing is left hanging."""

from collections.abc import Mapping
from enum import StrEnum
from itertools import combinations_with_replacement, product

import pytest

from bot.domain import states
from bot.domain.states import slot_after_deliveries
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

TABLES: dict[type[StrEnum], Mapping[StrEnum, frozenset[StrEnum]]] = {
    TaskState: states.TASK,
    RoutineState: states.ROUTINE,
    PlanState: states.PLAN,
    SurpriseState: states.SURPRISE,
    CardState: states.CARD,
    RunState: states.RUN,
    SlotState: states.SLOT,
    DeliveryState: states.DELIVERY,
}  # type: ignore[dict-item] # each table is keyed by its own enum
BEGINS: dict[type[StrEnum], StrEnum] = {
    TaskState: TaskState.NEW,
    RoutineState: RoutineState.DRAFT,
    PlanState: PlanState.DRAFT,
    SurpriseState: SurpriseState.OPEN,
    CardState: CardState.OPEN,
    RunState: RunState.QUEUED,
    SlotState: SlotState.DUE,
    DeliveryState: DeliveryState.PENDING,
}
ENDS = {
    RoutineState: {RoutineState.RETIRED},
    PlanState: {PlanState.APPROVED, PlanState.REJECTED, PlanState.REPLACED, PlanState.EXPIRED},
    SurpriseState: {SurpriseState.ANSWERED},
    CardState: {CardState.APPROVED, CardState.REJECTED, CardState.REPLACED, CardState.EXPIRED},
    RunState: {RunState.REPORTED, RunState.HALTED, RunState.FAILED, RunState.LOST},
    SlotState: {SlotState.DELIVERED, SlotState.SKIPPED},
    DeliveryState: {DeliveryState.SENT},  # what failed for certain, or nobody can know of, may be offered again
}


def reachable(kind: type[StrEnum], start: StrEnum) -> set[StrEnum]:
    seen, waiting = {start}, [start]
    while waiting:
        for following in TABLES[kind].get(waiting.pop(), frozenset()) - seen:
            seen.add(following)
            waiting.append(following)
    return seen


@pytest.mark.parametrize("kind", TABLES)
def test_every_state_can_be_reached_from_the_first(kind: type[StrEnum]):
    assert reachable(kind, BEGINS[kind]) == set(kind)


@pytest.mark.parametrize("kind", ENDS)
def test_nothing_leads_out_of_an_end_and_every_state_has_a_way_to_one(kind: type[StrEnum]):
    for state in kind:
        assert (state in TABLES[kind]) == (state not in ENDS[kind])
        assert reachable(kind, state) & ENDS[kind]


@pytest.mark.parametrize(("old", "new"), list(product(RoutineState, repeat=2)))
def test_only_a_resumption_or_a_first_approval_makes_a_routine_active(old: RoutineState, new: RoutineState):
    if states.may_move(old, new):
        assert old is not RoutineState.RETIRED
        assert new is not RoutineState.ACTIVE or old in (RoutineState.DRAFT, RoutineState.PAUSED)


def test_a_move_between_two_kinds_of_state_is_none():
    assert not states.may_move(SlotState.DUE, RunState.FAILED)
    assert states.before(RunState.FAILED) == (RunState.QUEUED, RunState.RUNNING)


def test_what_halted_or_failed_is_delivered_only_by_a_new_run():
    for state in (SlotState.HALTED, SlotState.FAILED, SlotState.BLOCKED):
        assert states.SLOT[state] == {SlotState.DUE, SlotState.SKIPPED}


def test_a_delivery_is_claimed_before_it_can_be_sent():
    assert DeliveryState.SENT not in states.DELIVERY[DeliveryState.PENDING]


@pytest.mark.parametrize(
    ("deliveries", "slot"),
    [
        ({"sent"}, SlotState.DELIVERED),
        ({"sent", "failed"}, SlotState.FAILED),
        ({"sent", "unknown"}, SlotState.UNKNOWN),
        ({"failed", "unknown"}, SlotState.UNKNOWN),
        ({"sent", "pending"}, SlotState.DELIVERING),
        ({"unknown", "sending"}, SlotState.DELIVERING),
        (set(), SlotState.DELIVERED),
    ],
)
def test_a_slot_ends_as_its_deliveries_did(deliveries: set[str], slot: SlotState):
    assert slot_after_deliveries(frozenset(map(DeliveryState, deliveries))) is slot


@pytest.mark.parametrize("ended", list(combinations_with_replacement(DeliveryState, 3)))
def test_delivered_means_that_every_destination_has_it(ended: tuple[DeliveryState, ...]):
    is_delivered = slot_after_deliveries(frozenset(ended)) is SlotState.DELIVERED
    assert is_delivered == (set(ended) == {DeliveryState.SENT})
