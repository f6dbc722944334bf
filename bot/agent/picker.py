"""Plans without a model: a proven script is matched to the request and the data, and its parameters are filled."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from bot.agent.heard import (
    STOPPED,
    Beyond,
    cannot,
    heard_by,
    in_all,
    is_agreed,
    is_stopped,
    left_field,
    left_of,
    not_understood,
)
from bot.agent.wanted import Wanted, delivery, when_field
from bot.domain.accounted import Heard, asked_for, gist
from bot.domain.mail_domains import outside_of
from bot.domain.own import Own, newest_at
from bot.domain.own import matches as own_matches
from bot.domain.routine_names import next_free, told_apart
from bot.domain.unread_words import ALL_READ, Unread, quoted
from bot.domain.views import Choice, QuestionField
from library.catalog import Script, load_catalog
from library.facts import FileFacts
from library.file_days import per_slot
from library.fill import fill
from library.filling import Filled, Question, Window
from library.manifest import (
    ChannelDestination,
    ChannelSource,
    Manifest,
)
from library.manifest_schedule import Schedule
from library.manifest_text import read_manifest, write_manifest
from library.match import Match, Spoken, fits, match
from library.plan_folder import PlanFolder
from library.toml_text import TomlValue
from sandbox.kits import box_json, image_of
from sandbox.outcome import Surprised
from sandbox.sample import Sample
from sandbox.shape import ShapeUnreadable, is_alike, shape_of

SHOWN = 3
LABEL = 100  # characters of a question that are shown whole
NEEDS_MODEL = "To write a new script I need a model: set ANTHROPIC_API_KEY for the agent."


@dataclass(frozen=True)
class Pick:
    """A script with its parameters filled: a whole plan folder, its resume.md not yet rendered."""

    folder: PlanFolder
    manifest: Manifest
    script: Script
    why: str
    newest_at: datetime | None = None  # of the entries of its files
    own: Own | None = None  # where it is a proven plan of the team's own
    heard: tuple[Heard, ...] = ()  # of each message
    left: Unread = ALL_READ  # of the words of the request

    def resume(self, seen: Surprised) -> bytes:
        """resume.md, rendered from the surprise as it really raised."""
        return self.script.resume_for(message=seen.message, seen=seen.seen, expected=seen.expected)


@dataclass(frozen=True)
class Asking:
    """What only a person can decide, as one form."""

    text: str
    fields: tuple[QuestionField, ...]
    heard: tuple[Heard, ...] = ()  # of each message


@dataclass(frozen=True)
class NoFit:
    """No proven script does it; `why` says what was seen and what would help."""

    why: str
    heard: tuple[Heard, ...] = ()  # of each message


def pick(
    wanted: Wanted, samples: Sequence[Sample], request: Spoken, own: Sequence[Own] = (), beyond: Beyond = Beyond.ASK
) -> Pick | Asking | NoFit:
    """The best proven script for a request, with parameters, schedule and destinations; or what is missing.

    `own` are the team's own that share words with it. One of them keeps its parameters, since its files are alike.
    `beyond` says what becomes of a request that says more than the script does.
    """
    catalog = load_catalog()
    files = [sample.facts for sample in samples]
    alike = [one for one in own if _is_for(one, files)]
    found = [*own_matches(request, alike), *match(request, files, catalog)]  # at a tie, what was made for such files
    matches = sorted(found, key=lambda one: -one.score)
    if not matches:
        return NoFit(_no_match(samples, catalog, not_understood(wanted, request, catalog)))
    if outside := _outside(wanted):
        return NoFit(outside)
    best = matches[0]
    ours = next((one for one in own if one.script is best.script), None)
    filled = (
        Filled(_expecting(ours.parameters, files, wanted.window))
        if ours
        else fill(best.script, files, wanted.answers, window=wanted.window, said=_about_data(wanted))
    )
    heard = heard_by(wanted, request, best, filled, files, is_own=ours is not None)
    if filled.problems:
        return NoFit(f"{' '.join(filled.problems)} {NEEDS_MODEL}", heard)
    left = in_all(each := left_of(wanted, heard))
    is_open = beyond is not Beyond.TELL and not is_agreed(wanted, each)
    if is_open and beyond is Beyond.REFUSE:
        return NoFit(f"{best.reason} But it does not do {quoted(left.changing)}.", heard)
    if is_open and is_stopped(wanted, left):
        return NoFit(STOPPED, heard)
    schedule = None if wanted.is_once else wanted.schedule()
    destinations, unknown = delivery(wanted)
    if wanted.is_once:
        destinations, unknown = (ChannelDestination(wanted.channel_id),), []
    unsaid = [left_field(left, best.script.title)] if is_open else []
    fields = [*unsaid, *map(_field, filled.questions), *unknown, *_when(wanted, schedule)]
    if fields:
        known = " ".join([*([cannot(left)] if is_open else []), best.reason, *_taken(filled)])
        return Asking(f"{known} Before I can try it, I need to know:", tuple(fields), heard)
    name, title = _called(wanted, best.script)
    manifest = best.script.manifest(
        name=name,
        title=title,
        why=" ".join([_why(matches), *_taken(filled), *_columns_used(filled)]),
        schedule=schedule,
        source=wanted.source or ChannelSource(wanted.channel_id),
        destinations=destinations,
        parameters=filled.parameters,
        files=files,
        words=filled.words,
    )
    if ours:
        manifest = replace(manifest, script="")  # it is in no folder of the library
    folder = _folder(best.script, manifest, samples, wanted.box_image)
    why = " ".join([best.reason, *_taken(filled), *_columns_used(filled)])
    newest = newest_at(files) if ours else filled.newest_at
    return Pick(folder, manifest, best.script, why, newest, ours, heard, left)


def _when(wanted: Wanted, schedule: Schedule | None) -> list[QuestionField]:
    """Asked where a routine is to come back and nobody said when."""
    return [] if wanted.is_once or schedule is not None else [when_field(wanted)]


def _called(wanted: Wanted, script: Script) -> tuple[str, str]:
    """The name and the title of a routine; an answer that is given once needs to be told from no other."""
    name = wanted.routine_name or next_free(script.name, wanted.taken_names)
    return name, script.title if wanted.is_once else told_apart(script.title, name, gist(wanted.said[0]))


def _outside(wanted: Wanted) -> str:
    """Why nobody can be mailed who is named; empty where all may be, or nobody is."""
    outside = [one for one in wanted.wish.addresses if outside_of((one,), wanted.allowed_domains)]
    if not outside or wanted.is_once:
        return ""
    allowed = ", ".join(wanted.allowed_domains)
    return f"Reports may be mailed to {allowed} only, and {', '.join(outside)} is outside. Ask again without."


def _about_data(wanted: Wanted) -> str:
    """What was said, without when, how and to whom: a list of people is no column of that name."""
    return " , ".join(map(asked_for, wanted.said))


def _is_for(own: Own, files: Sequence[FileFacts]) -> bool:
    try:
        return is_alike(own.shape, files)
    except ShapeUnreadable:
        return False


def _expecting(
    parameters: Mapping[str, TomlValue], files: Sequence[FileFacts], window: Window | None
) -> Mapping[str, TomlValue]:
    """The parameters, with these files as those that must be there every time; a script that asks for none as it is."""
    expected = parameters.get("expected_files")
    counts = per_slot([one.name for one in files], window)
    if isinstance(expected, Mapping):
        return {**parameters, "expected_files": counts}
    return {**parameters, "expected_files": sorted(counts)} if isinstance(expected, list | tuple) else parameters


def repair(
    folder: PlanFolder,
    samples: Sequence[Sample],
    answers: Mapping[str, str],
    window: Window | None = None,
    *,
    is_shape_alone: bool = False,
) -> Pick | Asking | NoFit:
    """The same script with other parameters, filled from what the files look like now.

    `window` is that of the halted slot.
    `is_shape_alone`: the script had nothing against the files, only their shape is new, and a person may agree to it.
    """
    before = read_manifest(folder.files["plan.toml"])
    script = load_catalog().get(before.script)
    if script is None or script.plan != folder.files["plan.py"]:
        return NoFit("This script is not one of the library's, so I cannot adapt it by myself.")
    files = [sample.facts for sample in samples]
    filled = fill(script, files, answers, before.parameters, window)
    if filled.problems:
        return NoFit(" ".join(filled.problems))
    if filled.questions:
        return Asking("I can read the files of this slot once I know:", tuple(map(_field, filled.questions)))
    if filled.parameters == before.parameters and not is_shape_alone:
        return NoFit(
            "The files look as the script expects, so no other parameters would help: the data may be wrong. "
            "Fix it at its source and rerun, skip this slot, or post a script of your own in this thread."
        )
    manifest = replace(
        before,
        parameters=filled.parameters,
        checks=script.checks_in_words(filled.words),
        surprise=script.surprise_for(files),
    )
    return Pick(_folder(script, manifest, samples, image_of(folder)), manifest, script, _changed(filled))


def _folder(script: Script, manifest: Manifest, samples: Sequence[Sample], image: str) -> PlanFolder:
    return PlanFolder(
        {
            "plan.py": script.plan,
            "report.md": script.report,
            "plan.toml": write_manifest(manifest).encode(),
            "resume.md": script.resume_for(message="", seen="", expected=""),
            "shape.json": shape_of([sample.facts for sample in samples]),
            "box.json": box_json(image),
        }
    )


def _why(matches: Sequence[Match]) -> str:
    others = ", ".join(one.script.title for one in matches[1:3])
    return matches[0].reason + (f" Also considered: {others}." if others else "")


def _taken(filled: Filled) -> list[str]:
    """What was read in the request itself, with its words: whoever decides can see a wrong one."""
    return [f"Taken from the request: {', '.join(filled.taken)}."] if filled.taken else []


def _columns_used(filled: Filled) -> list[str]:
    """Which columns the numbers come from, as one sentence: whoever reads the answer can see a wrong one."""
    readers = filled.parameters.get("readers")
    found: dict[str, dict[str, None]] = {}
    for reader in readers.values() if isinstance(readers, Mapping) else ():
        columns = reader.get("columns") if isinstance(reader, Mapping) else None
        for role, name in columns.items() if isinstance(columns, Mapping) else ():
            found.setdefault(role, {})[f"“{str(name)[:60]}”"] = None
    said = [f"{role} from {' and '.join(names)}" for role, names in found.items()]
    return [f"Columns used: {', '.join(said)}."] if said else []


def _changed(filled: Filled) -> str:
    return " ".join(filled.notes) or "The files look different; the parameters now fit them."


def _field(question: Question) -> QuestionField:
    """What is asked is the label; what leads to it is the hint, since a long label would be cut."""
    choices = tuple(Choice(one.label, one.value) for one in question.choices)
    before, _, ask = question.ask.rpartition(". ")
    if len(question.ask) <= LABEL or not ask.endswith("?"):
        return QuestionField(question.key, question.ask, "", choices)
    return QuestionField(question.key, ask, f"{before}.", choices)


def _unread(samples: Sequence[Sample]) -> str:
    """What is wrong with the files that nothing can read, in sentences; empty where there is none."""
    found = [f"{one.facts.name} cannot be used: {one.facts.problem}. " for one in samples if one.facts.problem]
    more = len(found) - SHOWN
    return "".join(found[:SHOWN]) + (f"So it is with {more} more. " if more > 0 else "")


def _no_match(samples: Sequence[Sample], catalog: Mapping[str, Script], strange: str) -> str:
    """What was not understood, and what the scripts do that read such files."""
    unread = _unread(samples)
    if unread and all(sample.facts.problem for sample in samples):
        return f"{unread}Delete what is no data from this thread and post the data itself here, and I go on from there."
    files = [sample.facts for sample in samples]
    kinds = ", ".join(sorted({str(one.kind) for one in files}))
    said = f"{unread}None of my proven scripts fits this request and these files ({kinds}). "
    said += f"Not understood: {strange}. " if strange else ""
    can = [one for one in catalog.values() if any(fits(facts, one) for facts in files)]
    if not can:
        return f"{said}None of them reads such files, either: /standby library lists what they do. {NEEDS_MODEL}"
    listed = "\n".join(f"• {one.title}: {one.says}" for one in can)
    return f"{said}{NEEDS_MODEL} Or ask in this thread for what one of those does that read such files:\n{listed}"
