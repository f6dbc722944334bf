"""What /standby answers: what Home shows, and the orders that a reply in the thread gives."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches

from bot.domain.commands import MEANS, NAMELESS, Asked, Word, asked
from bot.domain.orders import Order, Said
from bot.domain.overview import RoutinesView
from bot.domain.people import Person, is_outsider
from bot.domain.routine_names import is_numbered
from bot.domain.views import NoteView, View
from bot.domain.words import RoutineState
from bot.store import plans
from bot.store.plans import known
from bot.store.tables_plans import Routine
from bot.work import govern, overview
from bot.work.cost import bill_of_routine
from bot.work.cost_words import MOST as MOST_BILLS
from bot.work.cost_words import every_view, one_view
from bot.work.one_routine import routine_view
from bot.work.parts import Parts
from library.catalog import load_catalog

MOST = 20
ONLY_MEMBERS = "Only members of this workspace can use this. Nothing was changed."
NONE_YET = (
    "There is no routine yet that you can see. Mention me in a channel with what you want and when, and attach data."
)
ORDERS = {Word.RUN: Order.RUN_NOW, Word.PAUSE: Order.PAUSE, Word.RESUME: Order.RESUME}


@dataclass(frozen=True)
class Typed:
    """A command with all that its answer needs. `key` names this one typing of it."""

    parts: Parts
    person: Person
    channel_id: str
    asked: Asked
    key: str
    seen: tuple[Routine, ...] = ()

    @property
    def routine(self) -> Routine:
        """The routine that is meant, by name. Raises Unclear."""
        name = self.asked.name or self._only_here()
        found = next((one for one in self.seen if one.name == name), None)
        if found is None:
            raise Unclear(self._unknown(name))
        return found

    def _only_here(self) -> str:
        here = [one.name for one in self.seen if one.channel_id == self.channel_id and not _is_over(one)]
        if len(here) == 1:
            return here[0]
        raise Unclear(f"Which one? {self._names(here or [one.name for one in self.seen])}")

    def _unknown(self, name: str) -> str:
        names = [one.name for one in self.seen]
        near = get_close_matches(name, names, n=3, cutoff=0.4) or [one for one in names if name in one][:3]
        return f"I know no routine called “{name[:80]}” that you can see. {self._names(near or names)}"

    def _names(self, names: list[str]) -> str:
        if not names:
            return NONE_YET
        shown = ", ".join(map(self._told_apart, names[:MOST])) + (
            f" and {len(names) - MOST} more" if len(names) > MOST else ""
        )
        return f"Say its name: {shown}."

    def _told_apart(self, name: str) -> str:
        """The name, with its title where only a number tells it from another one's."""
        if not is_numbered(name):
            return name
        with self.parts.db.transaction() as session:
            routine = next(one for one in self.seen if one.name == name)
            manifest = plans.readable_manifest(session, known(overview.newest_plan(session, routine).id))
        return f"{name} ({manifest.title})" if manifest else name


class Unclear(Exception):
    """The command names no routine; the text says which there are."""


def answer(parts: Parts, user_id: str, channel_id: str, text: str, key: str) -> View:
    """Do or look up what was typed; every command gets an answer, and only orders change anything."""
    person = parts.chat.person(user_id)
    said = asked(text)
    if is_outsider(person) or person.is_bot:
        return NoteView(ONLY_MEMBERS)
    is_about_routines = said.word is Word.LIST or said.word not in NAMELESS
    seen = tuple(overview.visible(parts, person)) if is_about_routines else ()
    try:
        return _ANSWERS[said.word](Typed(parts, person, channel_id, said, key, seen))
    except Unclear as unclear:
        return NoteView(str(unclear))


def _list(typed: Typed) -> View:
    if not typed.seen:
        return NoteView(NONE_YET)
    with typed.parts.db.transaction() as session:
        shown = [session.get_one(Routine, one.id) for one in typed.seen[:MOST]]
        lines = tuple(overview.line(session, typed.parts.chat, one) for one in shown)
    rest = len(typed.seen) - len(lines)
    more = f"{rest} more are not shown; the Home tab leafs through all of them." if rest else ""
    return RoutinesView("Routines", lines, more)


def _show(typed: Typed) -> View:
    with typed.parts.db.transaction() as session:
        return routine_view(session, typed.parts, session.get_one(Routine, typed.routine.id))


def _history(typed: Typed) -> View:
    with typed.parts.db.transaction() as session:
        return overview.history(session, session.get_one(Routine, typed.routine.id), typed.asked.page)


def _cost(typed: Typed) -> View:
    with typed.parts.db.transaction() as session:
        if typed.asked.name:
            routine = session.get_one(Routine, typed.routine.id)
            return one_view(routine, bill_of_routine(session, routine))
        if not typed.seen:
            return NoteView(NONE_YET)
        shown = [session.get_one(Routine, one.id) for one in typed.seen[:MOST_BILLS]]
        bills = [(one, bill_of_routine(session, one)) for one in shown]
    return every_view(bills, len(typed.seen) - len(bills))


def _order(typed: Typed) -> View:
    said = Said(ORDERS[typed.asked.word])
    given = govern.give(typed.parts, known(typed.routine.id), said, typed.person, typed.key)
    return NoteView(given.text, people=(typed.routine.owner_id,))


def _library(_typed: Typed) -> View:
    scripts = load_catalog().values()
    lines = [f"• {script.title}: {script.says.rstrip('.')}" for script in scripts]
    return NoteView("\n".join(["Proven scripts, picked where they fit what you ask for:", *lines]))


def _help(typed: Typed) -> View:
    first = [f"I do not know “{typed.asked.unknown[:80]}”."] if typed.asked.unknown else []
    lines = [f"/standby {word}{'' if word in NAMELESS else ' NAME'}: {means}" for word, means in MEANS.items()]
    ask = "To ask for a report, mention me in a channel with what you want and when, and attach the data."
    return NoteView("\n".join([*first, "What you can type:", *(f"• {one}" for one in lines), ask]))


def _is_over(routine: Routine) -> bool:
    return routine.state is RoutineState.RETIRED


_ANSWERS: Mapping[Word, Callable[[Typed], View]] = {
    Word.LIST: _list,
    Word.SHOW: _show,
    Word.RUN: _order,
    Word.PAUSE: _order,
    Word.RESUME: _order,
    Word.HISTORY: _history,
    Word.COST: _cost,
    Word.LIBRARY: _library,
    Word.HELP: _help,
}
