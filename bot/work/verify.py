"""Everything that is stored, checked again: bytes against cards, decisions and runs, and all of it against history."""

import json
from collections.abc import Iterator

from sqlmodel import Session, col, select

from bot.domain.words import RunState, Verb
from bot.store import history, plans
from bot.store.plans import known
from bot.store.seal import Seal
from bot.store.session import Database
from bot.store.tables_plans import Card, Decision, Plan, Routine
from bot.store.tables_runs import Run
from bot.work.gated import gate
from library.manifest import ManifestError
from library.manifest_text import read_manifest
from library.plan_folder import PlanFolderError, short

BROKEN = "The history breaks at entry {}: it was changed, or one before it was taken out."


def problems(db: Database) -> list[str]:
    """What is wrong with what is stored, each in a sentence; empty means that all of it holds."""
    with db.transaction() as session:
        found = [*_of_chain(session, db.seal)]
        for plan in session.exec(select(Plan).order_by(col(Plan.id))):
            found += _of_plan(session, plan)
        for routine in session.exec(select(Routine).order_by(col(Routine.id))):
            found += _of_routine(session, routine)
        found += _of_entries(session)
    return found


def audit_lines(db: Database) -> Iterator[str]:
    """The whole history, one JSON object a line, with the hashes that bind each entry to the one before."""
    with db.transaction() as session:
        for entry in history.entries(session):
            yield json.dumps(
                {
                    "id": entry.id,
                    "at": entry.at.isoformat(),
                    "kind": entry.kind,
                    "body": entry.body,
                    "previous": entry.previous,
                    "hash": entry.hash,
                    "seal": entry.seal,
                },
                sort_keys=True,
            )


def newest_problems(db: Database, most: int = 1_000) -> list[str]:
    """A short look: whether the newest entries of the history follow from each other and bear our seal."""
    with db.transaction() as session:
        newest = history.newest_entries(session, most)
        previous = newest[0].previous if newest else history.GENESIS
        found = list(history.head_problems(newest, db.seal))
        if (broken := history.first_break(newest, previous)) is not None:
            found.append(BROKEN.format(broken))
        if db.seal.key and (wrong := [one.id for one in newest if not db.seal.fits(one.hash, one.seal)]):
            found.append(f"Entry {wrong[0]} of the history bears no seal of Standby's.")
    return found


def _of_chain(session: Session, seal: Seal) -> Iterator[str]:
    whole = history.entries(session)
    broken = history.first_break(whole)
    if broken is not None:
        yield BROKEN.format(broken)
    yield from history.seal_problems(whole, seal)


def _of_plan(session: Session, plan: Plan) -> Iterator[str]:
    """One version: its bytes, its card, what was decided about it, and what ran of it."""
    which = _name(session, plan)
    try:
        folder = plans.folder(session, known(plan.id))
        read_manifest(folder.files["plan.toml"])
    except (PlanFolderError, ManifestError) as broken:
        yield f"{which}: its files cannot be read. {broken}"
        return
    digest = folder.digest
    if digest != plan.digest:
        yield f"{which}: its files have the digest {short(digest)}, its row says {short(plan.digest)}."
    for problem in gate(folder):
        yield f"{which}: it does not pass the source gate: {problem}."
    if not history.holds(session, "plan.proposed", plans.rehearsal_words(session, plan), **plans.origin_words(plan)):
        yield f"{which}: the history knows no proposal of it with this digest, requester, author and rehearsal."
    card = plans.card_of(session, known(plan.id))
    if card is not None and card.digest != digest:
        yield f"{which}: its card showed {short(card.digest)}, its files have {short(digest)}."
    for decision in session.exec(select(Decision).where(Decision.plan_id == plan.id)):
        yield from _of_decision(session, which, plan, card, decision, digest)
    for run in session.exec(select(Run).where(Run.plan_id == plan.id).order_by(col(Run.id))):
        yield from _of_run(session, which, run, digest)


def _of_decision(
    session: Session, which: str, plan: Plan, card: Card | None, decision: Decision, digest: str
) -> Iterator[str]:
    if decision.digest != digest:
        yield f"{which}: the {decision.verb} was about {short(decision.digest)}, its files have {short(digest)}."
    if card is None or decision.card_id != card.id:
        yield f"{which}: the {decision.verb} was made on a card of another version."
    said = {"digest": decision.digest, "by": decision.person_id, "solo": str(decision.is_solo).lower()}
    if not history.holds(session, f"plan.{decision.verb}", **said):
        yield f"{which}: the history knows no {decision.verb} by {decision.person_id}."
    is_own = decision.person_id in (plan.requester_id, plan.author_id)
    if decision.verb is Verb.APPROVE and is_own and not decision.is_solo:
        yield f"{which}: {decision.person_id} approved it and had asked for or written it."


def _of_run(session: Session, which: str, run: Run, digest: str) -> Iterator[str]:
    if run.state is RunState.QUEUED or not run.digest:
        return  # it was refused before anything ran, or has not begun
    if run.digest != digest:
        yield f"{which}: run {run.id} ran {short(run.digest)}, its files have {short(digest)}."
    if plans.approval_of(session, run.plan_id) is None:
        yield f"{which}: run {run.id} ran although nobody had approved this version."
    ended = {"run": str(run.id), "digest": run.digest}
    if run.state is not RunState.RUNNING and not history.holds(session, f"run.{run.state}", **ended):
        yield f"{which}: the history knows no end of run {run.id} as {run.state}."


def _of_routine(session: Session, routine: Routine) -> Iterator[str]:
    if routine.current_plan_id is None:
        return
    plan = session.get(Plan, routine.current_plan_id)
    if plan is None or plan.routine_id != routine.id:
        yield f"{routine.name}: its current version belongs to another routine."
    elif plans.approval_of(session, known(plan.id)) is None:
        yield f"{routine.name}: nobody approved version {plan.version}, which is current."


def _of_entries(session: Session) -> Iterator[str]:
    """Approvals that were written down and are not stored any more."""
    stored = {(one.digest, one.person_id) for one in session.exec(select(Decision))}
    for entry in history.entries(session):
        if entry.kind not in ("plan.approve", "plan.reject"):
            continue
        if (entry.body.get("digest"), entry.body.get("by")) not in stored:
            yield f"Entry {entry.id} of the history tells of a {entry.kind[5:]} that is stored nowhere."


def _name(session: Session, plan: Plan) -> str:
    routine = session.get(Routine, plan.routine_id)
    return f"{routine.name if routine else 'A routine that is gone'}, version {plan.version}"
