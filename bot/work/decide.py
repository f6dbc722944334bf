"""A press of a button: who may, what it does, and a sentence for whoever pressed. The one way to every decision."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session

from bot.domain.approval import APPROVING, DECIDING, Lists, Shown, may_read, refusal
from bot.domain.people import Person
from bot.domain.ports import MessageRef
from bot.domain.words import CardState, Digest, RoutineState, SaidKind, SurpriseState, Verb
from bot.store import history, plans
from bot.store.guarded import move
from bot.store.plans import known
from bot.store.tables_plans import Card, Decision, Plan, Press, Routine
from bot.store.tables_runs import SurpriseRow
from bot.store.tables_talk import Said, Task
from bot.work.approve import approved, rejected
from bot.work.authority import cast_of, lists_now
from bot.work.confirm import ELSEWHERE, Weaker, ask_again, is_elsewhere, weaker_checks
from bot.work.gated import gate
from bot.work.grant import grant
from bot.work.instruct import INSTRUCTIONS, Instruction, Refused
from bot.work.jobs import Job, enqueue, say
from bot.work.parts import Parts
from bot.work.plan_pages import plan_files
from bot.work.propose import draw
from bot.work.thread import lock_of, place_of
from bot.work.unsure import SETTLING, settle

CARD_AFTER = {
    Verb.APPROVE: CardState.APPROVED,
    Verb.REJECT: CardState.REJECTED,
}
DONE = {
    CardState.APPROVED: "approved",
    CardState.REJECTED: "rejected",
}


ANOTHER = "\nFor another version, say here with a mention of me what should be otherwise."


@dataclass(frozen=True)
class Answer:
    """What the presser is told; every press gets one."""

    text: str
    accepted: bool
    second_press_id: str = ""  # where it counts only once the same person presses this button too


@dataclass(frozen=True)
class ScriptPages:
    """Every file of a plan in full. `approve_press_id` is set for who may approve, `why_not` for everybody else."""

    title: str
    files: tuple[tuple[str, str], ...]
    approve_press_id: str = ""
    why_not: str = ""


def press(parts: Parts, press_id: str, verb: Verb, person: Person, on: MessageRef, reason: str = "") -> Answer:
    """Count one press. Refusals change nothing; an accepted one and all that follows from it is one transaction."""
    now = parts.clock.now()
    lists = lists_now(parts, on.channel_id)
    try:
        with parts.db.transaction() as session:
            row = session.get(Press, press_id, with_for_update=True)
            if row is None or row.verb is not verb:
                return Answer("I do not know this button; nothing was changed. Use the newest card.", False)
            if is_elsewhere(session, row, on):
                return Answer(ELSEWHERE, False)
            done = _act_of(verb)(session, lists, row, person, reason, now)
            return done if isinstance(done, Answer) else Answer(done, True)
    except Refused as refused:
        return Answer(str(refused), False)


def _act_of(verb: Verb) -> Callable[[Session, Lists, Press, Person, str, datetime], str | Answer]:
    if verb in DECIDING:
        return _decide
    if verb in SETTLING:
        return settle
    return grant if verb is Verb.GO_ON else _instruct


def pages(parts: Parts, press_id: str, person: Person) -> ScriptPages | None:
    """The plan behind a Show all button, file by file; None when the button is not known.

    Approve is on the last page for those only who may approve. Raises Refused for whoever is no member here.
    """
    lists = lists_now(parts)
    with parts.db.transaction() as session:
        row = session.get(Press, press_id)
        if row is None or row.card_id is None or row.verb is not Verb.SHOW_ALL:
            return None
        card = session.get_one(Card, row.card_id)
        plan = session.get_one(Plan, card.plan_id)
        if why_not := may_read(person, session.get_one(Routine, plan.routine_id).team_id):
            raise Refused(why_not)
        folder = plans.folder(session, card.plan_id)
        files = plan_files(session, plan, folder)
        return ScriptPages(f"Version {plan.version}", files, *_approve_for(session, lists, card, plan, person))


def _approve_for(session: Session, lists: Lists, card: Card, plan: Plan, person: Person) -> tuple[str, str]:
    """The id of Approve for whoever may press it now; for everybody else none, and the reason."""
    routine = session.get_one(Routine, plan.routine_id)
    shown = _shown(session, card, routine)
    rules = lists.of(routine.channel_id, routine.name)
    if why_not := refusal(Verb.APPROVE, person, cast_of(routine, plan), rules, shown):
        return "", why_not
    return next((p.id for p in plans.presses_of_card(session, known(card.id)) if p.verb is Verb.APPROVE), ""), ""


def _decide(session: Session, lists: Lists, row: Press, person: Person, reason: str, now: datetime) -> str | Answer:
    card = session.get_one(Card, known(row.card_id), with_for_update=True)
    plan = session.get_one(Plan, card.plan_id)
    routine = session.get_one(Routine, plan.routine_id, with_for_update=True)
    folder = plans.folder(session, card.plan_id)
    shown = _shown(session, card, routine)
    cast, rules = cast_of(routine, plan), lists.of(routine.channel_id, routine.name)
    if why_not := refusal(row.verb, person, cast, rules, shown):
        raise Refused(why_not)
    if row.person_id not in ("", person.user_id):
        raise Refused("Only the person who pressed Approve before may confirm it. Nothing was changed.")
    if plans.decision_on(session, card.plan_id) is not None:
        raise Refused("A decision is stored that no press on this card made. Nothing was decided; tell an admin.")
    if refused := gate(folder):
        raise Refused(f"What is stored does not pass the source gate: {'; '.join(refused)}. Nothing was decided.")
    if not history.holds(session, "plan.proposed", plans.rehearsal_words(session, plan), **plans.origin_words(plan)):
        raise Refused("The history does not know this version as it is stored now. Nothing was decided; tell an admin.")
    if row.verb is Verb.ASK_CHANGES:
        return _ask_changes(session, routine, plan, person, reason, now)
    verb = Verb.APPROVE if row.verb in APPROVING else row.verb
    weaker = weaker_checks(session, plan, folder) if verb is Verb.APPROVE else Weaker()
    if weaker and row.verb is Verb.APPROVE:
        return Answer(*_second_look(session, row, person, weaker))
    if not move(session, Card, known(card.id), CardState.OPEN, CARD_AFTER[verb]):
        raise Refused("Somebody decided this a moment before you. Your press changed nothing.")
    row.used_by, row.used_at = person.user_id, now
    is_solo = rules.is_solo and person.user_id in (cast.requester_id, cast.author_id)
    session.add(
        Decision(
            plan_id=card.plan_id,
            card_id=known(card.id),
            verb=verb,
            digest=card.digest,
            person_id=person.user_id,
            person_name=person.name,
            reason=reason,
            is_solo=is_solo,
            decided_at=now,
        )
    )
    body = {"routine": routine.name, "version": plan.version, "digest": card.digest, "by": person.user_id}
    seen = {"without": list(weaker.removed), "loosened": list(weaker.loosened)}
    history.append(session, now, f"plan.{verb}", {**body, "reason": reason, "solo": is_solo, **seen})
    draw(session, known(card.id))
    said = approved(session, routine, plan, folder, now) if verb is Verb.APPROVE else rejected(session, plan)
    because = f" Reason: {reason}" if reason else ""
    then = ANOTHER if verb is Verb.REJECT else ""
    say(session, place_of(routine), f"decision:{card.id}", f"{_said_of(person, said)}{because}{then}")
    return said


def _said_of(person: Person, said: str) -> str:
    """`Approved: version 2 …` as the thread has it: `Bob approved: version 2 …`."""
    done = re.match(r"\w*", said)
    assert done is not None, "it matches nothing at the least"
    return f"{person.name} {done[0].lower()}{said[done.end() :]}"


def _second_look(session: Session, row: Press, person: Person, weaker: Weaker) -> tuple[str, bool, str]:
    words, press_id = ask_again(session, row, person, weaker)
    return words, False, press_id


def _ask_changes(session: Session, routine: Routine, plan: Plan, person: Person, reason: str, now: datetime) -> str:
    """The card stays open until the new version takes its place: what cannot be understood must not end anything."""
    task = session.get_one(Task, known(plan.task_id))
    said = Said(
        task_id=known(task.id),
        channel_id=task.channel_id,
        kind=SaidKind.FORM,
        user_id=person.user_id,
        text=reason,
        said_at=now,
    )
    session.add(said)
    session.flush()
    enqueue(session, Job.REPLY, lock=lock_of(task), said_id=said.id, file_ids=[], is_asked_for=True)
    say(
        session,
        place_of(routine),
        f"said:{said.id}",
        f"{person.name} asks for changes to version {plan.version}: {reason}",
    )
    body = {"routine": routine.name, "version": plan.version, "by": person.user_id, "reason": reason}
    history.append(session, now, "plan.ask_changes", body)
    return "Thank you. I look into it in the thread; this version can still be decided on meanwhile."


def _instruct(session: Session, lists: Lists, row: Press, person: Person, reason: str, now: datetime) -> str:
    surprise = session.get_one(SurpriseRow, known(row.surprise_id), with_for_update=True)
    routine = session.get_one(Routine, surprise.routine_id, with_for_update=True)
    plan = session.get_one(Plan, known(routine.current_plan_id))
    shown = Shown(CardState.OPEN, Digest(plan.digest), Digest(plan.digest))
    rules = lists.of(routine.channel_id, routine.name)
    if why_not := refusal(row.verb, person, cast_of(routine, plan), rules, shown):
        raise Refused(why_not)
    if surprise.state is not SurpriseState.OPEN:
        raise Refused(f"This was answered already: {surprise.answer}. Your press changed nothing.")
    said = INSTRUCTIONS[row.verb](Instruction(session, routine, surprise, plan, person, now))
    row.used_by, row.used_at = person.user_id, now
    body = {"routine": routine.name, "slot": surprise.slot_id, "by": person.user_id, "reason": reason}
    history.append(session, now, f"slot.{row.verb}", body)
    enqueue(session, Job.TELL, surprise_id=surprise.id)
    return said


def _shown(session: Session, card: Card, routine: Routine) -> Shown:
    return Shown(
        card.state,
        Digest(card.digest),
        Digest(plans.folder(session, card.plan_id).digest),
        _decided_words(session, card),
        is_retired=routine.state is RoutineState.RETIRED,
    )


def _decided_words(session: Session, card: Card) -> str:
    decision = plans.decision_on(session, card.plan_id)
    if decision is None:
        return ""
    return f"{DONE.get(card.state, card.state)} by <@{decision.person_id}>"
