"""The hosted template: the same libraries as here, by a command that says what it does; building is not tried here."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.metadata import version

import pytest

from sandbox.template.build import main
from sandbox.template.recipe import LIBRARIES, recipe


def test_the_template_holds_what_boxes_here_have_in_the_same_versions() -> None:
    assert recipe().packages == tuple(f"{name}=={version(name)}" for name in LIBRARIES)
    assert all(version(name).replace(".", "-") in recipe().tag for name in LIBRARIES)


def test_the_command_says_what_it_would_build(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--show", "--name", "lab"]) == 0

    shown = capsys.readouterr().out
    assert f"lab:{recipe().tag}" in shown and f"duckdb=={version('duckdb')}" in shown


def test_without_a_key_nothing_is_built_and_the_variable_is_named() -> None:
    environ = {name: value for name, value in os.environ.items() if name != "E2B_API_KEY"}
    argv = [sys.executable, "-m", "sandbox.template.build"]

    refused = subprocess.run(argv, capture_output=True, text=True, check=False, env=environ)

    assert refused.returncode == 1 and "E2B_API_KEY" in refused.stderr
