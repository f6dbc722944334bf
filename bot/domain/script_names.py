"""Where a script's names get their values: everything that a condition rests on, followed through the text alone."""

from __future__ import annotations

import ast
import copy
import operator
from collections.abc import Callable, Iterator, Mapping, Sized
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import islice
from typing import Any

from bot.domain.facts import DECLARES_CHECK, READER_CHECKS
from bot.domain.literals import written

# Order and kind of a collection change nothing about which of its items a loop meets.
_SAME_ITEMS = ("sorted", "list", "tuple")
_SAME_VALUES = (*_SAME_ITEMS, "set", "frozenset")
_SUMS: Mapping[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv,
}  # fmt: skip
# Larger ones stay as they are written: nobody bounds a check by them, and sums of sums could fill the memory.
_LARGEST, _MOST_PARTS = 1e100, 2_000
_TAKES = ("clear", "pop", "popitem", "popleft", "remove", "discard", "difference_update")
# Calls that change nothing of what they are given.
_LOOKS = (
    "len", "bool", "any", "all", "sum", "min", "max", "sorted", "list", "tuple", "set", "frozenset", "dict", "str",
    "enumerate", "zip", "map", "filter", "range", "round", "abs", "print", "isinstance",
    *DECLARES_CHECK, *READER_CHECKS, "inputs", "table", "report", "metric", "intermediate",
)  # fmt: skip


class Change(StrEnum):
    """What a statement does to the things in what a name stands for."""

    ADDED = "added"
    TAKEN = "taken away"


@dataclass(frozen=True)
class _Setting:
    """One statement that sets or changes a name: its text, the names in it, and whether it is ever reached."""

    words: str
    used: frozenset[str]
    never: bool
    change: Change | None


@dataclass(frozen=True)
class Names:
    """What each name of a script is set by, as normalised text; parameters stand there with their values."""

    parameters: Mapping[str, Any]
    constants: Mapping[str, ast.expr]
    _shadowed: frozenset[str] = frozenset()  # names that have another value in places
    _given: frozenset[str] = frozenset()  # names whose collection may be filled or emptied elsewhere
    _set_by: dict[str, list[_Setting]] = field(default_factory=dict)

    @classmethod
    def of(cls, tree: ast.Module, parameters: Mapping[str, Any]) -> Names:
        names = cls(parameters, dict(_constants(tree)), frozenset(_own_names(tree)), frozenset(_given_away(tree)))
        for statement, around in _statements(tree):
            for name in _targets(statement):
                names._set_by.setdefault(name, []).append(names._read(statement, around))
        return names

    def behind(self, roots: frozenset[str]) -> frozenset[str]:
        """The text of all that sets these names, and of all that sets the names in it."""
        return frozenset(f"{name}: {one.words}" for name in self._behind(roots) for one in self._set_by.get(name, []))

    def _behind(self, roots: frozenset[str]) -> set[str]:
        seen: set[str] = set()
        waiting = list(roots)
        while waiting:
            name = waiting.pop()
            if name not in seen:
                seen.add(name)
                waiting += [used for one in self._set_by.get(name, []) for used in one.used]
        return seen

    def resolved(self, node: ast.expr) -> ast.expr:
        """The expression with the values of constants and parameters in place of their names, sums worked out."""
        return _Resolving(self).visit(copy.deepcopy(node))  # type: ignore[no-any-return] # an expression stays one

    def constant(self, name: str) -> ast.expr | None:
        """What the top level sets a name to, where nothing else in the script sets or changes it."""
        if len(self._set_by.get(name, [])) != 1 or name in self._shadowed:
            return None
        value = self.constants.get(name)
        return None if isinstance(value, ast.List | ast.Set | ast.Dict) and name in self._given else value

    def changed_in(self, name: str, change: Change) -> int:
        """In how many places something is added to what a name stands for, or taken away from it."""
        return sum(one.change is change for one in self._set_by.get(name, []))

    def is_cut_off(self, roots: frozenset[str]) -> bool:
        """Whether something that sets these names stands behind a test that never holds."""
        return any(one.never for name in self._behind(roots) for one in self._set_by.get(name, []))

    def parameters_in(self, node: ast.AST) -> list[str]:
        found = {_parameter(one) for one in ast.walk(node) if isinstance(one, ast.Subscript)} - {""}
        return [f"{name}={self.parameters.get(name)!r}" for name in sorted(found)]

    def _read(self, statement: ast.AST, around: tuple[ast.expr, ...]) -> _Setting:
        heads = [items_of(one) for one in around]
        return _Setting(
            words="; ".join([*heads, _head(statement), *self.parameters_in(statement)]),
            used=names_in(statement).union(*map(names_in, around)),
            never=any(map(_never_holds, (*around, *_filters(statement)))),
            change=_change(statement),
        )


class _Resolving(ast.NodeTransformer):
    """Puts values in place of names; `count` stays where it is counted, `LEAST = 5` becomes 5."""

    def __init__(self, names: Names) -> None:
        self._names = names
        self._values: dict[str, ast.expr | None] = {}  # each name is worked out once, or twenty lines double it often

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if node.id not in self._values:
            self._values[node.id] = None  # while it is worked out: what leads back to itself has no value
            self._values[node.id] = self._value(node.id)
        return self._values[node.id] or node

    def _value(self, name: str) -> ast.expr | None:
        value = self._names.constant(name)
        if value is None:
            return None
        found: ast.expr = self.visit(copy.deepcopy(value))
        is_small = sum(1 for _ in islice(ast.walk(found), _MOST_PARTS + 1)) <= _MOST_PARTS
        return found if is_small and written(found) else None

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        self.generic_visit(node)
        if name := _parameter(node):
            return _literal(self._names.parameters.get(name)) or node
        items, key = written(node.value), written(node.slice)
        try:
            return (items and key and _literal(items.value[key.value])) or node
        except (TypeError, LookupError):
            return node

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        self.generic_visit(node)
        sides = [one.value for one in (node.left, node.right) if isinstance(one, ast.Constant)]
        numbers = [one for one in sides if isinstance(one, int | float) and not isinstance(one, bool)]
        numbers = [one for one in numbers if abs(one) <= _LARGEST]
        work = _SUMS.get(type(node.op))
        if len(numbers) < 2 or work is None or (isinstance(node.op, ast.Div) and not numbers[1]):
            return node
        return ast.Constant(work(*numbers))

    def visit_Call(self, node: ast.Call) -> ast.expr:
        """`set(...)` and its like have the same values in them."""
        self.generic_visit(node)
        given = written(node.args[0]) if len(node.args) == 1 else None
        if not isinstance(node.func, ast.Name) or given is None:
            return node
        if node.func.id == "len" and isinstance(given.value, Sized):
            return ast.Constant(len(given.value))
        return node.args[0] if node.func.id in _SAME_VALUES else node


def names_in(node: ast.AST) -> frozenset[str]:
    """Every name that is read in it."""
    return frozenset(one.id for one in ast.walk(node) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Load))


def items_of(node: ast.expr) -> str:
    """What a loop goes over, as text; `sorted` and its like give the same items."""
    while isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _SAME_ITEMS and node.args:
        node = node.args[0]
    return ast.unparse(node)


def _statements(node: ast.AST, around: tuple[ast.expr, ...] = ()) -> Iterator[tuple[ast.AST, tuple[ast.expr, ...]]]:
    """Every statement with the tests and loops around it."""
    for child in ast.iter_child_nodes(node):
        inner = around
        if isinstance(child, ast.If | ast.While):
            inner = (*around, child.test)
        elif isinstance(child, ast.For):
            inner = (*around, child.iter)
        if isinstance(child, ast.stmt | ast.NamedExpr | ast.withitem):
            yield child, around
        yield from _statements(child, inner)


def _own_names(tree: ast.AST) -> Iterator[str]:
    """Names that a function or a comprehension has for itself, or that come from elsewhere."""
    for node in ast.walk(tree):
        if isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, ast.comprehension):
            yield from _bases(node.target)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            yield from (one.asname or one.name for one in node.names)


def _given_away(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and not (isinstance(node.func, ast.Name) and node.func.id in _LOOKS):
            given = [*node.args, *(one.value for one in node.keywords)]
            yield from (one.id for one in given if isinstance(one, ast.Name))  # which may fill it
        elif isinstance(node, ast.Assign) and isinstance(node.value, ast.Name):
            yield node.value.id  # which has another name now


def _change(statement: ast.AST) -> Change | None:
    if not isinstance(statement, ast.AugAssign | ast.Expr | ast.Delete):
        return None
    called = statement.value.func if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call) else None
    is_taken = isinstance(statement, ast.Delete) or (isinstance(called, ast.Attribute) and called.attr in _TAKES)
    return Change.TAKEN if is_taken else Change.ADDED


def _filters(statement: ast.AST) -> list[ast.expr]:
    return [test for one in ast.walk(statement) if isinstance(one, ast.comprehension) for test in one.ifs]


def _never_holds(test: ast.expr) -> bool:
    return isinstance(test, ast.Constant) and not test.value


def _targets(statement: ast.AST) -> set[str]:
    """The names that a statement sets or changes; a method called on a name may change it."""
    if isinstance(statement, ast.Assign):
        return set().union(*(_bases(one) for one in statement.targets))
    if isinstance(statement, ast.AnnAssign | ast.AugAssign | ast.NamedExpr | ast.For):
        return _bases(statement.target)
    if isinstance(statement, ast.withitem):
        return _bases(statement.optional_vars) if statement.optional_vars else set()
    if isinstance(statement, ast.FunctionDef | ast.ClassDef):
        return {statement.name}
    if isinstance(statement, ast.Delete):
        return set().union(*(_bases(one) for one in statement.targets))
    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
        called = statement.value.func
        return _bases(called.value) if isinstance(called, ast.Attribute) else set()
    return set()


def _bases(target: ast.AST) -> set[str]:
    """`a` of `a`, `a.b`, `a[b]`; all of a tuple."""
    if isinstance(target, ast.Tuple | ast.List):
        return set().union(*(_bases(one) for one in target.elts))
    while isinstance(target, ast.Attribute | ast.Subscript | ast.Starred):
        target = target.value
    return {target.id} if isinstance(target, ast.Name) else set()


def _head(statement: ast.AST) -> str:
    """A statement as text; of a loop its head alone, because what is inside has statements of its own."""
    if isinstance(statement, ast.For):
        return f"for {ast.unparse(statement.target)} in {items_of(statement.iter)}"
    return ast.unparse(statement)


def _constants(tree: ast.Module) -> Iterator[tuple[str, ast.expr]]:
    """Names that the script's top level gives a value, those of `A, B = 1, 2` among them."""
    for node in tree.body:
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.value:
            yield node.target.id, node.value
        elif isinstance(node, ast.Assign) and len(node.targets) == 1:
            target, value = node.targets[0], node.value
            pairs = [(target, value)]
            if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple) and len(target.elts) == len(value.elts):
                pairs = list(zip(target.elts, value.elts, strict=True))
            yield from ((name.id, one) for name, one in pairs if isinstance(name, ast.Name))


def _literal(value: Any) -> ast.expr | None:
    """A value as it would be written; None for what has no such form."""
    try:
        node = ast.parse(repr(value), mode="eval").body
    except SyntaxError:
        return None
    return node if value is not None and written(node) else None


def _parameter(node: ast.Subscript) -> str:
    is_params = isinstance(node.value, ast.Name) and node.value.id == "params"
    return str(node.slice.value) if is_params and isinstance(node.slice, ast.Constant) else ""
