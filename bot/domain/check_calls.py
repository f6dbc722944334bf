"""The places where a script asks a check: with what condition, under which circumstances, resting on what."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from bot.domain.facts import DECLARES_CHECK, KIT_CHECKS
from bot.domain.script_names import Names, items_of, names_in

CONDITION = 1  # check(name, condition, message, ...)
# Calls of the kit that raise surprises of their own; what they are told decides what they hear.
READERS = (
    "inputs", "read_csv", "read_excel", "read_json", "read_log", "read_parquet", "text_lines", "exact_number",
    "CsvReader", "ExcelReader", "JsonReader", "LogReader", "ParquetReader",
)  # fmt: skip
_LEAVES = ("exit", "quit", "SystemExit")
_CALLS_DEEP = 4  # how many functions a check may be wrapped in before its circumstances count as unclear

IF, CAUGHT, AFTER, EACH, WITHIN = "only if ", "caught", "after ", "for each of ", "within "
REPORTED = "after the report"


@dataclass(frozen=True)
class CheckCall:
    """One place where a check is asked.

    `bounds` are the numbers that its condition compares with. `around` is what stands around it, outermost first:
    each begins with IF, CAUGHT, AFTER, EACH or WITHIN. `rests_on` is all that sets what it looks at.
    """

    condition: str
    bounds: tuple[str, ...]
    always_holds: bool
    around: tuple[str, ...] = ()
    rests_on: frozenset[str] = frozenset()


def check_calls(source: str, parameters: Mapping[str, Any]) -> dict[str, list[CheckCall]]:
    """The calls of each check, in the order of the text; the kit's readers under `reading: NAME`.

    Raises SyntaxError for what is no Python.
    """
    tree = ast.parse(source)
    script = _Script(tree, Names.of(tree, parameters))
    found: dict[str, list[CheckCall]] = {}
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    for node in sorted(calls, key=lambda one: (one.lineno, one.col_offset)):
        if name := _name(node):
            found.setdefault(name, []).append(script.call(node))
    return found


def _called(node: ast.Call) -> str:
    called = node.func
    return called.id if isinstance(called, ast.Name) else called.attr if isinstance(called, ast.Attribute) else ""


def _name(node: ast.Call) -> str:
    """The check that a call asks; empty for another call, or where the name is not written out."""
    name = _called(node)
    if name in KIT_CHECKS:
        return KIT_CHECKS[name]
    if name in READERS:
        return f"reading: {name}"
    first = node.args[0] if node.args else None
    is_check = name in DECLARES_CHECK and isinstance(first, ast.Constant) and isinstance(first.value, str)
    return str(first.value) if is_check and isinstance(first, ast.Constant) else ""


class _Script:
    """A script's tree with the way up from each node."""

    def __init__(self, tree: ast.Module, names: Names) -> None:
        self._names = names
        self._above = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
        self._tree = tree

    def call(self, node: ast.Call) -> CheckCall:
        condition = self._condition(node)
        tests: list[ast.expr] = [condition] if condition is not None else []
        tests += node.args if _called(node) in KIT_CHECKS else []
        around = tuple(self._around(node, tests, _CALLS_DEEP))
        roots = frozenset[str]().union(*(names_in(test) for test in tests))
        rests_on = self._names.behind(roots)
        if condition is None:  # all that its arguments say is what it asks
            is_raised = _called(node) == "Surprise"  # then what it asks is around it
            words = "" if is_raised else _arguments(node)
            return CheckCall(words, () if is_raised else tuple(self._names.bounds(node)), False, around, rests_on)
        bounds, holds = tuple(self._names.bounds(condition)), self._names.holds(condition)
        return CheckCall(ast.unparse(condition), bounds, holds, around, rests_on)

    def _condition(self, node: ast.Call) -> ast.expr | None:
        if _called(node) != "check":
            return None
        named = next((one.value for one in node.keywords if one.arg == "condition"), None)
        return node.args[CONDITION] if len(node.args) > CONDITION else named

    def _around(self, node: ast.AST, tests: list[ast.expr], deep: int) -> Iterator[str]:
        """What must be so for a place to be reached; the expressions in it are added to `tests`."""
        found: list[str] = []
        child, parent = node, self._above.get(node)
        while parent is not None:
            found += self._before(parent, child)
            found += _guard(parent, child, tests)
            if isinstance(parent, ast.FunctionDef | ast.Lambda):
                yield from self._callers(parent, tests, deep)
            child, parent = parent, self._above.get(parent)
        yield from reversed(found)

    def _callers(self, function: ast.FunctionDef | ast.Lambda, tests: list[ast.expr], deep: int) -> Iterator[str]:
        """A check in a function is reached where the function is called."""
        name = function.name if isinstance(function, ast.FunctionDef) else ""
        calls = [one for one in ast.walk(self._tree) if isinstance(one, ast.Call) and name and _called(one) == name]
        yield f"{WITHIN}{name or 'a lambda'}, called in {len(calls)} places"
        if deep:
            for call in calls:
                yield from self._around(call, tests, deep - 1)

    def _before(self, parent: ast.AST, child: ast.AST) -> Iterator[str]:
        """Ways out that stand before it in the same block, and the report itself."""
        for block in ("body", "orelse", "finalbody"):
            statements = getattr(parent, block, None)
            if isinstance(statements, list) and child in statements:
                for one in statements[: statements.index(child)]:
                    if _leaves(one):
                        yield AFTER + ast.unparse(one)
                    if isinstance(parent, ast.Module) and _reports(one):
                        yield REPORTED


def _guard(parent: ast.AST, child: ast.AST, tests: list[ast.expr]) -> Iterator[str]:
    """What a statement or expression makes of the part of it that leads to the check."""
    if isinstance(parent, ast.If | ast.While | ast.IfExp) and child is not parent.test:
        tests.append(parent.test)
        is_body = child in parent.body if isinstance(parent.body, list) else child is parent.body
        yield f"{IF}{'' if is_body else 'not '}`{ast.unparse(parent.test)}`"
    elif isinstance(parent, ast.For) and child is not parent.iter:
        tests.append(parent.iter)
        yield f"{EACH}`{items_of(parent.iter)}`"
    elif isinstance(parent, ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp):
        for one in parent.generators:
            tests += [one.iter, *one.ifs]
            yield f"{EACH}`{items_of(one.iter)}`"
            yield from (f"{IF}`{ast.unparse(test)}`" for test in one.ifs)
    elif isinstance(parent, ast.BoolOp) and child is not parent.values[0]:
        earlier = parent.values[: parent.values.index(child)]  # type: ignore[arg-type] # a child of it is an expression
        tests += earlier
        yield f"{IF}`{' '.join(ast.unparse(one) for one in earlier)}`"
    elif isinstance(parent, ast.Try):
        yield from [CAUGHT] if child in parent.body else [f"{WITHIN}the handling of an error"]
    elif isinstance(parent, ast.With | ast.Match | ast.ClassDef | ast.AsyncFunctionDef | ast.Await):
        yield f"{WITHIN}{ast.unparse(parent).splitlines()[0]}"


def _leaves(statement: ast.stmt) -> bool:
    """Whether it may end the block, the function or the script before what stands below it."""
    for one in ast.walk(statement):
        if isinstance(one, ast.Return | ast.Continue | ast.Break):
            return not isinstance(statement, ast.FunctionDef | ast.ClassDef)
        if isinstance(one, ast.Name) and one.id in _LEAVES:
            return True
    return False


def _reports(statement: ast.stmt) -> bool:
    return any(isinstance(one, ast.Call) and _called(one) == "report" for one in ast.walk(statement))


def _arguments(node: ast.Call) -> str:
    """What a reader or a check of the kit is told: how strict it is."""
    return ", ".join([*map(ast.unparse, node.args), *sorted(map(ast.unparse, node.keywords))])
