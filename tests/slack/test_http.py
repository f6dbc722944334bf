"""HTTP mode: what Slack posts is taken in as over Socket Mode; what it did not post is refused before it is read."""

from __future__ import annotations

import json
import os
import re
import socket
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Event

import httpx
import pytest
from pydantic import SecretStr

from bot.processes.environment import for_part
from bot.processes.front import Front
from bot.processes.way_in import WayIn, way_in
from bot.settings import Settings, SettingsError
from bot.slack.app import build_app
from bot.slack.chat import SlackChat
from bot.slack.http import MOST_BYTES
from bot.store.session import Database
from bot.work.parts import Parts
from bot.work.wall import SystemClock
from tests import views
from tests.desk_client import Desk
from tests.desk_server import RunningDesk
from tests.flows.world import Process
from tests.serving import listening
from tests.slack.proposals import LAB, TEAM, tasks, whispered
from tests.slack.signing import SECRET, signed

JSON, FORM = "application/json", "application/x-www-form-urlencoded"


def address(log: Path) -> str:
    """Where a bot in HTTP mode says that it listens."""
    return re.findall(r"standby bot listens on (\S+)", log.read_text())[-1]


def headers(body: str, kind: str = JSON, at: float = 0, secret: str = SECRET) -> dict[str, str]:
    made = {name: values[0] for name, values in signed(body, at or time.time(), secret).items()}
    return {**made, "content-type": kind}


def mention(event_id: str = "Ev1", ts: str = "1780000000.000100") -> str:
    event = {"type": "app_mention", "channel": LAB, "user": views.ALICE, "ts": ts, "text": "<@U0STANDBY01> daily"}
    return json.dumps({"type": "event_callback", "team_id": TEAM, "event_id": event_id, "event": event})


@pytest.fixture(scope="module")
def nowhere(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a front whose Slack and database cannot be reached: what it refuses, it refuses by itself."""
    tmp = tmp_path_factory.mktemp("front")
    settings = Settings.load({}).model_copy(
        update={"slack_signing_secret": SecretStr(SECRET), "slack_api_url": "http://127.0.0.1:9/api/",
                "slack_bot_token": SecretStr("xoxb-none"), "http_port": 0, "data_dir": tmp}
    )  # fmt: skip
    chat, db = SlackChat(settings), Database("postgresql://nobody@127.0.0.1:9/none")
    yield from serving(Parts(db, chat, SystemClock(), settings), chat)
    chat.close()
    db.close()


def serving(parts: Parts, chat: SlackChat) -> Iterator[str]:
    app = build_app(parts, chat)
    with listening(Front(parts.settings, parts.db, app.dispatch)) as address:
        yield address
    app.listener_runner.listener_executor.shutdown()


@pytest.mark.parametrize(
    ("how", "status"),
    [
        (lambda body: headers(body, secret="guessed"), 401),
        (lambda body: headers(body, at=time.time() - 301), 401),
        (lambda body: headers(body, at=time.time() + 302), 401),
        (lambda body: headers(body + " "), 401),
        (lambda body: {k: v for k, v in headers(body).items() if "signature" not in k}, 401),
        (lambda body: {k: v for k, v in headers(body).items() if "timestamp" not in k}, 401),
        (lambda body: headers(body) | {"x-slack-request-timestamp": "soon"}, 401),
        (lambda body: headers(body) | {"x-slack-request-timestamp": "9" * 400}, 401),
        (lambda body: headers(body) | {"x-slack-signature": "v0=" + "a" * 64}, 401),
        (lambda body: headers(body) | {"content-type": "text/plain"}, 415),
        (lambda body: headers(body) | {"content-type": "multipart/form-data; boundary=x"}, 415),
        (lambda body: {k: v for k, v in headers(body).items() if k != "content-type"}, 415),
    ],
)
def test_AP_12_a_request_that_slack_did_not_send_is_refused(
    nowhere: str, how: Callable[[str], dict[str, str]], status: int
) -> None:
    body = mention()
    answer = httpx.post(f"{nowhere}/slack/events", content=body, headers=how(body))
    assert (answer.status_code, TEAM in answer.text) == (status, False)


def test_what_is_larger_than_anything_of_slacks_is_refused_however_its_length_is_told(nowhere: str) -> None:
    body = "x" * (MOST_BYTES + 1)
    assert httpx.post(f"{nowhere}/slack/events", content=body, headers=headers(body)).status_code == 413

    def chunks() -> Iterator[bytes]:
        for _ in range(40):
            yield b"x" * 100_000

    assert httpx.post(f"{nowhere}/slack/events", content=chunks(), headers=headers("x")).status_code == 413


@pytest.mark.slow
def test_a_body_that_does_not_come_is_not_waited_for(nowhere: str) -> None:
    host, port = nowhere.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port))) as line:
        line.sendall(
            b"POST /slack/events HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n{"
        )
        assert b" 408 " in line.recv(100)


@pytest.mark.parametrize("body", ["{", "[]", '"text"', "payload={", "payload=%5B1%5D", "\u0000", "{}", ""])
def test_a_signed_body_without_sense_is_answered(nowhere: str, body: str) -> None:
    """Neither an error of ours, which Slack would send again, nor an acknowledgement of what was not understood."""
    kind = FORM if body.startswith("payload") else JSON
    answer = httpx.post(f"{nowhere}/slack/events", content=body, headers=headers(body, kind))
    assert 400 <= answer.status_code < 500


def test_the_challenge_is_answered_once_it_is_signed(nowhere: str) -> None:
    body = json.dumps({"type": "url_verification", "challenge": "c4f", "token": "t"})
    assert "c4f" in httpx.post(f"{nowhere}/slack/events", content=body, headers=headers(body)).text
    forged = httpx.post(f"{nowhere}/slack/events", content=body, headers=headers(body, secret="guessed"))
    assert (forged.status_code, "c4f" in forged.text) == (401, False)


def test_health_is_beside_and_nothing_else_is_there(nowhere: str) -> None:
    assert httpx.get(f"{nowhere}/healthz").status_code == 200
    assert (ready := httpx.get(f"{nowhere}/readyz")).status_code == 503 and "database" in ready.text
    assert httpx.get(f"{nowhere}/slack/events?ssl_check=1").status_code == 200
    for path in ("/", "/metrics", "/slack/install", "/slack"):
        assert httpx.get(f"{nowhere}{path}").status_code == 404


def test_an_event_that_cannot_be_kept_is_not_acknowledged_and_a_replayed_one_counts_once(
    nowhere: str, database: Database, chat: SlackChat, settings: Settings
) -> None:
    assert httpx.post(f"{nowhere}/slack/events", content=mention(), headers=headers(mention())).status_code == 500

    ours = settings.model_copy(update={"slack_signing_secret": SecretStr(SECRET), "http_port": 0})
    for url in serving(Parts(database, chat, SystemClock(), ours), chat):
        again = headers(mention()) | {"x-slack-retry-num": "1", "x-slack-retry-reason": "http_timeout"}
        for head in (again, again, headers(mention()), headers(mention())):
            assert httpx.post(f"{url}/slack/events", content=mention(), headers=head).status_code == 200
        other_id = mention("Ev2")
        assert httpx.post(f"{url}/slack/events", content=other_id, headers=headers(other_id)).status_code == 200
    assert len(tasks(database)) == 1


@pytest.mark.parametrize(
    ("given", "found"),
    [
        ({"app_token": "xapp-1"}, WayIn.SOCKET),
        ({"signing_secret": "s"}, WayIn.HTTP),
        ({}, "nor is STANDBY_SLACK_SIGNING_SECRET"),
        ({"app_token": "xapp-1", "signing_secret": "s"}, "unset the other"),
    ],
)
def test_the_settings_say_which_way_slack_takes(given: dict[str, str], found: WayIn | str) -> None:
    settings = Settings.load({f"STANDBY_SLACK_{name.upper()}": value for name, value in given.items()})
    if isinstance(found, WayIn):
        assert way_in(settings) is found
        return
    with pytest.raises(SettingsError, match=found):
        way_in(settings)


class Http:
    """A bot process in HTTP mode, which the desk may be led to."""

    def __init__(self, settings: Settings, server: RunningDesk, folder: Path, name: str = "bot") -> None:
        ours = settings.model_copy(
            update={"slack_app_token": SecretStr(""), "slack_signing_secret": SecretStr(server.signing_secret),
                    "http_port": 0}
        )  # fmt: skip
        self.process = Process("bot", for_part("bot", ours, os.environ), folder / f"{name}.log")
        self.process.start()

    @property
    def url(self) -> str:
        return address(self.process.log)


@pytest.fixture
def start_http(
    settings: Settings, database_url: str, desk_server: RunningDesk, tmp_path: Path
) -> Iterator[Callable[..., Http]]:
    started: list[Http] = []

    def start(name: str = "bot") -> Http:
        ours = settings.model_copy(update={"database_url": database_url})
        started.append(Http(ours, desk_server, tmp_path, name))
        return started[-1]

    yield start
    for one in started:
        one.process.stop()
        print(one.process.log.read_text()[-4000:])


@pytest.mark.slow
def test_every_way_in_works_over_http_and_an_event_is_sent_again_until_it_is_kept(
    start_http: Callable[..., Http], desk: Desk, database: Database
) -> None:
    # Given a bot that Slack does not reach yet
    bot = start_http()
    desk.settings(request_url=bot.url, redelivery_waits_s=[0.1, 0.5, 1, 2, 4])
    alice = desk.person("Alice")

    # When a request arrives while it is down, then it is taken in once it is up
    bot.process.kill()
    alice.post("#lab", "@standby every Monday", {"a.log": b"one\n"})
    desk.wait_until(lambda: len(desk.ledger("event")) > 2)
    bot.process.environment["STANDBY_HTTP_PORT"] = bot.url.rpartition(":")[2].partition("/")[0]
    bot.process.start()
    desk.wait_until(lambda: tasks(database) or None)
    desk.wait_until(lambda: {e["event_id"] for e in desk.ledger("event") if e["acked_at"]} == {
        e["event_id"] for e in desk.ledger("event")} or None)  # fmt: skip
    assert len(tasks(database)) == 1
    assert "event=slack_sends_again" in bot.process.log.read_text()

    # And commands, shortcuts with their forms and the Home tab work as over Socket Mode
    assert alice.command("#lab", "/standby", "help").acked
    whispered(desk, "Alice", "What you can type")
    message = alice.post("#lab", "some logs")
    assert alice.shortcut("turn_into_report", message).acked
    assert alice.submit(alice.wait_for_view()).acked
    assert alice.shortcut("turn_into_report", message).acked
    twice = alice.submit(alice.wait_for_view())
    assert (twice.view_open, "asked for in this thread already" in str(twice.errors)) == (True, True)
    alice.open_home()
    assert desk.wait_until(alice.home).says("Ask for a report that comes back")
    assert desk.refused() == []

    # And told to stop, it ends
    bot.process.ask_to_stop()
    assert bot.process.popen is not None and bot.process.popen.wait(10) == 0


def test_an_address_that_fails_the_challenge_is_not_used(desk: Desk) -> None:
    with pytest.raises(AssertionError, match="connection_failed"):
        desk.settings(request_url="http://127.0.0.1:9/slack/events")


def test_a_port_that_is_taken_is_told(settings: Settings, database: Database, chat: SlackChat) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        ours = settings.model_copy(
            update={"http_port": taken.getsockname()[1], "slack_signing_secret": SecretStr(SECRET)}
        )
        front = Front(ours, database, build_app(Parts(database, chat, SystemClock(), ours), chat).dispatch)
        with pytest.raises(SettingsError, match="STANDBY_HTTP_PORT"):
            front.run(Event(), lambda: None)
