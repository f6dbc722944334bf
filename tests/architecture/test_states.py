"""Every change of a state goes through the one guarded move, which knows the tables."""

import ast

from tests.architecture.repository import sources, text

MOVE = "bot/store/guarded.py"


def test_no_state_is_set_but_by_a_move():
    found = [
        f"{path}:{node.lineno}"
        for path in sources("bot")
        if path.as_posix() != MOVE and not path.is_relative_to("bot/desk")
        for node in ast.walk(ast.parse(text(path)))
        if _sets_a_state(node)
    ]
    assert found == []


def _sets_a_state(node: ast.AST) -> bool:
    """`row.state = …`, also among others; and `.values(state=…)` of an UPDATE, which an INSERT may have."""
    if isinstance(node, ast.Assign | ast.AugAssign | ast.AnnAssign):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        return any(isinstance(one, ast.Attribute) and one.attr == "state" for t in targets for one in ast.walk(t))
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "values":
        is_update = any(isinstance(one, ast.Name) and one.id == "update" for one in ast.walk(node.func))
        return is_update and any(keyword.arg == "state" for keyword in node.keywords)
    return False
