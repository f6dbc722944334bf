"""What has not ended and has no job any more gets one, or ends and is told; what has one is left alone."""

from bot.domain.words import Cause, DeliveryState, RunState, SlotState, SurpriseState
from bot.store import runs
from bot.store.plans import known
from bot.store.session import Database
from bot.store.tables import Delivery, Post, Run, Slot, SurpriseRow
from bot.work import endings, run
from bot.work.mend import FAILURES, mend
from tests.approval.hands import finish, next_monday, press, proposed
from tests.approval.stage import Stage
from tests.store.rows import NOW, a_plan, a_routine, a_run
from tests.work.conftest import SetClock
from tests.work.queued import jobs_fail, jobs_vanish, waiting


def a_slot_with(database: Database, state: RunState, attempt: int = 1) -> tuple[int, int]:
    """Ids of a due slot and of its only run."""
    with database.transaction() as session:
        run = a_run(session, a_plan(session, a_routine(session)), NOW, state)
        run.attempt = attempt
        return run.slot_id, known(run.id)


def test_a_due_slot_whose_job_is_gone_gets_one_and_no_second(database: Database, clock: SetClock):
    _, run_id = a_slot_with(database, RunState.QUEUED)

    assert [mend(database, clock) for _ in range(3)] == [1, 0, 0]
    assert waiting(database) == [("run", {"run_id": run_id})]


def test_a_run_under_way_whose_job_is_gone_comes_back_to_a_runner(database: Database, clock: SetClock):
    _, run_id = a_slot_with(database, RunState.RUNNING)

    mend(database, clock)

    assert waiting(database) == [("run", {"run_id": run_id})]


def test_a_slot_without_a_run_that_could_end_it_gets_a_new_one(database: Database, clock: SetClock):
    slot_id, lost_id = a_slot_with(database, RunState.LOST)

    mend(database, clock)

    with database.transaction() as session:
        newest = runs.last_run(session, slot_id)
        assert newest is not None
        assert (newest.state, newest.attempt, newest.id != lost_id) == (RunState.QUEUED, 2, True)
    assert waiting(database) == [("run", {"run_id": known(newest.id)})]


def test_a_slot_whose_attempts_are_used_up_fails_and_is_told(database: Database, clock: SetClock):
    slot_id, _ = a_slot_with(database, RunState.LOST, attempt=3)

    mend(database, clock)

    with database.transaction() as session:
        assert session.get_one(Slot, slot_id).state is SlotState.FAILED
    assert [name for name, _ in waiting(database)] == ["tell"]


def test_a_run_whose_job_always_fails_ends_and_is_told(database: Database, clock: SetClock):
    slot_id, run_id = a_slot_with(database, RunState.QUEUED)

    for _ in range(FAILURES):
        mend(database, clock)
        jobs_fail(database)
    mend(database, clock)

    with database.transaction() as session:
        slot = session.get_one(Slot, slot_id)
        assert (slot.state, session.get_one(Run, run_id).state) == (SlotState.FAILED, RunState.FAILED)
        assert "stopped trying" in slot.reason
    assert [name for name, _ in waiting(database)] == ["tell"]
    assert mend(database, clock) == 0


def test_a_delivery_whose_job_is_gone_gets_one(database: Database, clock: SetClock):
    slot_id, run_id = a_slot_with(database, RunState.REPORTED)
    with database.transaction() as session:
        session.get_one(Slot, slot_id).state = SlotState.DELIVERING
        for number, state in enumerate((DeliveryState.PENDING, DeliveryState.SENDING, DeliveryState.SENT)):
            session.add(Delivery(slot_id=slot_id, run_id=run_id, destination=f"channel:C{number}", state=state))

    assert [mend(database, clock), mend(database, clock)] == [1, 0]
    assert [name for name, _ in waiting(database)] == ["deliver", "deliver"]


def test_a_slot_whose_deliveries_all_ended_ends(database: Database, clock: SetClock):
    slot_id, run_id = a_slot_with(database, RunState.REPORTED)
    with database.transaction() as session:
        session.get_one(Slot, slot_id).state = SlotState.DELIVERING
        session.add(Delivery(slot_id=slot_id, run_id=run_id, destination="email:x", state=DeliveryState.UNKNOWN))

    mend(database, clock)

    with database.transaction() as session:
        assert session.get_one(Slot, slot_id).state is SlotState.UNKNOWN


def test_an_open_question_that_stands_nowhere_is_told_again(database: Database, clock: SetClock):
    slot_id, run_id = a_slot_with(database, RunState.HALTED)
    with database.transaction() as session:
        slot = session.get_one(Slot, slot_id)
        slot.state = SlotState.HALTED
        question = SurpriseRow(
            routine_id=slot.routine_id, slot_id=slot_id, run_id=run_id, cause=Cause.SURPRISE, name="OddFile",
            fingerprint="OddFile:", state=SurpriseState.OPEN, said_at=NOW,
        )  # fmt: skip
        session.add(question)
        session.flush()
        post = Post(key=f"surprise:{question.id}", team_id="T1", channel_id="C1", thread_ts="1.0", claimed_at=NOW)
        session.add(post)

    assert [mend(database, clock), mend(database, clock)] == [1, 0]
    assert waiting(database) == [("tell", {"surprise_id": known(question.id)})]

    jobs_vanish(database)
    with database.transaction() as session:
        session.get_one(Post, post.key).ts = "2.0"
    assert mend(database, clock) == 0


def test_a_run_that_finds_no_free_box_waits_and_is_no_attempt_the_poorer(stage: Stage) -> None:
    press(stage, proposed(stage))
    run_id = next_monday(stage)
    assert run.claim(stage.worker(0), run_id) is not None

    endings.no_box(stage.worker(0), run_id)

    assert stage.rows("select state, attempt from run") == [("queued", 1)]
    assert [args for name, args in waiting(stage.behind) if name == "run"][-1] == {"run_id": run_id}
    assert finish(stage, run_id)
