"""A desk that is stopped, or killed, comes back with what was said in it."""

from __future__ import annotations

import os
import signal
import smtplib
import time
from email.message import EmailMessage
from pathlib import Path

import pytest
from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError

from bot.desk.snapshot import KEEP_EVERY_S
from tests.desk_client import Desk
from tests.desk_server import RunningDesk, running_desk

BUTTON = {"type": "button", "text": {"type": "plain_text", "text": "Approve"}, "action_id": "approve", "value": "1"}
KILL_LOSES_S = 2 * KEEP_EVERY_S + 0.5


def web_of(running: RunningDesk) -> WebClient:
    return WebClient(token=running.bot_token, base_url=running.api_url, retry_handlers=[])


def mail(running: RunningDesk, subject: str) -> None:
    message = EmailMessage()
    message["Subject"], message["From"], message["To"] = subject, "standby@example.org", "lab@example.org"
    message.set_content("the report")
    message.add_attachment(b"1,2\n", maintype="text", subtype="csv", filename="table.csv")
    with smtplib.SMTP(running.smtp_host, running.smtp_port) as server:
        server.send_message(message)


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL])
def test_channels_threads_files_and_mails_survive(tmp_path: Path, how: signal.Signals) -> None:
    with running_desk(tmp_path) as running:
        desk, web = Desk(running.url), web_of(running)
        request = desk.person("Alice").post("#lab", "every week", files={"a.log": b"one line\n"})
        web.chat_postMessage(channel=request.channel, text="a card", thread_ts=request.ts, blocks=[
            {"type": "actions", "elements": [BUTTON]}])  # fmt: skip
        direct = desk.person("Bob").post("@standby", "hello")
        desk.person("Bob").react(request, "eyes")
        desk.channel("archive", "#general")
        mail(running, "Errors of the week")
        desk.move_clock_to_weekday()
        before = [desk.ask("/messages", channel=one) for one in (request.channel, direct.channel)]
        if how is signal.SIGKILL:
            time.sleep(KILL_LOSES_S)
            os.kill(running.pid, how)
        desk.close()

    with running_desk(tmp_path) as running:
        desk, web = Desk(running.url), web_of(running)
        after = [desk.ask("/messages", channel=one) for one in (request.channel, direct.channel)]
        assert _without_address(after) == _without_address(before)
        assert desk.download(desk.again(request).files[0]) == b"one line\n"
        assert [one.subject for one in desk.mails()] == ["Errors of the week"]
        assert desk.mail_attachment(desk.mails()[0], 0) == b"1,2\n"
        # The thread goes on, in the same direct message too, and the archived channel stays archived.
        late = web.chat_postMessage(channel=request.channel, text="halted", thread_ts=request.ts)
        assert late["ts"] > max(one.ts for one in desk.messages("#lab")[:-1])
        assert desk.thread(request)[-1].says("halted")
        assert desk.person("Bob").post("@standby", "again").channel == direct.channel
        with pytest.raises(SlackApiError, match="is_archived"):
            web.chat_postMessage(channel="C0GENERAL01", text="x")
        desk.close()


def test_what_cannot_be_read_is_set_aside_and_said(tmp_path: Path) -> None:
    with running_desk(tmp_path) as running:
        desk = Desk(running.url)
        desk.person("Alice").post("#lab", "before")
        desk.close()
    kept = tmp_path / "data" / "workspace.json"
    kept.write_bytes(kept.read_bytes()[:-20])

    with running_desk(tmp_path) as running:
        desk = Desk(running.url)
        assert desk.messages("#lab") == []
        desk.person("Alice").post("#lab", "anew")
        desk.close()
    assert "cannot be read" in (tmp_path / "desk.log").read_text()
    (aside,) = (tmp_path / "data").glob("workspace.unreadable-*.json")
    assert b"before" in aside.read_bytes()
    with running_desk(tmp_path) as running:
        desk = Desk(running.url)
        assert desk.messages("#lab")[0].says("anew")
        desk.close()


def test_a_snapshot_of_another_version_is_not_guessed_at(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "workspace.json").write_text('{"format": "desk workspace", "version": 2}')
    with running_desk(tmp_path) as running:
        desk = Desk(running.url)
        assert desk.messages("#lab") == []
        desk.close()
    assert "version 2, not version 1" in (tmp_path / "desk.log").read_text()


def _without_address(seen: object) -> str:
    """Addresses hold the desk's port, which is another one each time here."""
    words = repr(seen)
    return "".join(part.partition("/")[2] if at else part for at, part in enumerate(words.split("http://127.0.0.1:")))
