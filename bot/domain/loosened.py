"""What became of the checks that two versions share: which hear less, and which look at something computed otherwise.

The rule, found by comparing two texts, never by running them. A second press is asked for where the CHECK is weaker:

- it is gone, or asked in fewer places (a reader of the kit, too, unless another reader took its place);
- it no longer raises wherever it did: its condition always holds, its bound is wider, one more value is admitted, a
  test stands around it that did not, something above it may leave before it. A changed condition counts as weaker
  unless it follows from its text, with constants and parameters worked out, that it raises wherever the old one did;
- what it raises is caught, or it stands where the text shows no call;
- it goes over a part of what it went over; what it looks at is added to in fewer places, or stands behind `if False`;
- an argument or parameter of the kit admits more than before: another spelling, a later date, a file left out;
- its name means something else now, or the script has a way to hide what it does that it did not have.

It is SAID, and asks for no second press, where the check itself reads as before and what it counts is computed
otherwise: a changed computation is what a fix is, and the text does not say whether it hears as much. A stricter check,
another order, other words in a message and a check that asks more often are none of both.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bot.domain.admissions import admits_more, of_parameters, read_otherwise
from bot.domain.check_calls import Around, CheckCall, Kind, TooTangled, check_calls, is_reader
from bot.domain.facts import of_script
from bot.domain.formulas import Known, implies

_LONGEST = 100
TOO_DEEP = "the script is nested or tangled too much to be compared"


@dataclass(frozen=True)
class Loosened:
    """`weaker`: `NAME: what makes it hear less`; `otherwise`: checks that count something computed otherwise."""

    weaker: tuple[str, ...] = ()
    otherwise: tuple[str, ...] = ()


def loosened(old: str, new: str, old_parameters: Mapping[str, Any], new_parameters: Mapping[str, Any]) -> Loosened:
    """What the new script and its parameters make of the checks of the old; those gone altogether are not in it.

    Raises SyntaxError for what is no Python.
    """
    try:
        return _compared(old, new, old_parameters, new_parameters)
    except (RecursionError, TooTangled):
        return Loosened((f"every check: {TOO_DEEP}",))


def _compared(old: str, new: str, old_parameters: Mapping[str, Any], new_parameters: Mapping[str, Any]) -> Loosened:
    before, after = check_calls(old, old_parameters), check_calls(new, new_parameters)
    weaker: list[tuple[str, str]] = []  # of which check, and why
    otherwise: list[str] = []
    for name, calls in before.items():
        found = _of_reader if is_reader(name) else _of_check
        reasons = list(dict.fromkeys(found(name, before, after)))
        weaker += [(name, why) for why in reasons]
        if not reasons and name in after and _is_computed_otherwise(calls, after[name]):
            otherwise.append(name)
    by_kit = set(of_script(new).reader_checks) - after.keys()
    weaker += [(name, "the script no longer asks it, only the kit does") for name in before if name in by_kit]
    weaker += [("every check", why) for why in _hidden(old, new)]
    said = {why for _, why in weaker}
    of_all = dict.fromkeys(of_parameters(old_parameters, new_parameters))
    weaker += [("parameters", why) for why in of_all if why not in said]
    otherwise += [f"how {one} is read" for one in read_otherwise(old_parameters, new_parameters)]
    return Loosened(tuple(f"{name}: {why}" for name, why in weaker), tuple(otherwise))


_Calls = Mapping[str, Sequence[CheckCall]]


def _of_check(name: str, before: _Calls, after: _Calls) -> Iterator[str]:
    if name not in after:
        return  # that a check is gone altogether is for others to say
    if len(after[name]) < len(before[name]):
        yield f"asked in {_places(len(after[name]))}, before in {_places(len(before[name]))}"
        return
    for old, new in zip(before[name], after[name], strict=False):
        yield from _condition(old, new)
        yield from _circumstances(old, new)
        yield from _told(old, new)
        yield from _looks_at(old, new)


def _of_reader(name: str, before: _Calls, after: _Calls) -> Iterator[str]:
    """One that is called less often is missed only where no other reader came."""
    calls = after.get(name, ())
    lost = len(before[name]) - len(calls)
    gained = sum(max(0, len(more) - len(before.get(other, ()))) for other, more in after.items() if is_reader(other))
    if lost > gained:
        yield f"called in {_places(len(calls))}, before in {_places(len(before[name]))}"
        return
    for old, new in zip(before[name], calls, strict=False):
        yield from (
            f"it is called {_where(one)} now" for one in new.around if one.kind is Kind.CAUGHT and one not in old.around
        )
        yield from _told(old, new)


def _condition(old: CheckCall, new: CheckCall) -> Iterator[str]:
    if old.fires == Known(holds=False):  # with these constants and parameters; with others it may raise
        if not implies(old.as_written, new.as_written):
            yield "it cannot raise with these parameters, and its condition reads otherwise"
    elif new.fires == Known(holds=False):
        yield "its condition always holds now"
    elif not implies(old.raises, new.fires):
        before = (
            f"its condition was `{_short(old.condition)}` and" if old.condition else "it was raised, and its condition"
        )
        yield f"{before} is `{_short(new.condition)}`"


def _circumstances(old: CheckCall, new: CheckCall) -> Iterator[str]:
    """What stands around it now and did not before, or did and went: a test that went is asked more often."""
    loops = [one for one in _without(old.around, new.around) if one.kind is Kind.EACH]
    for one in _without(new.around, old.around):
        if one.kind is Kind.ONLY_IF and one.when is not None:
            if not implies(old.as_written if old.fires == Known(holds=False) else old.raises, one.when):
                yield f"it is asked {_where(one)} now"
        elif one.kind is Kind.EACH and loops and loops[0].words != one.of:
            loops.pop(0)  # what it goes over is another thing now, which is for the computation to say
        else:
            yield f"it is asked {_where(one)} now" if one.kind is not Kind.CAUGHT else "what it raises is caught now"
            loops = loops[1:] if one.kind is Kind.EACH else loops
    yield from (f"it is no longer asked {_where(one)}" for one in loops)


def _told(old: CheckCall, new: CheckCall) -> Iterator[str]:
    """What a check or reader of the kit is told: how strict it is."""
    for name in [*old.told, *(one for one in new.told if one not in old.told)]:
        yield from admits_more(name, old.told.get(name), new.told.get(name))
    if old.told.get("0") != new.told.get("0") and _is_text(old.told.get("0")):
        yield f"it is asked of {_shown(new.told.get('0'))}, before of {_shown(old.told.get('0'))}"
    number = new.told.get("1")
    if number != old.told.get("1") and isinstance(number, int | float):
        yield f"it is asked of {number:g}, whatever the data"


def _looks_at(old: CheckCall, new: CheckCall) -> Iterator[str]:
    """What takes things out of its sight, seen from the text alone."""
    if new.is_cut_off and not old.is_cut_off:
        yield "what it looks at stands behind a test that never holds"
    for name in old.fed.keys() & new.fed.keys():
        if new.fed[name] < old.fed[name]:
            yield f"`{name}` is added to in {_places(new.fed[name])}, before in {_places(old.fed[name])}"
        if new.drained[name] > old.drained[name]:
            yield f"something is taken out of `{name}` now"


def _is_computed_otherwise(old: Sequence[CheckCall], new: Sequence[CheckCall]) -> bool:
    seen = [[(one.rests_on, tuple(sorted(one.told.items(), key=str))) for one in calls] for calls in (old, new)]
    return seen[0] != seen[1][: len(seen[0])]


def _without(these: Sequence[Around], those: Sequence[Around]) -> list[Around]:
    """What is in these and not in those, each as often as there are more of it."""
    return list((Counter(these) - Counter(those)).elements())


def _where(one: Around) -> str:
    if one.kind is Kind.AFTER:
        return f"only where `{_short(one.words)}` lets the script come so far"
    return "where what it raises is caught" if one.kind is Kind.CAUGHT else f"{one.kind} {_short(one.words)}"


def _hidden(old: str, new: str) -> Iterator[str]:
    """Whatever makes a check mean something else than its name says, and was not in the old script."""
    said = [Counter(one.partition(": ")[2] for one in of_script(source).unclear) for source in (new, old)]
    yield from (said[0] - said[1]).elements()


def _places(number: int) -> str:
    return "1 place" if number == 1 else f"{number} places"


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and not value.startswith("`")


def _shown(value: Any) -> str:
    return f"“{value}”" if _is_text(value) else str(value)


def _short(words: str) -> str:
    line = " ".join(words.split())
    return line if len(line) <= _LONGEST else f"{line[:_LONGEST]}…"
