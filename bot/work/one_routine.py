"""One routine in full, for /standby show: what it does, from what, for whom, under whose approval, and how it went."""

import re

from sqlmodel import Session

from bot.domain.approval import may_read
from bot.domain.overview import PAGES, RoutineView
from bot.domain.people import Person
from bot.domain.slots import moment_words
from bot.store import history, plans
from bot.store.plans import known
from bot.store.tables_plans import Plan, Routine
from bot.work import overview
from bot.work.approval_card import approval_view
from bot.work.decide import ScriptPages
from bot.work.instruct import Refused
from bot.work.own_files import names_of
from bot.work.parts import Parts
from bot.work.plan_pages import plan_files
from library.manifest import ChannelSource

SLOTS = 5


def routine_view(session: Session, parts: Parts, routine: Routine) -> RoutineView:
    """What its current version says of itself, else the last that was proposed."""
    plan = overview.newest_plan(session, routine)
    line = overview.line(session, parts.chat, routine)
    versions = overview.versions(session, parts.chat, routine)
    slots = overview.history(session, routine).slots[:SLOTS]
    card, manifest = plans.card_of(session, known(plan.id)), plans.readable_manifest(session, known(plan.id))
    if card is None or manifest is None:
        return RoutineView(line, versions, slots, asked_by=plan.requester_id, digest=plan.digest)
    said = approval_view(session, parts.settings, card, parts.clock.now())
    decided = said.decision if plan.id == routine.current_plan_id else None
    stands = routine.vouched_by if decided and routine.vouched_by != decided.by else ""
    since = history.newest_at(session, "routine.resume", routine=routine.name, by=stands) if stands else None
    return RoutineView(
        line=line,
        versions=versions,
        slots=slots,
        asked_by=plan.requester_id,
        request=said.request,
        rung=said.rung,
        why=said.why,
        reads=said.reads,
        files=_files(session, plan) if isinstance(manifest.source, ChannelSource) else (),
        next_times=said.next_times if line.next_at else (),
        terms=said.slot_terms,
        checks=tuple((one.name, one.says) for one in said.checks),
        shaped_by=said.shaped_by,
        digest=plan.digest,
        approved_by=decided.by if decided else "",
        approved_at=moment_words(decided.at) if decided else "",
        vouched_by=stands,
        vouched_at=moment_words(since.astimezone(decided.at.tzinfo)) if since and decided else "",
        script_lines=said.script.count("\n"),
    )


def routine_pages(parts: Parts, key: str, person: Person) -> ScriptPages | None:
    """Every byte of a routine's current version, to leaf through; None where the key or the person is another one's.

    Raises Refused for whoever is no member here.
    """
    routine_id = key.removeprefix(PAGES)
    if not key.startswith(PAGES) or not re.fullmatch(r"[0-9]{1,9}", routine_id):
        return None
    with parts.db.transaction() as session:
        routine = session.get(Routine, int(routine_id))
    if routine is None:
        return None
    if why_not := may_read(person, routine.team_id):
        raise Refused(why_not)
    if not overview.is_visible(parts, routine, person):
        return None
    with parts.db.transaction() as session:
        plan = overview.newest_plan(session, routine)
        files = plan_files(session, plan, plans.folder(session, known(plan.id)))
        return ScriptPages(f"{routine.name}, version {plan.version}", files)


def _files(session: Session, plan: Plan) -> tuple[str, ...]:
    """The names that its plan knows; the digits of a date are the ones that change."""
    known_names = sorted(names_of(session, known(plan.id)).sample)
    return tuple(re.sub(r"(?:\[0-9\][-_.]?)*\[0-9\]", "(date)", one) for one in known_names)
