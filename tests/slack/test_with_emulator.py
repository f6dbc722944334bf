"""The bot in HTTP mode with a workspace that shares nothing with us: posting, files, forms and signed events."""

from __future__ import annotations

import io
import json
import os
import re
import shutil
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import httpx
import pytest
from pydantic import SecretStr
from slack_sdk import WebClient
from sqlmodel import select

from bot.domain.errors import ChatUnclear
from bot.domain.ports import Place
from bot.domain.views import NoteView
from bot.processes.front import Front
from bot.settings import Settings
from bot.slack.app import build_app
from bot.slack.chat import SlackChat
from bot.slack.homes import Homes
from bot.slack.manifest import manifest
from bot.store.session import Database
from bot.store.tables_talk import SharedFile
from bot.work.parts import Parts
from bot.work.wall import SystemClock
from tests import views
from tests.serving import listening
from tests.slack.proposals import tasks
from tests.slack.signing import SECRET, posted, signed

HERE = Path(__file__).parent / "emulator"
BOT = "U0STANDBY01"
WITHIN_S = 20.0


@dataclass(frozen=True)
class Emulator:
    """Where it listens, and where it sends events."""

    url: str
    events_port: int
    log: Path

    def client(self, token: str) -> WebClient:
        return WebClient(token=token, base_url=f"{self.url}/api/", retry_handlers=[])

    def seen(self, tab: str) -> str:
        """The words that its own page shows."""
        return re.sub(r"<[^>]+>", " ", httpx.get(f"{self.url}/", params={"tab": tab}).text)


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as one:
        return int(one.getsockname()[1])


@pytest.fixture(scope="module")
def emulator(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Emulator]:
    node = shutil.which("node")
    if node is None or not (HERE / "node_modules").is_dir():
        pytest.skip(f"no independent workspace: it needs Node.js 20 and `npm ci --prefix {HERE}`")
    port, events_port = free_port(), free_port()
    scopes = json.loads(manifest())["oauth_config"]["scopes"]["bot"]
    app = {"app_id": "A0STANDBY01", "client_id": "1.2", "client_secret": "s", "name": "standby", "redirect_uris": [],
           "bot_id": "B0STANDBY01", "bot_user_id": BOT, "bot_name": "standby", "scopes": scopes}  # fmt: skip
    bot = {"token": "xoxb-emulator", "type": "bot", "user_id": BOT, "scopes": scopes, "app_id": app["app_id"],
           "bot_id": app["bot_id"], "bot_user_id": BOT}  # fmt: skip
    alice = {"token": "xoxp-alice", "type": "user", "user": "alice", "scopes": ["chat:write", "files:write"]}
    seed = {"users": [{"name": "alice"}], "channels": [{"name": "lab"}], "oauth_apps": [app], "tokens": [bot, alice],
            "signing_secret": SECRET, "strict_scopes": True}  # fmt: skip
    environment = {"PATH": os.environ["PATH"], "PORT": str(port), "SEED": json.dumps(seed),
                   "EVENTS": f"http://127.0.0.1:{events_port}/slack/events"}  # fmt: skip
    log = tmp_path_factory.mktemp("emulator") / "emulator.log"
    with log.open("wb") as out:
        process = subprocess.Popen([node, "start.mjs"], cwd=HERE, env=environment, stdout=out, stderr=out)
    try:
        wait(lambda: "emulator ready" in log.read_text() or process.poll() is not None)
        assert process.poll() is None, log.read_text()
        yield Emulator(f"http://127.0.0.1:{port}", events_port, log)
    finally:
        process.terminate()
        process.wait(10)


def wait(claim: Callable[[], object]) -> None:
    deadline = time.monotonic() + WITHIN_S
    while not claim():
        assert time.monotonic() < deadline, f"it did not happen within {WITHIN_S} s"
        time.sleep(0.05)


@pytest.fixture
def settings(emulator: Emulator, tmp_path: Path) -> Settings:
    return Settings.load({}).model_copy(
        update={"data_dir": tmp_path, "slack_api_url": f"{emulator.url}/api/", "http_port": emulator.events_port,
                "slack_bot_token": SecretStr("xoxb-emulator"), "slack_signing_secret": SecretStr(SECRET)}
    )  # fmt: skip


@pytest.fixture
def place(chat: SlackChat) -> Place:
    """#lab at top level."""
    lab = chat.channel_named("lab")
    assert lab is not None
    return Place(chat.team_id, lab.channel_id)


@pytest.fixture
def front(settings: Settings, chat: SlackChat, database: Database) -> Iterator[str]:
    """The bot in HTTP mode, where the emulator sends events."""
    parts = Parts(database, chat, SystemClock(), settings)
    app = build_app(parts, chat, Homes(parts, chat))
    with listening(Front(settings, database, app.dispatch)) as address:
        yield f"{address}/slack/events"
    app.close()


def send(front: str, payload: dict[str, Any] | str) -> httpx.Response:
    """What the emulator cannot send: a press, a form, an opened Home tab, signed as Slack would."""
    body = payload if isinstance(payload, str) else posted(payload)
    kind = "application/json" if isinstance(payload, str) else "application/x-www-form-urlencoded"
    head = {name: value[0] for name, value in signed(body, time.time()).items()} | {"content-type": kind}
    return httpx.post(front, content=body, headers=head, timeout=WITHIN_S)


@pytest.mark.parametrize(
    "view",
    [views.approval(), views.fix(), views.report(), views.surprise(), views.steps(), views.question(), NoteView("Hi.")],
    ids=lambda view: type(view).__name__,
)
def test_every_card_is_taken_found_and_rewritten(chat: SlackChat, place: Place, view: Any) -> None:
    root = chat.post(place, NoteView("a thread"), key=f"root:{type(view).__name__}")
    thread = replace(place, thread_ts=root.ts)
    ref = chat.post(thread, view, key="card:1")
    chat.update(ref, NoteView("now other words"), key="card:1")

    assert chat.find(thread, "card:1") == ref
    assert chat.find(thread, "card:2") is None
    assert "now other words" in str(chat._look(thread)[-1]["blocks"])


def test_files_go_both_ways(chat: SlackChat, place: Place, emulator: Emulator) -> None:
    root = chat.post(place, NoteView("a thread for files"), key="files")
    thread = replace(place, thread_ts=root.ts)
    chat.attach(thread, "rows.csv", b"a,b\n1,2\n", title="rows.csv (run 1)")
    assert (chat.has_file(thread, "rows.csv (run 1)"), chat.has_file(thread, "rows.csv")) == (True, False)

    share(emulator, place, "here", "a.log", b"one\ntwo\n", thread_ts=root.ts)
    [shared] = [one for one in chat.files_in_thread(thread) if one.file.name == "a.log"]
    into = io.BytesIO()
    chat.download(shared.file, into, 1000)
    assert into.getvalue() == b"one\ntwo\n"


def share(emulator: Emulator, place: Place, text: str, name: str, data: bytes, **more: str) -> None:
    """Alice writes a message with a file."""
    alice = emulator.client("xoxp-alice")
    slot = alice.files_getUploadURLExternal(filename=name, length=len(data))
    httpx.post(str(slot["upload_url"]), content=data).raise_for_status()
    alice.files_completeUploadExternal(
        files=[{"id": slot["file_id"], "title": name}], channel_id=place.channel_id, initial_comment=text, **more
    )


def test_a_request_is_heard_once_with_its_file_and_what_the_bot_says_itself_is_not(
    emulator: Emulator, chat: SlackChat, place: Place, database: Database, front: str
) -> None:
    assert front
    chat.post(place, NoteView(f"<@{BOT}> every Monday"), key="our own words")
    share(emulator, place, f"<@{BOT}> every Monday", "a.log", b"one\n")
    wait(lambda: tasks(database))
    emulator.client("xoxp-alice").chat_postMessage(channel=place.channel_id, text="lunch?")

    [task] = tasks(database)
    assert (task.team_id, task.channel_id, task.request) == (chat.team_id, place.channel_id, "every Monday")
    asked = emulator.client("xoxb-emulator").users_info(user=task.requester_id)["user"]
    assert asked["name"] == "alice"
    assert "is_restricted" not in asked
    with pytest.raises(ChatUnclear):  # so it leaves open whether she is a guest, and she is no member on a guess
        chat.person(task.requester_id)
    with database.transaction() as session:
        [file] = session.exec(select(SharedFile))
    assert (file.name, file.size_bytes, file.thread_ts) == ("a.log", 4, task.thread_ts)


def test_a_press_opens_a_form_and_the_home_tab_is_published(
    emulator: Emulator, chat: SlackChat, place: Place, front: str
) -> None:
    card = chat.post(place, views.approval(), key="card")
    alice = emulator.client("xoxp-alice").auth_test()["user_id"]
    trigger = emulator.client("xoxb-emulator").api_call("views.generateTriggerId", json={"user_id": alice})
    action = {"action_id": "reject", "value": "1", "block_id": "b", "type": "button", "action_ts": "1.0"}
    press = {
        "type": "block_actions", "user": {"id": alice, "team_id": chat.team_id}, "team": {"id": chat.team_id},
        "api_app_id": "A0STANDBY01", "trigger_id": trigger["trigger_id"], "token": "t",
        "channel": {"id": place.channel_id}, "message": {"ts": card.ts}, "actions": [action],
        "container": {"type": "message", "channel_id": place.channel_id, "message_ts": card.ts},
    }  # fmt: skip
    assert send(front, press).status_code == 200
    assert re.search(r"modal +alice +A0STANDBY01 +Reject", emulator.seen("views"))

    event = {"type": "app_home_opened", "user": alice, "tab": "home", "channel": "D1", "event_ts": "1.1"}
    opened = {"type": "event_callback", "team_id": chat.team_id, "event_id": "EvHome", "event": event}
    assert send(front, json.dumps(opened)).status_code == 200
    wait(lambda: "Ask for a report that comes back" in emulator.seen("views"))
