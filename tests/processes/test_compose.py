"""The compose file parses, names commands and settings that exist, and gives the model's key to the agent alone."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

from bot.cli import app
from bot.processes.environment import for_part
from bot.settings import MODEL_KEYS, PREFIX, Settings

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "bot/processes/compose.yaml").read_text(encoding="utf-8")

DECIDED_HERE = {f"{PREFIX}{name}" for name in ("DATABASE_URL", "DATA_DIR", "HEALTH_PORT", "HEALTH_HOST")}

SERVICES: dict[str, dict[str, Any]] = yaml.safe_load(TEXT)["services"]


def test_its_processes_are_those_of_the_procfile() -> None:
    procfile = dict(re.findall(r"^(\w+): (.+)$", (ROOT / "Procfile").read_text(), re.MULTILINE))

    ours = {name: service["command"] for name, service in SERVICES.items() if name != "database"}

    assert ours.keys() == procfile.keys()
    for name, command in ours.items():
        assert command.rpartition("standby ")[2] == procfile[name].rpartition("standby ")[2]


def test_its_commands_exist() -> None:
    known = {command.name or command.callback.__name__ for command in app.registered_commands if command.callback}

    assert {s["command"].split()[-1] for s in SERVICES.values() if "command" in s} <= known


@pytest.mark.parametrize("name", ["bot", "agent", "runner", "clock"])
def test_every_setting_reaches_the_services_and_a_secret_only_those_that_need_it(name: str) -> None:
    given = SERVICES[name]["environment"]
    needed = {one for one in for_part(name, Settings.load({}), {}) if one.startswith(PREFIX)}

    assert {one for one in given if one.startswith(PREFIX)} == needed
    # Without a value Compose hands on what standby.env says, and nothing where it says nothing.
    assert {one for one in needed if given[one] is not None} == DECIDED_HERE


def test_every_process_waits_for_the_release_and_the_model_s_key_is_the_agents_alone() -> None:
    for name in ("bot", "agent", "runner", "clock"):
        assert SERVICES[name]["depends_on"] == {"release": {"condition": "service_completed_successfully"}}
        assert ("env_file" in SERVICES[name]) == (name == "agent")
    assert not any(key in TEXT for key in MODEL_KEYS)


def test_its_python_is_one_that_the_package_supports() -> None:
    [version] = set(re.findall(r"python(3\.\d+)-", TEXT))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]

    assert project["requires-python"] == ">=3.11,<3.14" and version in ("3.11", "3.12", "3.13")
