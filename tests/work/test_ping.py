"""An outside address hears of each slot, and of the install itself; it is one that an admin allows."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import dataclass, replace

import httpx
import pytest

from bot.domain.orders import Order, Said
from bot.settings import Settings, SettingsError
from bot.store.session import Database
from bot.work import govern, ping
from bot.work.clock import Wakes
from bot.work.wall import SystemClock
from sandbox.outcome import Surprised
from tests.approval.hands import finish, next_monday, person, press, proposed, send
from tests.approval.stage import Stage
from tests.work.listener import Listener
from tests.work.queued import waiting


@pytest.fixture
def outside() -> Iterator[Listener]:
    with Listener().running() as listener:
        yield listener


def order(stage: Stage, url: str, allowed: tuple[str, ...]) -> str:
    parts = stage.worker(0)
    parts = replace(parts, settings=parts.settings.model_copy(update={"ping_allowed": allowed}))
    routine_id, key = int(stage.one("select id from routine")), f"ping:{url}:{allowed}"
    return govern.give(parts, routine_id, Said(Order.PING, url=url), person("ALICE"), key).text


def send_pings(stage: Stage) -> None:
    for name, args in waiting(stage.behind):
        if name == "ping":
            ping.ping(stage.worker(0), **args)
    stage.tamper("delete from procrastinate_jobs where task_name = 'ping'")


@pytest.fixture
def pinging(stage: Stage, outside: Listener) -> Stage:
    press(stage, proposed(stage))
    assert "pings that address" in order(stage, f"{outside.url}abc", (outside.url,))
    return stage


def test_a_slot_pings_its_start_and_once_delivered_its_success(pinging: Stage, outside: Listener) -> None:
    assert finish(pinging, next_monday(pinging))
    send_pings(pinging)
    assert outside.asked == ["/abc/start"]

    send(pinging)
    send_pings(pinging)
    assert outside.asked == ["/abc/start", "/abc"]


def test_a_halted_slot_pings_a_failure(pinging: Stage, outside: Listener) -> None:
    assert finish(pinging, next_monday(pinging), Surprised("OddFile", "odd"))
    send_pings(pinging)

    assert outside.asked == ["/abc/start", "/abc/fail"]


def test_a_mail_that_nobody_can_know_of_is_no_success(pinging: Stage, outside: Listener) -> None:
    pinging.post.loses_answer = True
    assert finish(pinging, next_monday(pinging))
    send(pinging)
    send_pings(pinging)

    assert outside.asked[-1] == "/abc/fail"


def test_no_ping_ends_it(pinging: Stage, outside: Listener) -> None:
    assert "nobody any more" in order(pinging, "", ())
    assert finish(pinging, next_monday(pinging))
    send_pings(pinging)

    assert outside.asked == []


@pytest.mark.parametrize("url", ["http://169.254.169.254/meta", "https://hc-ping.com.evil.example/a"])
@pytest.mark.parametrize("allowed", [(), ("https://hc-ping.com/",)])
def test_an_address_that_no_admin_allowed_is_refused(stage: Stage, url: str, allowed: tuple[str, ...]) -> None:
    press(stage, proposed(stage))

    assert "Nothing was changed" in order(stage, url, allowed)
    assert stage.one("select ping_url from routine") == ""


def test_an_allowed_beginning_holds_the_whole_host() -> None:
    with pytest.raises(SettingsError, match=r"PING_ALLOWED https://hc-ping\.com is no beginning of an address"):
        Settings.load({"STANDBY_PING_ALLOWED": "https://hc-ping.com"})


def test_an_address_that_answers_with_an_error_is_asked_again(pinging: Stage, outside: Listener) -> None:
    outside.answers = 500
    assert finish(pinging, next_monday(pinging))

    with pytest.raises(httpx.HTTPStatusError):
        send_pings(pinging)


@dataclass
class Broken:
    """Of two workspaces, whose rows cannot be opened in one."""

    db: Database

    def now(self) -> list[Database]:
        return [self.db]

    def unminded(self) -> str:
        return "T1: the database is of another release"


def test_the_clock_pings_a_failure_while_one_workspace_of_many_cannot_be_minded(
    stage: Stage, outside: Listener
) -> None:
    settings = Settings.load({}).model_copy(update={"ping_url": f"{outside.url}install"})
    stop, db = threading.Event(), stage.databases[1]
    wakes = Wakes(db, SystemClock(), settings, Broken(db))
    clock = threading.Thread(target=wakes.serve, args=(stop, lambda: None))
    clock.start()
    try:
        outside.wait_for("/install/fail")
        assert "/install" not in outside.asked
    finally:
        stop.set()
        clock.join(20)


def test_the_clock_pings_that_it_began_and_that_it_minds_its_slots(stage: Stage, outside: Listener) -> None:
    settings = Settings.load({}).model_copy(update={"ping_url": f"{outside.url}install"})
    stop = threading.Event()
    wakes = Wakes(stage.databases[1], SystemClock(), settings)
    clock = threading.Thread(target=wakes.serve, args=(stop, lambda: None))
    clock.start()
    try:
        outside.wait_for("/install/start")
        outside.wait_for("/install")
    finally:
        stop.set()
        clock.join(20)
