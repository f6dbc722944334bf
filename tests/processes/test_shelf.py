"""The library at the command line."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from bot.cli import app
from bot.processes.shelf import NotInLibrary, copied
from library.catalog import load_catalog


def test_every_script_is_listed_with_what_it_does() -> None:
    said = CliRunner().invoke(app, ["library"]).output

    assert all(name in said and script.says in said for name, script in load_catalog().items())


def test_one_script_is_shown_with_its_checks_and_code() -> None:
    said = CliRunner().invoke(app, ["library", "log-error-summary"]).output

    script = load_catalog()["log-error-summary"]
    assert all(f"- {check.name}: {check.says}" in said for check in script.checks)
    assert script.plan.decode().strip() in said


def test_a_copy_is_a_whole_script_and_nothing_is_overwritten(tmp_path: Path) -> None:
    made = copied("ranked-margin", tmp_path)

    assert (made / "plan.py").read_bytes() == load_catalog()["ranked-margin"].plan
    assert (made / "sample").is_dir()
    with pytest.raises(NotInLibrary, match="exists already"):
        copied("ranked-margin", tmp_path)


def test_a_name_that_is_none_of_them_says_which_there_are(tmp_path: Path) -> None:
    with pytest.raises(NotInLibrary, match=r"it has .*log-error-summary"):
        copied("no-such-script", tmp_path)
