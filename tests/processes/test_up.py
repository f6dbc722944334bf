"""`standby up` on a fresh folder: one command, one address, and nothing left when it ends."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import psutil
import pytest

from tests.folders import reachable_folder
from tests.processes.standby_up import StandbyUp, all_gone

KEY = "sk-ant-of-a-test"
PAGES = ("about", "boxes", "spent")


def standby(*words: str) -> subprocess.CompletedProcess[str]:
    environ = {n: v for n, v in os.environ.items() if not n.startswith(("STANDBY_", "ANTHROPIC_"))}
    command = [sys.executable, "-m", "bot.cli", *words]
    return subprocess.run(command, env=environ, capture_output=True, text=True, check=False, timeout=120)


@pytest.fixture(scope="module")
def one_up() -> Iterator[StandbyUp]:
    """An `up` that several tests look at; a start takes five seconds. It has a model key."""
    with reachable_folder() as folder, StandbyUp(folder / "data", {"ANTHROPIC_API_KEY": KEY}) as up:
        assert up.url
        yield up


def test_from_nothing_to_a_page_and_back_to_nothing(data_dir: Path) -> None:
    with StandbyUp(data_dir) as up:
        assert httpx.get(up.url, trust_env=False, follow_redirects=True).status_code == 200
        family = up.family()
        names = {mark.name for mark in up.running.parts}
        assert names == {"boxes", "desk", "bot", "agent", "runner", "clock"}
        assert up.said.count("http") == 1, "one address"
        assert up.stop() == 0
    assert all_gone(family, within_s=1) and not (data_dir / "up.json").exists()
    assert "nothing is left running" in up.said


def test_a_second_up_on_the_folder_is_told_where_the_first_one_is(one_up: StandbyUp) -> None:
    second = standby("up", "--data", str(one_up.data_dir), "--port", "0")
    assert second.returncode == 1 and "already running" in second.stdout and one_up.url in second.stdout
    assert one_up.process.poll() is None


def test_the_desk_is_told_what_is_behind_the_app_and_no_secret(one_up: StandbyUp) -> None:
    told = {page: httpx.get(f"{one_up.url}/desk/api/behind?page={page}", trust_env=False) for page in PAGES}
    facts = {one["what"]: one for one in told["about"].json()["facts"]}
    assert facts["Model"]["is"].endswith("at api.anthropic.com")
    assert facts["Model"]["leaves"] == "requests and small samples of files, to api.anthropic.com"
    assert [facts[name]["leaves"] for name in ("Boxes", "Database", "Mail")] == ["", "", ""]
    assert told["boxes"].json()["boxes"] == [] and told["spent"].json()["lines"] == []
    secrets = [KEY, *(value for name, value in one_up.running.variables.items() if name.endswith(("KEY", "TOKEN")))]
    assert [secret for secret in secrets if any(secret in one.text for one in told.values())] == []


def test_only_the_agent_knows_the_model_key(one_up: StandbyUp) -> None:
    assert "No model key" not in one_up.said
    parts = one_up.running.parts
    assert {mark.name for mark in parts if KEY in psutil.Process(mark.pid).environ().values()} == {"agent"}


def test_the_doctor_finds_every_part_in_order(one_up: StandbyUp) -> None:
    seen = standby("doctor", "--data", str(one_up.data_dir))
    assert seen.returncode == 0, seen.stdout + seen.stderr
    for part in ("database", "clock", "boxes", "slack", "way in", "approvers", "mail", "processes"):
        assert f"ok      {part}" in seen.stdout


@pytest.mark.slow  # it waits as long as the doctor does
def test_the_doctor_says_that_a_part_hangs_instead_of_hanging(one_up: StandbyUp) -> None:
    desk = one_up.pid_of("desk")
    os.kill(desk, signal.SIGSTOP)
    try:
        seen = standby("doctor", "--data", str(one_up.data_dir))
    finally:
        os.kill(desk, signal.SIGCONT)
    assert seen.returncode == 1 and "problem slack" in seen.stdout and "ok      boxes" in seen.stdout


@pytest.mark.parametrize("part", ["runner", "desk", "boxes"])
def test_a_killed_part_comes_back_where_it_was_and_is_said(one_up: StandbyUp, part: str) -> None:
    os.kill(one_up.pid_of(part), signal.SIGKILL)
    one_up.wait_for(f"{part} runs again.")
    assert f"{part} stopped unexpectedly (signal SIGKILL)" in one_up.said
    assert httpx.get(one_up.url, trust_env=False, follow_redirects=True).status_code == 200


@pytest.mark.slow  # a killed part is tried above
def test_a_killed_database_comes_back_and_everything_finds_it(data_dir: Path) -> None:
    with StandbyUp(data_dir) as up:
        assert up.url
        server = next(p for p in up.family() if p.name() == "postgres" and p.parent().pid == up.process.pid)
        server.kill()
        up.wait_for("database runs again.")
        assert standby("migrate", "--data", str(data_dir)).returncode == 0
        assert up.stop() == 0


@pytest.mark.slow  # the supervisor is tried alone
def test_after_kill_9_the_next_up_waits_for_what_is_ending_and_works(data_dir: Path) -> None:
    with StandbyUp(data_dir) as killed:
        assert killed.url
        family = killed.family()
        killed.process.kill()
        killed.process.wait()
        with StandbyUp(data_dir) as up:
            assert up.url
            assert all_gone(family, within_s=0), "nothing of the first one lives beside the second"
            assert up.stop(signal.SIGTERM) == 0


def test_a_setting_that_cannot_be_used_is_told_and_nothing_starts(data_dir: Path) -> None:
    with StandbyUp(data_dir, {"STANDBY_SLACK_BOT_TOKEN": "xoxb-your-token"}) as up:
        assert up.process.wait(30) == 1
    assert "STANDBY_SLACK_BOT_TOKEN still holds a placeholder" in up.said and not data_dir.exists()


def test_a_port_that_is_taken_is_told_in_one_line(data_dir: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        told = standby("up", "--data", str(data_dir), "--port", port)
    assert told.returncode == 1 and told.stdout.startswith(f"Port {port} cannot be used")
    assert len(told.stdout.splitlines()) == 1 and told.stderr == ""


def test_half_of_slacks_tokens_is_told(data_dir: Path) -> None:
    with StandbyUp(data_dir, {"STANDBY_SLACK_BOT_TOKEN": "xoxb-12-34"}) as up:
        assert up.process.wait(60) == 1
    assert "STANDBY_SLACK_APP_TOKEN is not set, nor is STANDBY_SLACK_SIGNING_SECRET" in up.said
