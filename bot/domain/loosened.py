"""What became of the checks that two versions share: a bound that moved, a condition that always holds, a lost call.

Found in the text alone, so not everything that loosens a check is found; whatever is named here did change.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bot.domain.facts import DECLARES_CHECK, UNUSUAL

CONDITION = 1  # check(name, condition, message, ...)


@dataclass(frozen=True)
class CheckCall:
    """One place where a check is asked. `bounds` are the numbers that its condition compares with."""

    condition: str
    bounds: tuple[str, ...]
    always_holds: bool


def changed_checks(
    old: str, new: str, old_parameters: Mapping[str, Any], new_parameters: Mapping[str, Any]
) -> tuple[str, ...]:
    """`NAME: what changed`, for each check of the old script that the new one asks otherwise.

    Checks that are gone altogether are not in it. Raises SyntaxError for what is no Python.
    """
    before, after = check_calls(old, old_parameters), check_calls(new, new_parameters)
    return tuple(
        f"{name}: {why}"
        for name in before
        if name in after
        for why in dict.fromkeys(_differences(before[name], after[name]))
    )


def check_calls(source: str, parameters: Mapping[str, Any]) -> dict[str, list[CheckCall]]:
    """The calls of each check, in the order of the text."""
    tree = ast.parse(source)
    known = _Known(dict(_constants(tree)), parameters)
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    found: dict[str, list[CheckCall]] = {}
    for node in sorted(calls, key=lambda one: (one.lineno, one.col_offset)):
        if name := _name(node):
            found.setdefault(name, []).append(_call(node, known))
    return found


def _differences(before: Sequence[CheckCall], after: Sequence[CheckCall]) -> Iterator[str]:
    if len(after) < len(before):
        yield f"asked in {_places(len(after))}, before in {_places(len(before))}"
        return
    for old, new in zip(before, after, strict=False):
        if new.always_holds and not old.always_holds:
            yield "its condition always holds now"
        elif old.bounds != new.bounds:
            yield f"its numbers were {_listed(old.bounds)} and are {_listed(new.bounds)}"
        elif old.condition != new.condition:
            yield "its condition reads otherwise"


def _name(node: ast.Call) -> str:
    """The check that a call asks; empty for another call, or where the name is not written out."""
    called = node.func
    name = called.id if isinstance(called, ast.Name) else called.attr if isinstance(called, ast.Attribute) else ""
    if name == "check_usual":
        return UNUSUAL
    first = node.args[0] if node.args else None
    is_check = name in DECLARES_CHECK and isinstance(first, ast.Constant) and isinstance(first.value, str)
    return str(first.value) if is_check and isinstance(first, ast.Constant) else ""


def _call(node: ast.Call, known: _Known) -> CheckCall:
    named = next((one.value for one in node.keywords if one.arg == "condition"), None)
    condition = node.args[CONDITION] if len(node.args) > CONDITION else named
    if condition is None:  # Surprise(name, ...) raised outright: what guards it is no part of the call
        return CheckCall("", (), False)
    return CheckCall(ast.unparse(condition), tuple(known.bounds(condition)), _holds(condition))


def _holds(condition: ast.expr) -> bool:
    """Whether a condition is true whatever the data: a constant, `x or True`, `not False`."""
    if isinstance(condition, ast.BoolOp):
        holds = [_holds(one) for one in condition.values]
        return any(holds) if isinstance(condition.op, ast.Or) else all(holds)
    if isinstance(condition, ast.UnaryOp) and isinstance(condition.op, ast.Not):
        return isinstance(condition.operand, ast.Constant) and not condition.operand.value
    return isinstance(condition, ast.Constant) and bool(condition.value)


@dataclass(frozen=True)
class _Known:
    """What names stand for: constants of the script, and the plan's parameters."""

    constants: Mapping[str, ast.expr]
    parameters: Mapping[str, Any]

    def bounds(self, node: ast.AST, seen: frozenset[str] = frozenset()) -> Iterator[str]:
        """The numbers in an expression, those behind its names included; a parameter as `name=value`."""
        if isinstance(node, ast.Constant) and isinstance(node.value, int | float) and not isinstance(node.value, bool):
            yield repr(node.value)
        elif isinstance(node, ast.Name) and node.id in self.constants and node.id not in seen:
            yield from self.bounds(self.constants[node.id], seen | {node.id})
        elif isinstance(node, ast.Subscript) and (name := _parameter(node)):
            yield f"{name}={self.parameters.get(name)!r}"
        else:
            for child in ast.iter_child_nodes(node):
                yield from self.bounds(child, seen)


def _parameter(node: ast.Subscript) -> str:
    is_params = isinstance(node.value, ast.Name) and node.value.id == "params"
    return str(node.slice.value) if is_params and isinstance(node.slice, ast.Constant) else ""


def _constants(tree: ast.Module) -> Iterator[tuple[str, ast.expr]]:
    """Names that the script's top level gives one simple value."""
    for node in tree.body:
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
            if isinstance(node.value, ast.Constant | ast.UnaryOp | ast.BinOp | ast.Subscript):
                yield node.targets[0].id, node.value
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.value:
            yield node.target.id, node.value


def _places(number: int) -> str:
    return "1 place" if number == 1 else f"{number} places"


def _listed(bounds: Sequence[str]) -> str:
    return ", ".join(bounds) or "none"
