"""Every check of every proven script, made to hear less in every simple way: each is noticed; other edits are not."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bot.domain.facts import of_script
from bot.domain.loosened import Loosened, loosened

LIBRARY = Path(__file__).parents[2] / "library"
SCRIPTS = sorted(path.parent.name for path in LIBRARY.glob("*/plan.py"))
PARAMETERS: dict[str, Any] = {
    "levels": ["ERROR"], "leave_out": [], "top": 5, "low": 1, "high": 9, "up": ["UP"], "down": ["DOWN"],
    "expected_files": {"a.log": 1}, "dates": {"late_days": 1, "most_days": 9, "quiet_days": 1}, "readers": {},
}  # fmt: skip


def is_check(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) and ast.unparse(node.value.func) == "check"


class AtCheck(ast.NodeTransformer):
    """Puts other statements in place of the check that comes at this place."""

    def __init__(self, place: int, way: str) -> None:
        self._left, self._way = place, way

    def visit_Expr(self, node: ast.Expr) -> ast.AST:
        self._left -= is_check(node)
        if self._left != -1 or not is_check(node):
            return node
        self._left -= 1
        words = self._way.format(check=ast.unparse(node))
        made = ast.parse(words).body[0]
        if self._way == "{check}" and isinstance(made, ast.Expr) and isinstance(made.value, ast.Call):
            made.value.args[1] = ast.parse(f"({ast.unparse(made.value.args[1])}) or odd_one_out", mode="eval").body
        return made


WAYS = (
    "{check}",  # with another way to pass
    "pass",
    "if not quiet:\n    {check}",
    "try:\n    {check}\nexcept Exception:\n    pass",
    "for one in []:\n    {check}",
    "def ask():\n    {check}",
)


def weakened(source: str) -> Iterator[tuple[str, str]]:
    checks = sum(map(is_check, ast.walk(ast.parse(source))))
    for place in range(checks):
        for way in WAYS:
            yield f"check {place}: {way}", ast.unparse(AtCheck(place, way).visit(ast.parse(source)))


@pytest.mark.parametrize("name", SCRIPTS)
def test_each_check_of_a_proven_script_that_is_made_to_hear_less_is_noticed(name: str) -> None:
    source = (LIBRARY / name / "plan.py").read_text(encoding="utf-8")
    names = set(of_script(source).check_names)
    for what, mutant in weakened(source):
        is_gone = names - set(of_script(mutant).check_names)
        assert is_gone or loosened(source, mutant, PARAMETERS, PARAMETERS).weaker, f"{what}\n{mutant}"


@pytest.mark.parametrize("name", SCRIPTS)
def test_another_layout_another_message_and_one_more_table_are_nothing(name: str) -> None:
    source = (LIBRARY / name / "plan.py").read_text(encoding="utf-8")
    other = ast.unparse(ast.parse(source)).replace("no file was posted", "nobody posted a file")
    other += '\ntable("More", ["rows"], [[1]])\n'

    assert loosened(source, other, PARAMETERS, PARAMETERS) == Loosened()
