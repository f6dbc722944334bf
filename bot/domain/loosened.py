"""What became of the checks that two versions share: whatever may make one hear less is named, and needs a second look.

Found by comparing two texts. Where the text alone does not say that a check is as strict as before, it counts as
loosened, and the sentence says what could not be told.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from bot.domain.check_calls import AFTER, CAUGHT, EACH, IF, REPORTED, CheckCall, check_calls
from bot.domain.facts import DECLARES_CHECK, KIT_CHECKS, of_script

_LONGEST = 100


def changed_checks(
    old: str, new: str, old_parameters: Mapping[str, Any], new_parameters: Mapping[str, Any]
) -> tuple[str, ...]:
    """`NAME: what changed`, for each check of the old script that the new one may ask less strictly.

    Checks that are gone altogether are not in it. Raises SyntaxError for what is no Python.
    """
    before, after = check_calls(old, old_parameters), check_calls(new, new_parameters)
    of_checks = [
        f"{name}: {why}"
        for name in before
        if name in after or name.startswith("reading: ")
        for why in dict.fromkeys(_differences(before[name], after.get(name, [])))
    ]
    return (*of_checks, *(f"every check: {why}" for why in _hidden(old, new)))


def _differences(before: Sequence[CheckCall], after: Sequence[CheckCall]) -> Iterator[str]:
    if len(after) < len(before):
        yield f"asked in {_places(len(after))}, before in {_places(len(before))}"
        return
    for old, new in zip(before, after, strict=False):
        yield from _asked_otherwise(old, new)
        yield from _elsewhere(old.around, new.around)
        if old.condition == new.condition and old.bounds == new.bounds and old.rests_on != new.rests_on:
            yield "what it looks at is computed otherwise, so the text does not say whether it hears as much"


def _asked_otherwise(old: CheckCall, new: CheckCall) -> Iterator[str]:
    if new.always_holds and not old.always_holds:
        yield "its condition always holds now"
    elif old.bounds != new.bounds:
        yield f"its numbers were {_listed(old.bounds)} and are {_listed(new.bounds)}"
    elif old.condition != new.condition:
        yield "its condition reads otherwise"


def _elsewhere(old: Sequence[str], new: Sequence[str]) -> Iterator[str]:
    """What stands around it now and did not before, or did and went: a test that went is asked more often."""
    for one in _without(new, old):
        if one == REPORTED:
            yield "it is asked after the report now"
        elif one == CAUGHT:
            yield "what it raises is caught now"
        elif one.startswith(IF):
            yield f"it is asked {_short(one)} now"
        elif one.startswith(AFTER):
            yield f"it is asked only where `{_short(one.removeprefix(AFTER))}` lets the script come so far"
        else:
            yield f"it is asked {_short(one)} now"
    for one in _without(old, new):
        if one.startswith(EACH):
            yield f"it is no longer asked {_short(one)}"


def _without(these: Sequence[str], those: Sequence[str]) -> list[str]:
    """What is in these and not in those, each as often as there are more of it."""
    return list((Counter(these) - Counter(those)).elements())


def _hidden(old: str, new: str) -> Iterator[str]:
    """Whatever makes a check mean something else than its name says, and was not in the old script."""
    yield from _without(list(_rebound(new)), list(_rebound(old)))
    said = [[one.partition(": ")[2] for one in of_script(source).unclear] for source in (new, old)]
    yield from _without(said[0], said[1])


def _rebound(source: str) -> Iterator[str]:
    """Names of the kit's checks that the script itself gives a meaning, and things of the kit that it changes."""
    names = {*DECLARES_CHECK, *KIT_CHECKS}
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and node.name in names:
            yield f"{node.name} is defined by the script itself"
        elif isinstance(node, ast.Name) and node.id in names and not isinstance(node.ctx, ast.Load):
            yield f"{node.id} is given another meaning"
        elif isinstance(node, ast.arg) and node.arg in names:
            yield f"{node.arg} is given another meaning"
        elif isinstance(node, ast.Import | ast.ImportFrom):
            is_kit = isinstance(node, ast.ImportFrom) and node.module == "kit"
            bound = [one.asname or one.name for one in node.names if not is_kit]
            yield from (f"{one} comes from elsewhere than the kit" for one in bound if one in names)
        elif isinstance(node, ast.Attribute) and not isinstance(node.ctx, ast.Load) and node.attr in names:
            yield f".{node.attr} is given another meaning"


def _places(number: int) -> str:
    return "1 place" if number == 1 else f"{number} places"


def _listed(bounds: Sequence[str]) -> str:
    return ", ".join(bounds) or "none"


def _short(words: str) -> str:
    line = " ".join(words.split())
    return line if len(line) <= _LONGEST else f"{line[:_LONGEST]}…"
