"""Slots are claimed once, and what came before is what a slot is compared with."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy.exc import IntegrityError
from sqlmodel import Session

from bot.domain.words import Cause, RunState, SlotState, SurpriseState
from bot.store import runs
from bot.store.plans import known
from bot.store.session import Database
from bot.store.tables import Delivery, Plan, Run, RunInput, Slot, SurpriseRow
from tests.store.rows import NOW, WEEK, a_plan, a_routine, a_run


def a_surprise(session: Session, plan: Plan, run: Run, state: SurpriseState = SurpriseState.OPEN) -> SurpriseRow:
    row = SurpriseRow(
        routine_id=plan.routine_id, slot_id=run.slot_id, run_id=known(run.id), cause=Cause.SURPRISE, name="OddFile",
        fingerprint="OddFile spectro-07.log", state=state, said_at=NOW,
    )  # fmt: skip
    session.add(row)
    session.flush()
    return row


def test_of_many_clocks_that_wake_for_a_slot_one_makes_it(database: Database):
    with database.transaction() as session:
        routine_id = known(a_routine(session).id)

    def wake(_: int) -> int | None:
        with database.transaction() as session:
            return runs.claim_slot(session, routine_id, NOW, NOW - WEEK, SlotState.DUE)

    with ThreadPoolExecutor(6) as pool:
        made = [slot_id for slot_id in pool.map(wake, range(12)) if slot_id is not None]

    assert len(made) == 1
    with database.transaction() as session:
        slot = session.get_one(Slot, made[0])
        assert (slot.due_at, slot.since, slot.state) == (NOW, NOW - WEEK, SlotState.DUE)


def test_a_slot_may_begin_as_skipped_with_its_reason(database: Database):
    with database.transaction() as session:
        slot_id = runs.claim_slot(session, known(a_routine(session).id), NOW, NOW - WEEK, SlotState.SKIPPED, "too late")
        assert session.get_one(Slot, slot_id).reason == "too late"


def test_another_routine_has_its_own_slot_at_the_same_moment(database: Database):
    with database.transaction() as session:
        ids = [known(a_routine(session, name).id) for name in ("one", "two")]
        assert all(runs.claim_slot(session, one, NOW, NOW - WEEK, SlotState.DUE) for one in ids)


def test_a_slot_shows_its_latest_run(database: Database):
    with database.transaction() as session:
        plan = a_plan(session, a_routine(session))
        first = a_run(session, plan, NOW, RunState.HALTED)
        second = runs.queue_run(session, first.slot_id, known(plan.id), NOW)

        assert runs.last_run(session, first.slot_id) is second


def test_a_slot_is_compared_with_earlier_ones_that_reported_newest_first(database: Database):
    with database.transaction() as session:
        plan = a_plan(session, a_routine(session))
        for weeks, state in [
            (5, RunState.REPORTED), (4, RunState.HALTED), (3, RunState.REPORTED), (2, RunState.FAILED),
            (1, RunState.REPORTED), (0, RunState.REPORTED), (-1, RunState.REPORTED),
        ]:  # fmt: skip
            a_run(session, plan, NOW - weeks * WEEK, state)
        other = a_plan(session, a_routine(session, "other"))
        a_run(session, other, NOW - WEEK, RunState.REPORTED)

        before = runs.reported_before(session, plan.routine_id, NOW, 10)
        assert [(NOW - slot.due_at) // WEEK for slot, _ in before] == [1, 3, 5]
        assert [slot.due_at for slot, _ in runs.reported_before(session, plan.routine_id, NOW, 1)] == [NOW - WEEK]


def test_a_slot_that_was_rerun_counts_once_with_its_latest_report(database: Database):
    with database.transaction() as session:
        plan = a_plan(session, a_routine(session))
        first = a_run(session, plan, NOW - WEEK, RunState.REPORTED)
        again = runs.queue_run(session, first.slot_id, known(plan.id), NOW)
        again.state = RunState.REPORTED
        session.flush()

        assert [run for _, run in runs.reported_before(session, plan.routine_id, NOW, 10)] == [again]


def test_inputs_are_listed_by_name(database: Database):
    with database.transaction() as session:
        run = a_run(session, a_plan(session, a_routine(session)), NOW)
        for name in ("b.log", "a.log"):
            session.add(RunInput(run_id=known(run.id), name=name, sha256="0" * 64, size_bytes=3_000_000_000))
        session.flush()
        assert [(one.name, one.size_bytes) for one in runs.inputs_of(session, known(run.id))] == [
            ("a.log", 3_000_000_000), ("b.log", 3_000_000_000),
        ]  # fmt: skip


def test_the_open_question_about_the_same_thing_is_found_and_an_answered_one_is_not(database: Database):
    with database.transaction() as session:
        plan = a_plan(session, a_routine(session))
        a_surprise(session, plan, a_run(session, plan, NOW - WEEK), SurpriseState.ANSWERED)
        waiting = a_surprise(session, plan, a_run(session, plan, NOW))

        assert runs.open_surprise(session, plan.routine_id, "OddFile spectro-07.log") is waiting
        assert runs.open_surprise(session, plan.routine_id, "OddFile spectro-08.log") is None
        assert runs.open_surprises(session, plan.routine_id) == [waiting]


def test_slots_that_wait_for_an_answer_come_oldest_first(database: Database):
    with database.transaction() as session:
        plan = a_plan(session, a_routine(session))
        later, earlier = (a_run(session, plan, NOW - weeks * WEEK) for weeks in (0, 1))
        surprise = a_surprise(session, plan, later)
        for run in (later, earlier):
            session.get_one(Slot, run.slot_id).surprise_id = surprise.id
        session.flush()
        assert [slot.due_at for slot in runs.slots_waiting_for(session, known(surprise.id))] == [NOW - WEEK, NOW]


def test_a_slots_report_goes_to_a_destination_once(database: Database):
    with database.transaction() as session:
        run = a_run(session, a_plan(session, a_routine(session)), NOW)
        slot_id, run_id = run.slot_id, known(run.id)
        for destination in ("channel:C1", "email:lab list"):
            session.add(Delivery(slot_id=slot_id, run_id=run_id, destination=destination))
        session.flush()
        assert [one.destination for one in runs.deliveries_of(session, slot_id)] == ["channel:C1", "email:lab list"]

    with pytest.raises(IntegrityError), database.transaction() as session:
        session.add(Delivery(slot_id=slot_id, run_id=run_id, destination="channel:C1"))
