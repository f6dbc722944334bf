"""The card of a plan, computed from its stored bytes and its rehearsal; never from what its author says of it."""

from datetime import UTC, datetime, tzinfo
from zoneinfo import ZoneInfo

from sqlmodel import Session

from bot.domain.bill_words import card_words
from bot.domain.facts import mixed_letters, of_script
from bot.domain.leaving_out import not_expecting
from bot.domain.loosened import Loosened, loosened
from bot.domain.slot_terms import term_sentences
from bot.domain.slots import next_times, schedule_of, slot_words
from bot.domain.source_words import source_words
from bot.domain.unread_words import above
from bot.domain.views import (
    ApprovalView,
    Button,
    Change,
    CheckLine,
    DecisionWords,
    HearingView,
    Kept,
)
from bot.domain.words import CardState, RoutineState, Verb
from bot.settings import Settings
from bot.store import plans, talk
from bot.store.plans import known
from bot.store.tables_plans import Card, Plan, Routine
from bot.store.tables_talk import Task
from bot.work.cost import bill_of_draft
from bot.work.own_files import sharing
from bot.work.rehearsal import Rehearsal, asked_in
from bot.work.reports import report_view
from bot.work.saw import saw_of_task
from bot.work.seriousness import worst_first
from bot.work.version_diff import diff_words
from library.manifest import ChannelDestination, EmailDestination, Manifest
from library.manifest_text import read_manifest
from library.plan_folder import PlanFolder
from library.toml_text import toml_text
from sandbox.hearing import Ear, Hearing, Verdict

ORDER = (Verb.APPROVE, Verb.REJECT, Verb.ASK_CHANGES, Verb.SHOW_ALL, Verb.MOVE, Verb.SHOW_SENT)
# What each verdict of the hearing test means, as the pages say it.
TRIED = {
    Verdict.DEAF: "Would not notice",
    Verdict.BROKE: "Would stop without saying why",
    Verdict.HEARD: "Notices",
    Verdict.UNMOVED: "The report stays right",
}
ENDED = {
    CardState.APPROVED: "Approved",
    CardState.REJECTED: "Rejected",
    CardState.REPLACED: "Replaced by a newer version",
    CardState.EXPIRED: "Expired: nobody decided in time",
}


def approval_view(session: Session, settings: Settings, card: Card, now: datetime) -> ApprovalView:
    """The card as it stands now. Raises PlanFolderError or ManifestError when what is stored cannot be read."""
    plan = session.get_one(Plan, card.plan_id)
    routine = session.get_one(Routine, plan.routine_id)
    folder = plans.folder(session, card.plan_id)
    manifest = read_manifest(folder.files["plan.toml"])
    script = folder.files["plan.py"].decode()
    facts, parameters = of_script(script), toml_text(manifest.parameters).strip()
    rehearsal = Rehearsal.read(plan.rehearsal)
    task = session.get(Task, plan.task_id) if plan.task_id else None
    return ApprovalView(
        routine=routine.name,
        title=manifest.title,
        version=plan.version,
        digest=card.digest,
        rung=manifest.rung,
        why=manifest.why,
        request=request_of(session, task, plan),
        not_read=above(rehearsal.not_read or ()),
        shaped_by=tuple(plan.guides),
        asked_by=plan.requester_id,
        author=plan.author_id,
        reads=f"{_reads(manifest, now)}{_without(manifest)}",
        sends=sends(manifest),
        schedule=_schedule(manifest),
        next_times=_next(manifest, now),
        slot_terms=term_sentences(manifest.schedule, now) if manifest.schedule else (),
        checks=_checks(manifest, facts.check_names),
        imports=facts.imports,
        unclear=facts.unclear,
        letters=tuple(dict.fromkeys([*facts.letters, *mixed_letters(parameters)])),
        kept=tuple(Kept(one.name, int(one.count), one.unit) for one in rehearsal.report.intermediates),
        sample_words=_looked_at(session, task, rehearsal),
        bill=card_words(bill_of_draft(session, task)),
        hearing=hearing_view(rehearsal.hearing),
        surprise=f"{manifest.surprise.name}: {manifest.surprise.why}",
        first_message=folder.files["resume.md"].decode().strip(),
        preview=report_view(manifest.title, rehearsal.report),
        script=script,
        parameters=parameters,
        notes=_notes(session, settings, routine, folder),
        change=change_of(session, plan, folder),
        answer=plan.answer,
        buttons=_buttons(session, card),
        decision=_decision(session, card, routine, _zone(manifest)),
    )


def hearing_view(hearing: Hearing | None) -> HearingView | None:
    """In words people understand; several files with one deafness are one line."""
    if hearing is None:
        return None
    return HearingView(
        fit=hearing.fit,
        well=hearing.well,
        alone=hearing.alone,
        deaf=tuple(dict.fromkeys(ear.says for ear in worst_first(hearing.deaf))),
        broke=tuple(dict.fromkeys(ear.says for ear in worst_first(hearing.broke))),
        never_fired=hearing.never_fired,
        not_tried=len(hearing.not_tried),
        problem=hearing.problem,
    )


def hearing_words(hearing: Hearing | None) -> str:
    """All that was tried, line by line, for the pages; empty where there was no hearing test."""
    if hearing is None or hearing.problem:
        return hearing.problem if hearing else ""
    groups = ((words, worst_first(ear for ear in hearing.ears if ear.guarded is one)) for one, words in TRIED.items())
    lines = [f"{words}: {ear.says} ({ear.file}){_guarded(ear)}" for words, ears in groups for ear in ears]
    untried = [f"There was no time to try: {one}" for one in hearing.not_tried]
    copes = f"{hearing.fit} ways in which these files could change were tried; it copes with {hearing.well}."
    return "\n".join([copes, "", *lines, *untried, ""])


def _guarded(ear: Ear) -> str:
    """Where the script itself would not have noticed."""
    return "" if ear.alone is ear.guarded else "; Standby's look at the files does, not the script"


def sends(manifest: Manifest) -> tuple[str, ...]:
    """Every destination with what its name meant when the plan was made."""
    return tuple(
        f"<#{one.channel}>" if isinstance(one, ChannelDestination) else _mail_words(one)
        for one in manifest.destinations
    )


def _reads(manifest: Manifest, now: datetime) -> str:
    schedule = schedule_of(manifest)
    due_at = next(iter(next_times(schedule, now)), None) if schedule else None
    since = schedule.before(due_at) if schedule and due_at else None
    return source_words(manifest.source, due_at=due_at, since=since, zone=schedule.zone if schedule else "UTC")


def _without(manifest: Manifest) -> str:
    return f", without {', '.join(manifest.only.leave_out)}" if manifest.only else ""


def _mail_words(one: EmailDestination) -> str:
    addresses = ", ".join(one.addresses)
    return addresses if addresses == one.name else f"{one.name}: {addresses}"


def _schedule(manifest: Manifest) -> str:
    schedule = schedule_of(manifest)
    if manifest.only is not None:
        due_at = datetime.fromisoformat(manifest.only.due_at)
        return f"once, for the report of {slot_words(due_at, schedule)}; then as before"
    return schedule.words() if schedule else "only when somebody asks"


def _next(manifest: Manifest, now: datetime) -> tuple[str, ...]:
    schedule = schedule_of(manifest)
    if schedule is None or manifest.only is not None:
        return ()
    return tuple(schedule.local(due_at) for due_at in next_times(schedule, now))


def _checks(manifest: Manifest, in_script: tuple[str, ...]) -> tuple[CheckLine, ...]:
    declared = [CheckLine(check.name, check.says) for check in manifest.checks]
    names = {check.name for check in manifest.checks}
    return tuple(
        declared + [CheckLine(name, "(in the script, not declared)") for name in in_script if name not in names]
    )


def _looked_at(session: Session, task: Task | None, rehearsal: Rehearsal) -> str:
    """What Standby looked at, and what a model saw of it."""
    saw = saw_of_task(session, known(task.id)) if task else ""
    return f"{saw}; {rehearsal.sample_words}" if saw else rehearsal.sample_words


def request_of(session: Session, task: Task | None, plan: Plan) -> str:
    """What was asked and what people said since that counts, as it read when the version was proposed."""
    asked = asked_in(plan.rehearsal)
    return asked if asked is not None else asked_until(session, task, plan.created_at)


def asked_until(session: Session, task: Task | None, moment: datetime) -> str:
    """The same as it reads now."""
    if task is None:
        return ""
    later = [said.text for said in talk.guidance(session, known(task.id)) if said.said_at <= moment]
    return "\n".join([task.request, *(f"Later: {text}" for text in later)])


def _notes(session: Session, settings: Settings, routine: Routine, folder: PlanFolder) -> tuple[str, ...]:
    notes = []
    if settings.solo:
        notes.append("Solo mode is on: one person may ask and approve. This is not two-person review.")
    if routine.state is RoutineState.PAUSED:
        notes.append("The routine is paused and stays paused when this is approved: “resume” with a mention starts it.")
    if others := sharing(session, routine, folder):
        notes.append(f"Active in this channel already, over some of the same files: {', '.join(others)}.")
    return tuple(notes)


def change_of(session: Session, plan: Plan, folder: PlanFolder) -> Change | None:
    """What a version changes; None for the first."""
    rehearsal = Rehearsal.read(plan.rehearsal)
    if rehearsal.change_from is None:
        return None
    before = session.get_one(Plan, rehearsal.change_from)
    old = plans.folder(session, known(before.id))
    gone, new = check_changes(old, folder)
    is_same = old.files["plan.py"] == folder.files["plan.py"]
    found = loosened_checks(old, folder)
    was, now = (read_manifest(side.files["plan.toml"]) for side in (old, folder))
    return Change(
        before.version,
        diff_words(old, folder),
        gone,
        new,
        rehearsal.replay,
        is_script_same=is_same,
        checks_loosened=found.weaker,
        counted_otherwise=found.otherwise,
        are_slots_same=was.schedule == now.schedule,
        are_checks_same=was.checks == now.checks and not (gone or new or found.weaker),
        is_surprise_same=was.surprise == now.surprise,
    )


def loosened_checks(old: PlanFolder, new: PlanFolder) -> Loosened:
    """Checks of both versions that hear less, and those that count something computed otherwise."""
    before, after = (read_manifest(side.files["plan.toml"]) for side in (old, new))
    scripts = old.files["plan.py"].decode(), new.files["plan.py"].decode()
    # What a version for one slot leaves out is what it is for, and says at its top: no news of a check.
    agreed = not_expecting(before.parameters, after.only.leave_out) if after.only else before.parameters
    return loosened(scripts[0], scripts[1], agreed, after.parameters)


def check_changes(old: PlanFolder, new: PlanFolder) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Names of checks that a new version lost, and those it gained, by script and manifest together."""
    before, after = _check_names(old), _check_names(new)
    return tuple(sorted(before - after)), tuple(sorted(after - before))


def _check_names(folder: PlanFolder) -> set[str]:
    manifest = read_manifest(folder.files["plan.toml"])
    return {check.name for check in manifest.checks} | set(of_script(folder.files["plan.py"].decode()).check_names)


def _buttons(session: Session, card: Card) -> tuple[Button, ...]:
    if card.state is not CardState.OPEN:
        return ()
    by_verb = {press.verb: press.id for press in plans.presses_of_card(session, known(card.id))}
    return tuple(Button(verb, by_verb[verb]) for verb in ORDER if verb in by_verb)


def _zone(manifest: Manifest) -> tzinfo:
    """The one zone that a card speaks in: its schedule's."""
    return ZoneInfo(manifest.schedule.zone) if manifest.schedule else UTC


def _decision(session: Session, card: Card, routine: Routine, zone: tzinfo) -> DecisionWords | None:
    if card.state is CardState.OPEN:
        return None
    decision = plans.decision_on(session, card.plan_id)
    if decision is None:
        is_over = card.state is CardState.REPLACED and routine.state is RoutineState.RETIRED
        words = "The routine was retired" if is_over else ENDED[card.state]
        return DecisionWords(words, "", card.opened_at.astimezone(zone))
    words = ENDED[card.state] + (" (solo mode: by the person who asked)" if decision.is_solo else "")
    return DecisionWords(words, decision.person_id, decision.decided_at.astimezone(zone), decision.reason)
