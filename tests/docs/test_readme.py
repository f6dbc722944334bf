"""The README cannot lie: its commands, rooms, files and settings are those that exist."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from bot.agent.config import ModelSettings
from bot.domain.facts import of_script
from bot.settings import MODEL_PREFIX, PREFIX, Settings
from library.manifest_text import read_manifest
from sandbox.inside_files import run_files
from tests.bench.__main__ import NAMES

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
DEPLOY = (ROOT / "bot" / "processes" / "DEPLOY.md").read_text(encoding="utf-8")
QUOTED = re.findall(r"`([^`\n]+)`", README + DEPLOY)


def test_the_first_two_commands_start_it_and_test_it() -> None:
    blocks = re.findall(r"```sh\n(.+?)\n```", README, re.DOTALL)

    assert blocks[:2] == ["pip install uv && uv run standby up", "uv run pytest"]


def test_every_room_of_the_map_exists() -> None:
    rooms = re.findall(r"^\| `([a-z/_]+)` \|", README, re.MULTILINE)

    assert len(rooms) >= 9
    assert [room for room in rooms if not (ROOT / room).is_dir()] == []


@pytest.mark.parametrize("name", sorted(set(re.findall(r"STANDBY_[A-Z_]*[A-Z]", README + DEPLOY))))
def test_every_setting_it_names_exists(name: str) -> None:
    if name.startswith(MODEL_PREFIX):
        assert name.removeprefix(MODEL_PREFIX).lower() in ModelSettings.model_fields
    else:
        assert name.removeprefix(PREFIX).lower() in Settings.model_fields


def test_every_command_it_names_exists() -> None:
    from bot.cli import app  # noqa: PLC0415  builds the whole command line

    known = {command.name or command.callback.__name__ for command in app.registered_commands if command.callback}
    named = {match for text in QUOTED for match in re.findall(r"\bstandby ([a-z][a-z-]+)", text)}

    assert named - known == set()


def test_every_measurement_it_names_exists() -> None:
    named = re.findall(r"tests\.bench ([a-z_]+)", README)

    assert named
    assert set(named) <= set(NAMES)


def test_every_file_it_names_exists() -> None:
    paths = [text for text in QUOTED if re.fullmatch(r"[a-z_/]+\.(?:json|py|md|toml)", text)]

    assert [path for path in paths if not (ROOT / path).exists()] == []


def test_the_python_versions_are_those_of_the_package() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]

    assert project["requires-python"] == ">=3.11,<3.14"
    assert "Python 3.11 to 3.13" in README


def test_the_script_of_ones_own_is_one_that_the_kit_runs(tmp_path: Path) -> None:
    # Given the three files as the README shows them, beside the kit, and a log
    kinds = {"plan.py": "python", "report.md": "markdown", "plan.toml": "toml"}
    for name, kind in kinds.items():
        [body] = re.findall(rf"\*\*{re.escape(name)}\*\*\n\n```{kind}\n(.+?)\n```", README, re.DOTALL)
        (tmp_path / name).write_text(body + "\n", encoding="utf-8")
    for path, data in run_files().items():
        if path.startswith("kit/"):
            (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / path).write_bytes(data)
    (tmp_path / "inputs").mkdir()
    (tmp_path / "inputs" / "a.log").write_text("08:12 ERROR lamp\n08:13 INFO on\n", encoding="utf-8")
    # Then its manifest is one, its checks are those it declares, and plain Python makes its report
    declared = {check.name for check in read_manifest((tmp_path / "plan.toml").read_bytes()).checks}
    assert set(of_script((tmp_path / "plan.py").read_text(encoding="utf-8")).check_names) == declared
    done = subprocess.run([sys.executable, "plan.py"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert "**1 error**" in done.stdout, done.stderr
