"""The files of a channel that are a routine's own, where several routines read the channel."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256

from sqlmodel import Session

from bot.domain.attached import is_no_data
from bot.domain.belonging import Known, Whose, shared, whose
from bot.store import plans, runs
from bot.store.plans import known
from bot.store.tables_plans import Routine
from bot.store.tables_runs import Slot
from bot.store.tables_talk import SharedFile
from bot.work.jobs import say
from bot.work.thread import place_of
from library.manifest import ChannelSource, ManifestError
from library.manifest_text import read_manifest
from library.plan_folder import PlanFolder, PlanFolderError
from sandbox.shape import ShapeUnreadable, kinds

SHOWN = 5
IF_MEANT = "Where one belongs to the report, say so here, with a mention of me."
IF_NOT_MEANT = "Where one does not belong to it, say “leave out NAME every time” here, with a mention of me."
UNREADABLE = (PlanFolderError, ManifestError, ShapeUnreadable, KeyError)


@dataclass(frozen=True)
class Own:
    """`aside` are files that no plan of the channel knows and this one's kind of file is not."""

    files: list[SharedFile]
    aside: tuple[str, ...] = ()
    new: frozenset[str] = frozenset()  # names of files that the plan does not know


def own_files(session: Session, routine: Routine, plan_id: int, channel: str, posted: Sequence[SharedFile]) -> Own:
    """What is the routine's of these files. A plan that cannot be read takes all: whoever runs it says so."""
    ours = names_of(session, plan_id)
    if all(ours.fits(one.name) for one in posted):
        return Own(list(posted))
    known_by = _others(session, routine, channel, with_paused=True)
    others, names = list(known_by.values()), _names(session, routine, with_paused=False)
    awake = [it for name, it in known_by.items() if name in names]
    all_there = ours.all_there([one.name for one in posted])
    sorted_out = [
        (one, _whose(one, ours, others, all_there=all_there, is_meant=one.thread_ts == routine.thread_ts))
        for one in posted
    ]
    files = [one for one, said in sorted_out if said is Whose.OURS]
    unread = [one for one, said in sorted_out if said is Whose.UNKNOWN and not _is_no_data(one)]
    # What only a paused routine knows is in no report at all.
    unread += [one for one, said in sorted_out if said is Whose.ANOTHERS and not any(it.fits(one.name) for it in awake)]
    aside = sorted({one.name for one in unread})
    return Own(files, tuple(aside), frozenset(one.name for one in files if not ours.fits(one.name)))


def say_aside(session: Session, slot: Slot, routine: Routine, names: Sequence[str]) -> None:
    """Once for a slot and these files: nothing that somebody posted is passed over in silence, nor by its report."""
    runs.leave_aside(session, known(slot.id), names)
    words = f"Left aside: {_shown(names)}. {routine.name} knows no such file, and all that it knows are there. "
    say(session, place_of(routine), _key(slot, "aside", names), words + IF_MEANT)


def aside_words(session: Session, slot: Slot) -> str:
    """The sentence of the report about them; empty where there are none."""
    names = runs.aside_of(session, known(slot.id))
    said = "posted for this report and not in it, since no plan knows such files."
    return f"**Left aside: {_shown(names)}**, {said}" if names else ""


def say_new(session: Session, slot: Slot, routine: Routine, names: Sequence[str]) -> None:
    """Once for a slot and these files: nothing counts in silence, either."""
    words = f"New in this report, and counted: {_shown(names)}. No earlier report of {routine.name} had such a file. "
    say(session, place_of(routine), _key(slot, "new", names), words + IF_NOT_MEANT)


def _shown(names: Sequence[str]) -> str:
    return ", ".join(names[:SHOWN]) + (f" and {len(names) - SHOWN} more" if len(names) > SHOWN else "")


def _key(slot: Slot, what: str, names: Sequence[str]) -> str:
    return f"slot:{slot.id}:{what}:{sha256(' '.join(names).encode()).hexdigest()[:8]}"


def sharing(session: Session, routine: Routine, folder: PlanFolder) -> list[str]:
    """Names of other active routines of the channel that read a file which this plan reads too."""
    source = read_manifest(folder.files["plan.toml"]).source
    if not isinstance(source, ChannelSource):
        return []
    try:
        ours = _names_in(folder)
    except UNREADABLE:
        return []
    others = _others(session, routine, source.channel, with_paused=False)
    return [name for name, other in others.items() if shared(ours, other)]


def names_of(session: Session, plan_id: int) -> Known:
    """The names that a plan knows; none where it cannot be read."""
    try:
        return _names_in(plans.folder(session, plan_id))
    except UNREADABLE:
        return Known()


def _whose(file: SharedFile, ours: Known, others: Sequence[Known], *, all_there: bool, is_meant: bool) -> Whose:
    said = whose(file.name, ours, others, all_there=all_there, is_meant=is_meant)
    return Whose.UNKNOWN if said is Whose.OURS and not ours.fits(file.name) and _is_no_data(file) else said


def _is_no_data(file: SharedFile) -> bool:
    return is_no_data(file.name, file.mimetype)


def _names(session: Session, routine: Routine, *, with_paused: bool) -> dict[str, int]:
    """The other routines of the workspace: name -> id of its current plan."""
    return dict(plans.current_plans(session, routine.team_id, known(routine.id), with_paused=with_paused))


def _others(session: Session, routine: Routine, channel: str, *, with_paused: bool) -> Mapping[str, Known]:
    found = {}
    for name, plan_id in _names(session, routine, with_paused=with_paused).items():
        said = plans.readable_manifest(session, plan_id)
        if said is not None and isinstance(said.source, ChannelSource) and said.source.channel == channel:
            found[name] = names_of(session, plan_id)
    return found


def _names_in(folder: PlanFolder) -> Known:
    parameters = read_manifest(folder.files["plan.toml"]).parameters
    expected, readers = parameters.get("expected_files"), parameters.get("readers")
    agreed = expected if isinstance(expected, Mapping | list | tuple) else ()
    admitted = {str(one) for one in (*agreed, *(readers if isinstance(readers, Mapping) else ()))} - {"default"}
    return Known(frozenset(kinds(folder.files["shape.json"])), frozenset(admitted))
