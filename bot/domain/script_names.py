"""Where a script's names get their values: everything that a condition rests on, followed through the text alone."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

# Order and kind of a collection change nothing about which of its items a loop meets.
_SAME_ITEMS = ("sorted", "list", "tuple")


@dataclass(frozen=True)
class Names:
    """What each name of a script is set by, as normalised text; parameters stand there with their values."""

    parameters: Mapping[str, Any]
    constants: Mapping[str, ast.expr]
    _set_by: dict[str, list[tuple[str, frozenset[str]]]] = field(default_factory=dict)

    @classmethod
    def of(cls, tree: ast.Module, parameters: Mapping[str, Any]) -> Names:
        names = cls(parameters, dict(_constants(tree)))
        for statement, around in _statements(tree):
            for name in _targets(statement):
                names._set_by.setdefault(name, []).append(names._read(statement, around))
        return names

    def behind(self, roots: frozenset[str]) -> frozenset[str]:
        """The text of all that sets these names, and of all that sets the names in it."""
        found: set[str] = set()
        seen: set[str] = set()
        waiting = list(roots)
        while waiting:
            name = waiting.pop()
            if name in seen:
                continue
            seen.add(name)
            for words, used in self._set_by.get(name, []):
                found.add(f"{name}: {words}")
                waiting += used
        return frozenset(found)

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

    def holds(self, node: ast.expr, seen: frozenset[str] = frozenset()) -> bool:
        """Whether a condition is true whatever the data: a constant, `x or True`, `not False`, a name for one."""
        if isinstance(node, ast.BoolOp):
            holds = [self.holds(one, seen) for one in node.values]
            return any(holds) if isinstance(node.op, ast.Or) else all(holds)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            return isinstance(node.operand, ast.Constant) and not node.operand.value
        if isinstance(node, ast.Name) and node.id in self.constants and node.id not in seen:
            return self.holds(self.constants[node.id], seen | {node.id})
        return isinstance(node, ast.Constant) and bool(node.value)

    def parameters_in(self, node: ast.AST) -> list[str]:
        found = {_parameter(one) for one in ast.walk(node) if isinstance(one, ast.Subscript)} - {""}
        return [f"{name}={self.parameters.get(name)!r}" for name in sorted(found)]

    def _read(self, statement: ast.AST, around: tuple[str, ...]) -> tuple[str, frozenset[str]]:
        words = [*around, _head(statement), *self.parameters_in(statement)]
        used = names_in(statement).union(*(names_in(ast.parse(one, mode="eval")) for one in around if _is_code(one)))
        return "; ".join(words), used


def names_in(node: ast.AST) -> frozenset[str]:
    """Every name that is read in it."""
    return frozenset(one.id for one in ast.walk(node) if isinstance(one, ast.Name))


def items_of(node: ast.expr) -> str:
    """What a loop goes over, as text; `sorted` and its like give the same items."""
    while isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _SAME_ITEMS and node.args:
        node = node.args[0]
    return ast.unparse(node)


def _is_code(words: str) -> bool:
    try:
        ast.parse(words, mode="eval")
    except SyntaxError:
        return False
    return True


def _statements(node: ast.AST, around: tuple[str, ...] = ()) -> Iterator[tuple[ast.AST, tuple[str, ...]]]:
    """Every statement with the tests and loops around it."""
    for child in ast.iter_child_nodes(node):
        inner = around
        if isinstance(child, ast.If | ast.While):
            inner = (*around, ast.unparse(child.test))
        elif isinstance(child, ast.For):
            inner = (*around, items_of(child.iter))
        if isinstance(child, ast.stmt | ast.NamedExpr | ast.withitem):
            yield child, around
        yield from _statements(child, inner)


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
    """Names that the script's top level gives one simple value."""
    for node in tree.body:
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
            if isinstance(node.value, ast.Constant | ast.UnaryOp | ast.BinOp | ast.Subscript):
                yield node.targets[0].id, node.value
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.value:
            yield node.target.id, node.value


def _parameter(node: ast.Subscript) -> str:
    is_params = isinstance(node.value, ast.Name) and node.value.id == "params"
    return str(node.slice.value) if is_params and isinstance(node.slice, ast.Constant) else ""
