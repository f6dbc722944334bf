"""The desk with a client that shares nothing with us: a small bot by Slack's own JavaScript framework."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.desk_client import Desk, Message
from tests.desk_server import RunningDesk

HERE = Path(__file__).parent / "node"

pytestmark = pytest.mark.usefixtures("bot")


@pytest.fixture(scope="module")
def bot(running: RunningDesk, tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    node = shutil.which("node")
    if node is None or not (HERE / "node_modules").is_dir():
        pytest.skip(f"no independent client: it needs Node.js and `npm ci --prefix {HERE}`")
    environment = {
        "PATH": os.environ["PATH"],
        "STANDBY_API_URL": running.api_url,
        "BOT_TOKEN": running.bot_token,
        "APP_TOKEN": running.app_token,
    }
    log = tmp_path_factory.mktemp("node") / "bot.log"
    with log.open("wb") as out:
        process = subprocess.Popen([node, "bot.js"], cwd=HERE, env=environment, stdout=out, stderr=out)
    desk = Desk(running.url)
    try:
        desk.wait_until(lambda: "connected" in log.read_text() or process.poll() is not None)
        assert process.poll() is None, log.read_text()
        yield
        assert desk.refused() == []
        assert "Error" not in log.read_text()
    finally:
        desk.close()
        process.terminate()
        process.wait(10)


def card_for(desk: Desk) -> Message:
    request = desk.person("Alice").post("#lab", "@standby every Monday")
    return desk.wait_for(lambda m: m.has_button("Approve") and m.thread_ts == request.ts)


def test_a_mention_is_answered_by_a_card_whose_press_rewrites_it(desk: Desk) -> None:
    card = card_for(desk)
    assert desk.person("Bob").press(card, "Approve").acked
    desk.wait_until(lambda: desk.again(card).says("Approved by"))
    assert desk.again(card).buttons == []


def test_a_form_refuses_an_answer_and_takes_the_next(desk: Desk) -> None:
    bob, card = desk.person("Bob"), card_for(desk)
    bob.press(card, "Reject…")
    form = bob.wait_for_view()
    assert bob.submit(form, {"Why?": "no"}).errors == {"why": "Say a little more."}
    assert bob.submit(form, {"Why?": "The columns are wrong"}).errors == {}
    desk.wait_for(lambda m: m.says("Rejected by", "The columns are wrong") and m.thread_ts == card.thread_ts)
    assert bob.views() == []


def test_a_file_is_taken_and_another_given_back(desk: Desk) -> None:
    shared = desk.person("Alice").post("#lab", "one file", files={"a.log": b"one\ntwo\n"})
    back = desk.wait_for(lambda m: bool(m.files) and m.is_from_bot and m.thread_ts == shared.ts)
    assert (back.files[0]["name"], desk.download(back.files[0])) == ("capitals-a.log", b"ONE\nTWO\n")


def test_a_command_and_the_home_tab(desk: Desk) -> None:
    alice = desk.person("Alice")
    assert alice.command("#lab", "/standby", "list").acked
    desk.wait_for(lambda m: m.text == "You said list")
    alice.open_home()
    assert desk.wait_until(alice.home).says("Nothing waits for you")


def test_it_comes_back_when_its_connection_is_refreshed_or_cut(desk: Desk) -> None:
    desk.sockets("refresh")
    card_for(desk)
    desk.sockets("cut")
    card_for(desk)
