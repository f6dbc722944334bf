"""A file is a room with one purpose and a function one story: both stay short enough to be read in one go."""

import ast
from pathlib import Path

from tests.architecture.repository import ROOMS, sources, text

FILE_LINES = 300
TEST_FILE_LINES = 400
FUNCTION_LINES = 60
MIGRATIONS = Path("bot/store/migrations/versions")  # alembic writes these: lists of columns, read once


def test_no_file_is_longer_than_one_sitting():
    read = [path for path in sources(*ROOMS) if path.parent != MIGRATIONS]
    long = {str(path): n for path in read if (n := len(text(path).splitlines())) > FILE_LINES}
    assert long == {}


def test_no_test_file_is_longer_than_one_sitting():
    long = {str(path): n for path in sources("tests") if (n := len(text(path).splitlines())) > TEST_FILE_LINES}
    assert long == {}


def test_no_function_is_longer_than_a_screen():
    long = {
        f"{path}:{node.lineno} {node.name}": length
        for path in sources(*ROOMS)
        for node in ast.walk(ast.parse(text(path)))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and (length := (node.end_lineno or node.lineno) - node.lineno + 1) > FUNCTION_LINES
        and path.parent != MIGRATIONS
    }
    assert long == {}


def test_every_module_says_in_a_sentence_what_it_is_for():
    silent = [
        str(path) for path in sources(*ROOMS) if text(path).strip() and ast.get_docstring(ast.parse(text(path))) is None
    ]
    assert silent == []
