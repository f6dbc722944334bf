"""What is copied into a box runs there alone: it imports itself, the standard library and the box's own libraries."""

import ast
import sys
from pathlib import Path

import pytest

from sandbox.inside_files import LOOK, look_files, run_files
from tests.architecture.repository import ROOT

BOX_LIBRARIES = {"duckdb", "polars", "openpyxl", "matplotlib"}


def at_look_home() -> dict[str, bytes]:
    """What looks at files, by path in its own folder of the box, which is where Python finds its imports."""
    return {name.removeprefix(f"{LOOK}/"): data for name, data in look_files().items()}


def imported(source: bytes) -> set[str]:
    """The top-level names that a file imports; relative imports stay within its package."""
    names = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            names.add((node.module or "").split(".")[0])
    return names


@pytest.mark.parametrize("files", [run_files(), at_look_home()], ids=["runs", "looks"])
def test_every_import_in_a_box_is_there(files):
    inside = {name: data for name, data in files.items() if name.endswith(".py")}
    own = {Path(name).parts[0].removesuffix(".py") for name in inside}

    missing = {name: imported(data) - own - BOX_LIBRARIES - sys.stdlib_module_names for name, data in inside.items()}

    assert "kit" in own
    assert {name: names for name, names in missing.items() if names} == {}


def test_what_is_copied_is_byte_for_byte_what_is_read_here():
    for name, data in (run_files() | at_look_home()).items():
        at_home = [ROOT / "sandbox/inside" / name, ROOT / "sandbox" / name, ROOT / "library" / name]
        assert any(path.is_file() and path.read_bytes() == data for path in at_home), name
