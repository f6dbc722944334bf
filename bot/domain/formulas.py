"""When a condition holds, as far as its text says: enough to tell whether one implies another, never by guessing."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from bot.domain.literals import written

Number: TypeAlias = int | float
_ORDER: Mapping[str, Callable[[Number, Number], bool]] = {
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge, "==": operator.eq, "!=": operator.ne,
}  # fmt: skip
_OPPOSITE = {"<": ">=", ">=": "<", ">": "<=", "<=": ">", "==": "!=", "!=": "=="}
_TURNED = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}  # with its sides exchanged
_SIGNS: Mapping[type[ast.cmpop], str] = {
    ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!=", ast.In: "in",
    ast.NotIn: "not in", ast.Is: "is", ast.IsNot: "is not",
}  # fmt: skip
# Of two opposite signs the one that is written, and that it is meant the other way round.
_PLAIN = {"<=": ">", ">=": "<", "!=": "==", "not in": "in", "is not": "is"}


@dataclass(frozen=True)
class Known:
    """True or false, whatever the data."""

    holds: bool


@dataclass(frozen=True)
class Atom:
    """Something that the text does not say more about: it is so, or it is not."""

    words: str
    holds: bool = True


@dataclass(frozen=True)
class Bound:
    """A number that is compared with one that the text says."""

    words: str
    sign: str
    number: Number


@dataclass(frozen=True)
class Among:
    """A value that is one of those written out, or is none of them."""

    words: str
    values: frozenset[str]
    holds: bool = True


@dataclass(frozen=True)
class Every:
    parts: tuple[Formula, ...]


@dataclass(frozen=True)
class Some:
    parts: tuple[Formula, ...]


Formula: TypeAlias = Known | Atom | Bound | Among | Every | Some


def formula(node: ast.expr, *, holds: bool = True) -> Formula:
    """When an expression is true; with holds=False, when it is not."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        return formula(node.operand, holds=not holds)
    if isinstance(node, ast.BoolOp):
        parts = [formula(one, holds=holds) for one in node.values]
        return every(*parts) if isinstance(node.op, ast.And) is holds else some(*parts)
    if isinstance(node, ast.Compare):
        return _compared(node, holds=holds)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "bool" and node.args:
        return formula(node.args[0], holds=holds)
    found = written(node)
    return Atom(ast.unparse(node), holds) if found is None else Known(bool(found.value) is holds)


def every(*parts: Formula) -> Formula:
    left = [one for one in parts if one != Known(holds=True)]
    if Known(holds=False) in left:
        return Known(holds=False)
    return left[0] if len(left) == 1 else Every(tuple(left)) if left else Known(holds=True)


def some(*parts: Formula) -> Formula:
    left = [one for one in parts if one != Known(holds=False)]
    if Known(holds=True) in left:
        return Known(holds=True)
    return left[0] if len(left) == 1 else Some(tuple(left)) if left else Known(holds=False)


def implies(one: Formula, other: Formula) -> bool:
    """Whether the other holds wherever the one does. False where the text does not say."""
    if one == other or one == Known(holds=False) or other == Known(holds=True):
        return True
    if isinstance(one, Some):
        return all(implies(part, other) for part in one.parts)
    if isinstance(other, Every):
        return all(implies(one, part) for part in other.parts)
    if isinstance(one, Every):
        return any(implies(part, other) for part in one.parts)
    if isinstance(other, Some):
        return any(implies(one, part) for part in other.parts)
    if isinstance(one, Bound) and isinstance(other, Bound):
        return one.words == other.words and _is_within(one, other)
    if isinstance(one, Among) and isinstance(other, Among) and one.words == other.words:
        return _is_among(one, other)
    return False


def _is_within(one: Bound, other: Bound) -> bool:
    """Whether every number of the one is a number of the other."""
    if one.sign == "==":
        return _ORDER[other.sign](one.number, other.number)
    if other.sign == "!=":
        return one.sign != "!=" and not _ORDER[one.sign](other.number, one.number)
    if one.sign[0] != other.sign[0] or one.sign == "!=":
        return False
    is_edge_in = one.sign == other.sign or one.sign == other.sign[0]
    beyond = _ORDER[one.sign[0]](one.number, other.number)
    return beyond or (one.number == other.number and is_edge_in)


def _is_among(one: Among, other: Among) -> bool:
    if one.holds and other.holds:
        return one.values <= other.values
    if not one.holds and not other.holds:
        return other.values <= one.values
    return one.holds and not one.values & other.values


def _compared(node: ast.Compare, *, holds: bool) -> Formula:
    """`a < b < c` is `a < b and b < c`."""
    sides = [node.left, *node.comparators]
    parts = [_pair(sides[n], _SIGNS[type(op)], sides[n + 1], holds=holds) for n, op in enumerate(node.ops)]
    return every(*parts) if holds else some(*parts)


def _pair(left: ast.expr, sign: str, right: ast.expr, *, holds: bool) -> Formula:
    if sign in _TURNED and _number(left) is not None:
        left, sign, right = right, _TURNED[sign], left
    number = _number(right)
    if sign in _ORDER and number is not None:
        return _bound(left, sign if holds else _OPPOSITE[sign], number)
    values = _values(right, is_one=sign in ("==", "!="))
    if sign in ("in", "not in", "==", "!=") and values is not None:
        return Among(ast.unparse(left), values, holds is (sign in ("in", "==")))
    plain = _PLAIN.get(sign, sign)
    return Atom(f"{ast.unparse(left)} {plain} {ast.unparse(right)}", holds is (plain == sign))


def _bound(left: ast.expr, sign: str, number: Number) -> Formula:
    mine = _number(left)
    if mine is not None:
        return Known(_ORDER[sign](mine, number))
    if isinstance(left, ast.Call) and isinstance(left.func, ast.Name) and left.func.id == "len" and left.args:
        # Lengths are whole: more than 1 is at least 2; and at least 1 is what `if items` asks.
        sign, number = (">=", number + 1) if sign == ">" else ("<", number + 1) if sign == "<=" else (sign, number)
        if number == 1 and sign in (">=", "<"):
            return Atom(ast.unparse(left.args[0]), sign == ">=")
        if number == 0 and sign in ("==", "!="):
            return Atom(ast.unparse(left.args[0]), sign == "!=")
    return Bound(ast.unparse(left), sign, number)


def _number(node: ast.expr) -> Number | None:
    value = found.value if (found := written(node)) else None
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None


def _values(node: ast.expr, *, is_one: bool) -> frozenset[str] | None:
    """The values that are written out, each as text; None where they are not."""
    found = written(node)
    if found is None:
        return None
    value = found.value
    if is_one:
        return frozenset([repr(value)]) if isinstance(value, str | bytes | bool | None) else None
    return frozenset(map(repr, value)) if isinstance(value, list | tuple | set | dict | frozenset) else None
