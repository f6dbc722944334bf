"""Health and metrics over real sockets: up, not ready, quiet, switched off."""

from __future__ import annotations

import socket
from collections.abc import Callable

import httpx

from bot.processes.health import OFFSET, serve_health
from bot.settings import Settings
from bot.store.session import Database


def served(database_url: str, is_alive: Callable[[], str] = lambda: "") -> str:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        free = probe.getsockname()[1]
    settings = Settings.load({}).model_copy(update={"health_port": free - OFFSET["runner"]})
    return f"http://127.0.0.1:{serve_health('runner', settings, Database(database_url), is_alive)}"


def get(url: str) -> tuple[int, str]:
    with httpx.Client(trust_env=False) as client:
        answer = client.get(url)
    return answer.status_code, answer.text


def test_a_process_with_its_database_is_healthy_ready_and_counted(database_url: str):
    url = served(database_url)

    assert get(f"{url}/healthz") == get(f"{url}/readyz") == (200, "ok\n")
    assert "standby_runs" in get(f"{url}/metrics")[1]
    assert get(f"{url}/other")[0] == 404


def test_a_process_without_its_database_lives_and_is_not_ready():
    url = served("postgresql://nobody@127.0.0.1:1/nothing")

    assert get(f"{url}/healthz")[0] == 200
    assert get(f"{url}/readyz") == (503, "the database cannot be reached (OperationalError)\n")


def test_what_has_stopped_working_says_so(database_url: str):
    url = served(database_url, lambda: "the clock has not ticked for 61 s")

    assert get(f"{url}/healthz") == (503, "the clock has not ticked for 61 s\n")


def test_without_a_port_nothing_is_served(database_url: str):
    assert serve_health("runner", Settings.load({}), Database(database_url)) == 0
