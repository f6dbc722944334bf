"""The places where a script asks a check: when it raises there, under which circumstances, resting on what."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from bot.domain.facts import CHECK_USUAL, DECLARES_CHECK, READER_CHECKS, UNUSUAL
from bot.domain.formulas import Formula, every, formula
from bot.domain.literals import written
from bot.domain.script_names import Change, Names, items_of, names_in

CONDITION = 1  # check(name, condition, message, ...)
# Calls of the kit that raise surprises of their own; what they are told decides what they hear.
READERS = (
    "inputs", "read_excel", "read_json", "read_log", "read_parquet", "text_lines", "exact_number",
    "CsvReader", "ExcelReader", "JsonReader", "LogReader", "ParquetReader",
    *READER_CHECKS,
)  # fmt: skip
_LEAVES = ("exit", "quit", "SystemExit")
_CALLS_DEEP = 4  # how many functions a check may be wrapped in before its circumstances count as unclear
_MOST_PLACES = 2_000  # where the functions around the checks of a script are called, each as often as a check is in it


class TooTangled(Exception):
    """Its functions call each other in more ways than can be followed."""


class Kind(StrEnum):
    """What stands around a check."""

    ONLY_IF = "only if"  # a test; the check is asked where it holds
    AFTER = "after"  # something above it that may leave before it is reached
    EACH = "for each of"  # a loop: nothing to go over, nothing asked
    CAUGHT = "caught"  # whatever it raises is held back
    WITHIN = "within"  # something that the text does not say when or how often it runs


@dataclass(frozen=True)
class Around:
    """One circumstance. `when` is the test of an ONLY_IF; `of` is what the things that a loop goes over are part of."""

    kind: Kind
    words: str
    when: Formula | None = None
    of: str = ""


@dataclass(frozen=True)
class CheckCall:
    """One place where a check is asked.

    It raises there where `fires` holds; `as_written` is the same with the names of constants and parameters. `told` are
    its arguments with their values, where these are written out. `rests_on` is all that sets what it looks at;
    `is_cut_off` where some of that stands behind a test that never holds; `fed` and `drained` say in how many places
    something is added to what it looks at, and taken away.
    """

    condition: str
    fires: Formula
    as_written: Formula
    around: tuple[Around, ...] = ()
    told: Mapping[str, Any] = field(default_factory=dict)
    rests_on: frozenset[str] = frozenset()
    is_cut_off: bool = False
    fed: Mapping[str, int] = field(default_factory=dict)
    drained: Mapping[str, int] = field(default_factory=dict)

    @property
    def raises(self) -> Formula:
        """When it is reached and raises, as far as its condition and the tests around it say."""
        return every(self.fires, *(one.when for one in self.around if one.when is not None))


def check_calls(source: str, parameters: Mapping[str, Any]) -> dict[str, list[CheckCall]]:
    """The calls of each check, in the order of the text; the kit's readers as `NAME()`.

    Raises SyntaxError for what is no Python, TooTangled, and RecursionError for what is nested too deeply.
    """
    tree = ast.parse(source)
    script = _Script(tree, Names.of(tree, parameters))
    found: dict[str, list[CheckCall]] = {}
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    for node in sorted(calls, key=lambda one: (one.lineno, one.col_offset)):
        if name := _name(node):
            found.setdefault(name, []).append(script.call(node))
    return found


def is_reader(name: str) -> bool:
    return name.endswith("()")


def _called(node: ast.Call) -> str:
    called = node.func
    return called.id if isinstance(called, ast.Name) else called.attr if isinstance(called, ast.Attribute) else ""


def _name(node: ast.Call) -> str:
    """The check that a call asks; empty for another call, or where the name is not written out."""
    name = _called(node)
    if name == CHECK_USUAL:
        return UNUSUAL
    if name in READERS:
        return f"{name}()"
    first = node.args[0] if node.args else None
    is_check = name in DECLARES_CHECK and isinstance(first, ast.Constant) and isinstance(first.value, str)
    return str(first.value) if is_check and isinstance(first, ast.Constant) else ""


class _Script:
    """A script's tree with the way up from each node."""

    def __init__(self, tree: ast.Module, names: Names) -> None:
        self._names = names
        self._above = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
        self._calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
        self._places = 0

    def call(self, node: ast.Call) -> CheckCall:
        condition = self._condition(node)
        tests: list[ast.expr] = [condition] if condition is not None else []
        tests += node.args[1:] if _called(node) == CHECK_USUAL else []
        around = tuple(self._around(node, tests, _CALLS_DEEP))
        resolved = [self._names.resolved(test) for test in tests]
        roots = frozenset[str]().union(*map(names_in, resolved))
        return CheckCall(
            condition=ast.unparse(resolved[0]) if condition is not None else "",
            fires=every() if condition is None else formula(resolved[0], holds=False),
            as_written=every() if condition is None else formula(condition, holds=False),
            around=around,
            told=self._told(node),
            rests_on=self._names.behind(roots),
            is_cut_off=self._names.is_cut_off(roots),
            fed={name: self._names.changed_in(name, Change.ADDED) for name in roots},
            drained={name: self._names.changed_in(name, Change.TAKEN) for name in roots},
        )

    def _condition(self, node: ast.Call) -> ast.expr | None:
        if _called(node) != "check":
            return None
        named = next((one.value for one in node.keywords if one.arg == "condition"), None)
        return node.args[CONDITION] if len(node.args) > CONDITION else named

    def _told(self, node: ast.Call) -> dict[str, Any]:
        """By place or name: a value where one is written out, else its text. A surprise is told words alone."""
        if _called(node) in ("check", "Surprise"):
            return {}
        given = [
            *((str(place), one) for place, one in enumerate(node.args)),
            *((k.arg, k.value) for k in node.keywords),
        ]
        return {name or "**": _value(self._names.resolved(one)) for name, one in given}

    def _around(self, node: ast.AST, tests: list[ast.expr], deep: int) -> Iterator[Around]:
        """What must be so for a place to be reached, outermost first; the expressions in it are added to `tests`."""
        found: list[Around] = []
        child, parent = node, self._above.get(node)
        while parent is not None:
            found += self._before(parent, child)
            found += self._guard(parent, child, tests)
            if isinstance(parent, ast.FunctionDef | ast.Lambda):
                yield from self._callers(parent, tests, deep)
                break
            child, parent = parent, self._above.get(parent)
        yield from reversed(found)

    def _callers(self, function: ast.FunctionDef | ast.Lambda, tests: list[ast.expr], deep: int) -> Iterator[Around]:
        """A check in a function is reached where the function is called."""
        name = function.name if isinstance(function, ast.FunctionDef) else ""
        calls = [one for one in self._calls if name and _called(one) == name]
        if not calls or not deep:
            yield Around(Kind.WITHIN, f"{name or 'a lambda'}, which is called nowhere that the text shows")
        for call in calls if deep else []:
            self._places += 1
            if self._places > _MOST_PLACES:
                raise TooTangled
            yield from self._around(call, tests, deep - 1)

    def _before(self, parent: ast.AST, child: ast.AST) -> Iterator[Around]:
        """Ways out that stand before it in the same block."""
        for block in ("body", "orelse", "finalbody"):
            statements = getattr(parent, block, None)
            if isinstance(statements, list) and child in statements:
                left = [one for one in statements[: statements.index(child)] if _leaves(one)]
                yield from (Around(Kind.AFTER, ast.unparse(one)) for one in left)

    def _only_if(self, test: ast.expr, *, holds: bool = True) -> Around:
        resolved = self._names.resolved(test)
        return Around(Kind.ONLY_IF, f"{'' if holds else 'not '}`{ast.unparse(test)}`", formula(resolved, holds=holds))

    def _guard(self, parent: ast.AST, child: ast.AST, tests: list[ast.expr]) -> Iterator[Around]:
        """What a statement or expression makes of the part of it that leads to the check."""
        if isinstance(parent, ast.If | ast.While | ast.IfExp) and child is not parent.test:
            tests.append(parent.test)
            is_body = child in parent.body if isinstance(parent.body, list) else child is parent.body
            yield self._only_if(parent.test, holds=is_body)
        elif isinstance(parent, ast.For) and child is not parent.iter:
            tests.append(parent.iter)
            yield _each(parent.iter)
        elif isinstance(parent, ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp):
            for one in parent.generators:
                tests += [one.iter, *one.ifs]
                yield from map(self._only_if, reversed(one.ifs))
                yield _each(one.iter)
        elif isinstance(parent, ast.BoolOp) and child is not parent.values[0]:
            earlier = parent.values[: parent.values.index(child)]  # type: ignore[arg-type] # a child of it is an expression
            tests += earlier
            yield from (self._only_if(one, holds=isinstance(parent.op, ast.And)) for one in earlier)
        elif isinstance(parent, ast.Try):
            if child not in parent.body:
                yield Around(Kind.WITHIN, "the handling of an error")
            elif _holds_back(parent):
                yield Around(Kind.CAUGHT, "")
        elif isinstance(parent, ast.With | ast.Match | ast.ClassDef | ast.AsyncFunctionDef | ast.Await):
            yield Around(Kind.WITHIN, ast.unparse(parent).splitlines()[0])


def _each(items: ast.expr) -> Around:
    part_of = items.value if isinstance(items, ast.Subscript) else None
    return Around(Kind.EACH, f"`{items_of(items)}`", of=f"`{items_of(part_of)}`" if part_of is not None else "")


def _holds_back(parent: ast.Try) -> bool:
    """Whether a surprise may end here: `except ValueError` lets it pass, `except Exception` does not."""
    if any(
        isinstance(one, ast.Return | ast.Break | ast.Continue) for last in parent.finalbody for one in ast.walk(last)
    ):
        return True
    return any(_may_catch(one.type) and not _raises_again(one) for one in parent.handlers)


def _may_catch(kind: ast.expr | None) -> bool:
    if isinstance(kind, ast.Tuple):
        return any(_may_catch(one) for one in kind.elts)
    known = getattr(builtins, kind.id, None) if isinstance(kind, ast.Name) else None
    is_other = isinstance(known, type) and issubclass(known, BaseException) and known not in (Exception, BaseException)
    return not is_other


def _raises_again(handler: ast.ExceptHandler) -> bool:
    last = handler.body[-1]
    return isinstance(last, ast.Raise) and last.exc is None


def _leaves(statement: ast.stmt, *, in_loop: bool = False) -> bool:
    """Whether it may end the block, the function or the script before what stands below it."""
    if isinstance(statement, ast.FunctionDef | ast.ClassDef):
        return False
    if isinstance(statement, ast.Return) or (isinstance(statement, ast.Continue | ast.Break) and not in_loop):
        return True
    inner = in_loop or isinstance(statement, ast.For | ast.While)
    for child in ast.iter_child_nodes(statement):
        if isinstance(child, ast.stmt) and _leaves(child, in_loop=inner):
            return True
        if isinstance(child, ast.ExceptHandler | ast.match_case) and any(
            _leaves(one, in_loop=inner) for one in child.body
        ):
            return True
        if isinstance(child, ast.expr) and any(isinstance(n, ast.Name) and n.id in _LEAVES for n in ast.walk(child)):
            return True
    return False


def _value(node: ast.expr) -> Any:
    found = written(node)
    return f"`{ast.unparse(node)}`" if found is None else found.value
