"""The bot's process: its socket comes back, it stops when told to, and every way in is answered."""

import os
import time
from pathlib import Path

import pytest
from prometheus_client import REGISTRY
from pydantic import SecretStr

from bot.processes.environment import for_part
from bot.processes.parts import EXIT_REFUSED
from bot.settings import Settings
from bot.slack.gaps import Gaps
from bot.store.session import Database
from tests.desk_client import Desk
from tests.flows.world import Process
from tests.slack.proposals import tasks, whispered


@pytest.mark.usefixtures("process")
def test_the_other_ways_in_explain_themselves(desk: Desk) -> None:
    alice = desk.person("Alice")
    message = alice.post("#lab", "some logs")
    assert alice.command("#lab", "/standby", "help").acked
    whispered(desk, "Alice", "What you can type")
    assert alice.shortcut("turn_into_report", message).acked
    assert alice.wait_for_view().title == "Recurring report"
    alice.open_home()
    home = desk.wait_until(alice.home)
    assert home.says("Ask for a report that comes back")
    assert desk.refused() == []


@pytest.mark.parametrize("trouble", ["cut", "refresh", pytest.param("warn", marks=pytest.mark.slow), "refused"])
def test_a_lost_socket_is_replaced_and_heard_again(
    desk: Desk, database: Database, process: Process, trouble: str
) -> None:
    desk.settings(redelivery_waits_s=[1, 2, 4, 8])
    if trouble == "refused":
        desk.fault("refuse_socket", times=2)
    desk.sockets(trouble if trouble in ("refresh", "warn") else "cut")
    desk.person("Alice").post("#lab", "@standby every Monday")
    desk.wait_until(lambda: tasks(database) or None, within_s=40)
    is_gap = trouble not in ("refresh", "warn")  # which Slack announces
    assert ("event=socket_gap" in process.log.read_text()) is is_gap


@pytest.mark.slow
def test_a_socket_that_slack_does_not_want_is_told_and_asked_for_until_it_does(
    desk: Desk, database: Database, process: Process
) -> None:
    # When Socket Mode is switched off, then the log says so, and connections are asked for at leisure
    desk.settings(redelivery_waits_s=[1] * 30)
    desk.sockets("off")
    desk.wait_until(lambda: "Socket Mode is switched off" in process.log.read_text())
    asked = len(desk.calls("apps.connections.open"))
    desk.person("Alice").post("#lab", "@standby every Monday")
    time.sleep(2)
    assert len(desk.calls("apps.connections.open")) - asked < 8

    # And once it is on again, what was said meanwhile is heard
    desk.sockets("on")
    desk.wait_until(lambda: tasks(database) or None, within_s=40)


@pytest.mark.slow
def test_of_two_bots_on_sockets_of_their_own_one_may_die_and_nothing_is_lost_or_twice(
    desk: Desk, database: Database, process: Process
) -> None:
    other = Process("bot", process.environment, process.log.with_name("other.log"))
    other.start()
    try:
        desk.settings(redelivery_waits_s=[0.2] * 30)
        alice = desk.person("Alice")
        for number in range(20):
            alice.post("#lab", f"@standby report {number} every Monday")
            if number == 10:
                process.kill()
        desk.wait_until(lambda: len(tasks(database)) == 20, within_s=30)
        assert len({task.request for task in tasks(database)}) == 20
    finally:
        other.stop()


def test_SL_09_a_time_without_a_connection_is_counted_and_seen() -> None:
    gaps = Gaps()
    before = REGISTRY.get_sample_value("standby_socket_gaps_total") or 0.0
    assert "no connection to Slack for 0 s" in gaps.now()
    gaps.heard()
    assert gaps.now() == ""
    for _ in range(3):
        gaps.lost()
    assert "no connection to Slack" in gaps.now()
    for _ in range(3):
        gaps.heard()
    gaps.announced()
    gaps.hello()
    assert (gaps.now(), REGISTRY.get_sample_value("standby_socket_gaps_total")) == ("", before + 1)
    gaps.hello()
    assert REGISTRY.get_sample_value("standby_socket_gaps_total") == before + 2


def test_sigterm_ends_it_cleanly(process: Process) -> None:
    assert process.popen is not None
    process.popen.terminate()
    assert process.popen.wait(10) == 0


@pytest.mark.parametrize("name", ["slack_bot_token", "slack_app_token"])
def test_a_token_that_slack_does_not_accept_ends_it_for_good(
    settings: Settings, database_url: str, tmp_path: Path, name: str
) -> None:
    wrong = SecretStr({"slack_bot_token": "xoxb-wrong", "slack_app_token": "xapp-wrong"}[name])
    ours = settings.model_copy(update={"database_url": database_url, name: wrong})
    process = Process("bot", for_part("bot", ours, os.environ), tmp_path / "bot.log")
    with pytest.raises(AssertionError, match="Slack does not accept"):
        process.start()
    assert process.popen is not None
    assert process.popen.wait(10) == EXIT_REFUSED
