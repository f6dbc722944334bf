"""The import contracts hold, and each of them would hear what it forbids."""

import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.architecture.repository import ROOMS, ROOT

# One bad line each: where it is planted, what it says, and the contract that must break.
PLANTED = {
    "sandbox reaches up to the bot": ("sandbox/client.py", "import bot.settings", "rooms"),
    "the library reaches up to the sandbox": ("library/manifest.py", "import sandbox.outcome", "rooms"),
    "the store reaches up to work": ("bot/store/plans.py", "import bot.work.jobs", "inside bot"),
    "slack and desk see each other": ("bot/slack/text.py", "import bot.desk.limits", "inside bot"),
    "work posts to slack by itself": ("bot/work/tell.py", "import bot.slack.chat", "inside bot"),
    "work wires itself": ("bot/work/run.py", "import bot.processes.wiring", "inside bot"),
    "the desk shares a word with us": ("bot/desk/limits.py", "import bot.domain.words", "the desk shares no code"),
    "the desk borrows the plan folder": ("bot/desk/state.py", "import library.plan_folder", "the desk shares no code"),
    "the runner in the box calls home": ("sandbox/inside/runner.py", "import library.plan_folder", "what goes into a"),
    "the domain asks the database": ("bot/domain/slots.py", "import sqlmodel", "the domain is pure"),
    "the domain reads settings": ("bot/domain/approval.py", "import bot.settings", "the domain is pure"),
    "a run resumes the conversation": ("bot/work/run.py", "import bot.work.resume", "cannot reach a model"),
    "a run loads the model's client": ("bot/work/deliver.py", "import anthropic", "cannot reach a model"),
    "a run writes a draft": ("bot/work/sweep.py", "import bot.work.draft", "cannot reach a model"),
    "the runner picks a script": ("bot/processes/runner.py", "import bot.agent.picker", "cannot reach a model"),
    "a job talks to slack directly": ("bot/work/tell.py", "import slack_sdk", "one door: slack"),
    "the bot process makes an app": ("bot/processes/wiring.py", "import slack_bolt", "one door: slack"),
    "a job asks the model directly": ("bot/work/draft.py", "import anthropic", "one door: anthropic"),
    "a run opens boxes by itself": ("bot/work/run.py", "import e2b", "one door: e2b"),
    "another clock": ("bot/work/sweep.py", "import apscheduler", "one door: apscheduler"),
    "the store enqueues": ("bot/store/runs.py", "import procrastinate", "one door: procrastinate"),
}


def lint(root: Path) -> subprocess.CompletedProcess[str]:
    command = [Path(sys.executable).with_name("lint-imports"), "--no-cache"]
    return subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)


def broken(root: Path) -> list[str]:
    """The contracts that the tree under `root` breaks, by name."""
    ended = lint(root)
    names = [line.removesuffix(" BROKEN") for line in ended.stdout.splitlines() if line.endswith(" BROKEN")]
    assert (ended.returncode == 0) == (not names), f"the linter did not come to a verdict: {ended.stdout}"
    return names


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A copy of our rooms in which a test may plant something, as long as it takes it out again."""
    copy = tmp_path_factory.mktemp("rooms")
    for room in ROOMS:
        shutil.copytree(ROOT / room, copy / room, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", copy)
    yield copy


def test_our_imports_keep_every_contract():
    assert broken(ROOT) == []


@pytest.mark.parametrize("what", PLANTED)
def test_a_planted_import_breaks_its_contract(tree: Path, what: str):
    where, line, contract = PLANTED[what]
    planted = tree / where
    before = planted.read_text()
    planted.write_text(f"{before}\n{line}\n")

    try:
        heard = broken(tree)
    finally:
        planted.write_text(before)

    assert any(contract in name for name in heard), f"{where}: {line!r} was not heard; broken were {heard}"


def test_a_module_without_a_place_breaks_the_contract(tree: Path):
    stray = tree / "bot" / "helpers.py"
    stray.write_text('"""Belongs nowhere."""\n')

    ended = lint(tree)
    stray.unlink()

    assert ended.returncode != 0
    assert "bot.helpers" in ended.stdout
