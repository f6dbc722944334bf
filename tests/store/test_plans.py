"""Versions, their bytes, and who decided on them."""

from datetime import timedelta

import pytest
from sqlalchemy.exc import IntegrityError
from sqlmodel import Session

from bot.domain.words import CardState, PlanState, Verb
from bot.store import plans
from bot.store.plans import known
from bot.store.session import Database
from bot.store.tables import Card, Decision, Plan, Press
from library.plan_folder import PlanFolder, PlanFolderError
from tests.store.rows import NOW, a_plan, a_routine

FILES = {
    "plan.py": b"x = 1\n", "report.md": b"# R\xc3\xa9sum\xc3\xa9\n", "plan.toml": b"\x00\xff any bytes",
    "resume.md": b"", "shape.json": b"{}", "box.json": b"{}",
}  # fmt: skip


def a_card(session: Session, plan: Plan) -> Card:
    card = Card(plan_id=known(plan.id), digest=plan.digest, channel_id="C1", thread_ts="1.0", opened_at=NOW)
    session.add(card)
    session.flush()
    return card


def decide(session: Session, plan: Plan, card: Card, verb: Verb, by: str) -> None:
    session.add(
        Decision(
            plan_id=known(plan.id), card_id=known(card.id), verb=verb, digest=plan.digest, person_id=by,
            decided_at=NOW + timedelta(seconds=1),
        )
    )  # fmt: skip
    session.flush()


def test_a_plan_is_stored_byte_for_byte(database: Database):
    with database.transaction() as session:
        plan_id = known(a_plan(session, a_routine(session)).id)
        plans.add_files(session, plan_id, FILES)

    with database.transaction() as session:
        assert plans.folder(session, plan_id).digest == PlanFolder(FILES).digest


def test_a_plan_with_a_file_missing_is_no_plan(database: Database):
    with database.transaction() as session:
        plan_id = known(a_plan(session, a_routine(session)).id)
        plans.add_files(session, plan_id, {name: body for name, body in FILES.items() if name != "plan.toml"})
        session.flush()
        with pytest.raises(PlanFolderError):
            plans.folder(session, plan_id)


def test_versions_count_up_within_a_routine(database: Database):
    with database.transaction() as session:
        first, second = a_routine(session, "one"), a_routine(session, "two")
        assert plans.next_version(session, known(first.id)) == 1
        a_plan(session, first, 1)
        a_plan(session, first, 2)
        assert plans.next_version(session, known(first.id)) == 3
        assert plans.next_version(session, known(second.id)) == 1
        assert [plan.version for plan in plans.plans_of(session, known(first.id))] == [1, 2]


def test_a_version_number_is_given_once(database: Database):
    with pytest.raises(IntegrityError), database.transaction() as session:
        routine = a_routine(session)
        a_plan(session, routine, 1)
        a_plan(session, routine, 1)


def test_a_routines_name_is_its_own_within_a_workspace(database: Database):
    with pytest.raises(IntegrityError), database.transaction() as session:
        a_routine(session, "weekly")
        a_routine(session, "weekly")


def test_names_taken_are_those_of_this_workspace(database: Database):
    with database.transaction() as session:
        a_routine(session, "weekly")
        a_routine(session, "monthly").team_id = "T2"
        session.flush()
        assert plans.routine_names(session, "T1") == {"weekly"}


def test_open_cards_are_those_that_wait_for_a_decision(database: Database):
    with database.transaction() as session:
        routine = a_routine(session)
        waiting = a_plan(session, routine, 1, PlanState.PROPOSED)
        decided = a_plan(session, routine, 2, PlanState.REJECTED)
        card, _ = a_card(session, waiting), a_card(session, decided)

        assert plans.open_cards(session, known(routine.id)) == [(card, waiting)]
        assert plans.card_of(session, known(waiting.id)) is card


def test_a_plan_has_one_card(database: Database):
    with pytest.raises(IntegrityError), database.transaction() as session:
        plan = a_plan(session, a_routine(session))
        a_card(session, plan)
        a_card(session, plan)


def test_a_plan_is_approved_once_whatever_else_goes_wrong(database: Database):
    with pytest.raises(IntegrityError, match="one_approval_per_plan"), database.transaction() as session:
        plan = a_plan(session, a_routine(session))
        card = a_card(session, plan)
        decide(session, plan, card, Verb.APPROVE, "BOB")
        decide(session, plan, card, Verb.APPROVE, "GINA")


def test_who_approved_is_found_and_a_rejection_is_no_approval(database: Database):
    with database.transaction() as session:
        routine = a_routine(session)
        approved, rejected = a_plan(session, routine, 1), a_plan(session, routine, 2)
        decide(session, approved, a_card(session, approved), Verb.APPROVE, "BOB")
        decide(session, rejected, a_card(session, rejected), Verb.REJECT, "GINA")

        approval = plans.approval_of(session, known(approved.id))
        assert approval is not None and approval.person_id == "BOB"
        assert plans.approval_of(session, known(rejected.id)) is None
        decision = plans.decision_on(session, known(rejected.id))
        assert decision is not None and decision.verb is Verb.REJECT


def test_a_button_cannot_be_guessed_and_knows_what_it_is_for(database: Database):
    with database.transaction() as session:
        card = a_card(session, a_plan(session, a_routine(session)))
        made = [plans.new_press(session, verb, card_id=known(card.id)) for verb in (Verb.APPROVE, Verb.REJECT)]

    with database.transaction() as session:
        assert len({press.id for press in made}) == 2
        assert all(len(press.id) >= 24 for press in made)
        assert session.get_one(Press, made[0].id).verb is Verb.APPROVE
        assert {press.id for press in plans.presses_of_card(session, known(card.id))} == {press.id for press in made}


def test_a_new_card_is_open_until_somebody_decides(database: Database):
    with database.transaction() as session:
        assert a_card(session, a_plan(session, a_routine(session))).state is CardState.OPEN
