"""An approval makes a version current; it starts no routine that somebody paused, and revives none that is retired."""

from __future__ import annotations

import pytest

from bot.domain.errors import PlanProblem
from bot.domain.orders import Order, Said
from bot.domain.words import Verb
from bot.work import govern
from bot.work.mend import mend
from bot.work.sweep import arm_due
from bot.work.verify import problems
from sandbox.outcome import Surprised
from tests.approval.hands import finish, next_monday, person, press, proposed, send
from tests.approval.stage import Stage, files


def order(stage: Stage, what: Order) -> str:
    routine_id = stage.one("select min(id) from routine")
    return govern.give(stage.worker(0), routine_id, Said(what), person("ALICE"), f"{what}:{stage.time.now()}").text


def state(stage: Stage) -> tuple[object, ...]:
    """Of the only routine: its state, whether it has a next slot, and the version that is current."""
    query = (
        "select r.state, next_slot_at is not null, p.version from routine r left join plan p on p.id = current_plan_id"
    )
    return stage.rows(query)[0]


def another(stage: Stage, surprise: int | None = None) -> int:
    """A newer version of the only routine, on an open card."""
    task = stage.task(stage.one("select min(id) from task"))
    return stage.propose(task, files("weekly-error-report", "a fix"), "ALICE", "", surprise)


def test_approving_a_newer_version_leaves_a_paused_routine_paused_and_says_how_to_resume(stage: Stage) -> None:
    # Given a routine that was paused while a newer version waits
    press(stage, proposed(stage))
    newer = another(stage)
    order(stage, Order.PAUSE)

    # When a teammate approves the newer version
    answer = press(stage, newer)

    # Then it is current, and the routine stays paused, which the answer says
    assert (answer.accepted, state(stage)) == (True, ("paused", False, 2))
    assert "is paused and stays paused; to start it, reply “resume” with a mention of me" in answer.text
    assert "Next:" not in answer.text

    # And it starts only once somebody resumes it
    stage.time.pass_by(days=14)
    assert arm_due(stage.worker(0).db, stage.time) == 0
    assert order(stage, Order.RESUME).startswith("Resumed.")
    assert finish(stage, next_monday(stage))
    assert stage.one("select plan_id from run") == newer


def test_a_fix_of_a_halted_slot_runs_it_again_also_where_the_routine_was_paused(stage: Stage) -> None:
    # What was due before the pause is no part of it.
    press(stage, proposed(stage))
    run_id = next_monday(stage)
    finish(stage, run_id, Surprised("OddFile", "spectro-07.log is odd", file="spectro-07.log"))
    order(stage, Order.PAUSE)

    answer = press(stage, another(stage, stage.one("select id from surprise")))

    assert answer.text.endswith("What was halted runs again now.")
    assert state(stage) == ("paused", False, 2)
    assert finish(stage, stage.one("select max(id) from run"))
    send(stage)
    assert stage.one("select state from slot") == "delivered"


@pytest.mark.parametrize("verb", [Verb.APPROVE, Verb.ASK_CHANGES])
@pytest.mark.parametrize("card", ["open", "replaced"])
def test_no_card_of_a_retired_routine_counts_and_the_answer_says_to_ask_anew(
    stage: Stage, verb: Verb, card: str
) -> None:
    press(stage, proposed(stage))
    draft = another(stage)
    assert order(stage, Order.RETIRE).startswith("Retired.")
    # a card that stayed open, as one that was proposed at the same moment
    stage.tamper("update card set state = :s where plan_id = :p", s=card, p=draft)
    stage.tamper("update plan set state = :s where id = :p", s="proposed" if card == "open" else card, p=draft)

    answer = press(stage, draft, verb=verb)

    assert not answer.accepted
    assert "This routine was retired" in answer.text
    assert "ask for it anew" in answer.text
    assert state(stage)[0] == "retired"


def test_a_retired_routine_gets_no_new_version(stage: Stage) -> None:
    press(stage, proposed(stage))
    order(stage, Order.RETIRE)

    with pytest.raises(PlanProblem, match="was retired, so it gets no new version"):
        another(stage)

    assert problems(stage.behind) == []


def test_a_version_without_a_schedule_ends_the_slots_of_the_one_before(stage: Stage) -> None:
    press(stage, proposed(stage))
    made = files("weekly-error-report", "only when asked")
    head, _, rest = made["plan.toml"].partition(b"[schedule]")
    made["plan.toml"] = head + rest[rest.index(b"[") :]
    task = stage.task(stage.one("select min(id) from task"))

    answer = press(stage, stage.propose(task, made, "ALICE", "", None))

    assert "Next:" not in answer.text
    assert state(stage) == ("active", False, 2)
    mend(stage.worker(0).db, stage.time)
    assert order(stage, Order.NEXT).startswith("weekly-error-report is active. <@ALICE>")
    assert order(stage, Order.RUN_NOW).startswith("It runs now over the files posted since")
    assert finish(stage, stage.one("select max(id) from run"))
