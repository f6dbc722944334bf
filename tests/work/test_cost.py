"""The bill from stored rows: what the conversation cost, beside a loop over what the runs really read."""

from datetime import timedelta

from sqlmodel import Session

from bot.domain.bill_words import glance_words
from bot.domain.conversation import Frozen, MessageCause
from bot.domain.words import RunState
from bot.store import agent as conversations
from bot.store.plans import known
from bot.store.session import Database
from bot.store.tables import Measured, ModelCall, Run, RunInput, Task
from bot.work.cost import bill_of_routine, bills, paid_once
from bot.work.cost_words import every_view, one_view, told
from tests.store import rows

FROZEN = Frozen("claude-sonnet-5-5", "", 8_000, "system", "[]", "planner-1")


def test_a_routine_s_bill_is_what_was_paid_beside_what_a_loop_would_have_read(database: Database) -> None:
    # Given a draft for 8 cents, a halted run whose surprise cost 6, and two quiet weeks of 200 KB
    with database.transaction() as session:
        task = _drafted(session, micro_usd=80_000)
        _called(session, task, MessageCause.SURPRISE, micro_usd=60_000, wake_seq=9)
        plan = rows.a_plan(session, _routine_of(session, task))
        for week, state in enumerate((RunState.REPORTED, RunState.HALTED, RunState.REPORTED)):
            _read(session, rows.a_run(session, plan, rows.NOW + week * rows.WEEK, state))
        _read(session, rows.a_run(session, plan, rows.NOW + 4 * rows.WEEK, RunState.LOST))
        _measured(session, task)

    with database.transaction() as session:
        [(routine, bill)] = bills(session)

    # Then 3 runs count, at 100,000 tokens each: 20 cents for reading, and 1.3 for instructions and an answer
    assert (bill.runs, bill.halted, bill.read_bytes) == (3, 1, 600_000)
    assert bill.paid.micro_usd == 140_000
    assert bill.loop_low == 3 * (200_000 + 13_000)
    assert bill.break_even == 1
    assert glance_words(bill) == ("$0.1400 paid; 3 runs at 0 tokens, for which a loop would have cost at least $0.6390")
    assert every_view([(routine, bill)]).tables[0].rows == (
        (routine.name, "3", "$0.1400", "at least $0.6390", "since run 1"),
    )
    assert "3 runs, 1 of them halted: 0 tokens." in one_view(routine, bill).markdown
    words = told([(routine, bill)])
    assert "Paid: $0.0800 for the draft and $0.0600 for 1 surprise. 3 runs, 1 of them halted: 0 tokens." in words
    assert "The script has been cheaper since run 1." in words
    assert "Workspace T1: paid $0.1400 over 3 runs" in words


def test_a_run_that_halted_on_no_input_names_no_price_of_a_loop(database: Database) -> None:
    with database.transaction() as session:
        task = _drafted(session, micro_usd=80_000)
        run = rows.a_run(session, rows.a_plan(session, _routine_of(session, task)), rows.NOW, RunState.HALTED)
        run.ended_at = rows.NOW
        session.flush()
        _measured(session, task)
        bill = bill_of_routine(session, _routine_of(session, task))

    assert (bill.runs, bill.loop_low) == (0, 0)
    assert glance_words(bill) == "$0.0800 paid for the draft"


def test_a_price_that_nobody_knows_stays_unknown(database: Database) -> None:
    with database.transaction() as session:
        task = _drafted(session, micro_usd=None)
        routine = _routine_of(session, task)
        bill = bill_of_routine(session, routine)

    assert bill.paid.unknown == 1
    assert bill.loop_low is None or not bill.runs
    assert "the price of 1 answer is unknown" in told([(routine, bill)])


def test_what_questions_cost_that_are_no_routine_is_in_the_workspaces_bill(database: Database) -> None:
    with database.transaction() as session:
        _drafted(session, micro_usd=80_000)
        for number, micro_usd in enumerate((30_000, 12_000)):
            asked = rows.a_task(session, thread_ts=f"{number + 2}.0")
            conversations.begin(session, known(asked.id), asked.team_id, FROZEN, rows.NOW)
            _called(session, asked, MessageCause.REQUEST, micro_usd, wake_seq=1)
        rows.a_task(session, thread_ts="9.0")  # answered by the library

    with database.transaction() as session:
        words = told(bills(session), paid_once(session))
        alone = told([], paid_once(session))

    assert words.endswith("Workspace T1: paid $0.0800 over 0 runs; the cheapest loops would have cost at least $0. "
                          "Paid $0.0420 for questions asked once.")  # fmt: skip
    assert alone.endswith("Workspace T1: paid $0.0420 for questions asked once.")


def _drafted(session: Session, micro_usd: int | None) -> Task:
    task = rows.a_task(session)
    task.routine_id = rows.a_routine(session).id
    conversations.begin(session, known(task.id), task.team_id, FROZEN, rows.NOW)
    _called(session, task, MessageCause.REQUEST, micro_usd, wake_seq=1)
    return task


def _routine_of(session: Session, task: Task) -> rows.Routine:
    return session.get_one(rows.Routine, task.routine_id)


def _called(session: Session, task: Task, cause: MessageCause, micro_usd: int | None, wake_seq: int) -> None:
    conversation = conversations.conversation_of(session, known(task.id))
    assert conversation is not None
    call = ModelCall(
        conversation_id=known(conversation.id), team_id="T1", wake_seq=wake_seq, last_seq=wake_seq, cause=cause,
        attempt=1, model=FROZEN.model, price_version="2026-11-30", reserved_tokens=9_000, at=rows.NOW, outcome="ok",
        fresh=9_000, out=900, micro_usd=micro_usd,
    )  # fmt: skip
    session.add(call)
    session.flush()


def _read(session: Session, run: Run) -> None:
    run.ended_at = run.queued_at + timedelta(seconds=3)
    for number in range(2):
        row = RunInput(run_id=known(run.id), name=f"{number}.log", sha256="0" * 64, size_bytes=100_000)
        session.add(row)
    session.flush()


def _measured(session: Session, task: Task) -> None:
    row = Measured(
        task_id=known(task.id), model=FROZEN.model, price_version="2026-11-30", fresh_usd=2.0, out_usd=10.0,
        sample_bytes=6_000, tokens=3_000, at=rows.NOW,
    )  # fmt: skip
    session.add(row)
    session.flush()
