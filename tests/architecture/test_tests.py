"""Tests fake the wire, never the object, and none of them is left out."""

import ast
import subprocess
import sys
from pathlib import Path

from tests.architecture.repository import ROOT, sources, text

REPLACERS = {"monkeypatch", "mocker", "unittest.mock", "mock", "pytest_mock"}


def replaced(path: Path) -> list[str]:
    """Where a file of tests asks for something that replaces parts of ours."""
    found = []
    for node in ast.walk(ast.parse(text(path))):
        names: list[str] = []
        if isinstance(node, ast.arg):
            names = [node.arg]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [node.module or "", *(f"{node.module}.{alias.name}" for alias in node.names)]
        elif isinstance(node, ast.Attribute):
            names = [node.attr] if node.attr == "MonkeyPatch" else []
        found += [f"{path}:{node.lineno} {name}" for name in names if name in REPLACERS or name == "MonkeyPatch"]
    return found


def test_no_test_replaces_a_part_of_ours():
    assert [line for path in sources("tests") for line in replaced(path)] == []


def test_a_replaced_part_would_be_seen(tmp_path: Path):
    planted = tmp_path / "test_planted.py"
    planted.write_text(
        "from unittest import mock\nimport pytest\ndef test(monkeypatch): ...\npatch = pytest.MonkeyPatch()\n"
    )
    assert [line.split(" ", 1)[1] for line in replaced(planted)] == ["unittest.mock", "monkeypatch", "MonkeyPatch"]


def test_every_folder_with_tests_is_collected():
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-p", "no:cacheprovider", "-n0", "-m", ""]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    collected = {line.split("::")[0] for line in ended.stdout.splitlines() if "::" in line}

    written = {str(path) for path in sources("tests") if path.name.startswith("test_")}

    assert ended.returncode == 0, ended.stdout[-2000:]
    assert collected >= written
