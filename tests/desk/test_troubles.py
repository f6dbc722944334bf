"""The troubles that tests can switch on, as clients meet them; and the clock and the mail sink."""

from __future__ import annotations

import http.client
import smtplib
import urllib.error
from collections.abc import Iterator
from datetime import UTC, datetime, time, timedelta
from email.message import EmailMessage
from pathlib import Path
from zoneinfo import ZoneInfo

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError

from bot.desk.clock import DeskClock, next_weekday
from bot.desk.errors import BadRequest
from tests.desk_client import Desk, DeskRefused
from tests.desk_server import RunningDesk, running_desk

LAB = "C0LAB000001"
OSLO = ZoneInfo("Europe/Oslo")


# The Web API ---------------------------------------------------------------------------------------------------


def test_a_rate_limit_says_how_long_to_wait_and_does_no_work(web: WebClient, desk: Desk) -> None:
    desk.fault("rate_limited", "chat.postMessage", seconds=7)
    before = len(desk.messages())
    with pytest.raises(SlackApiError) as caught:
        web.chat_postMessage(channel=LAB, text="x")
    assert (caught.value.response.status_code, caught.value.response.headers["Retry-After"]) == (429, "7")
    assert len(desk.messages()) == before
    web.chat_postMessage(channel=LAB, text="x")  # one fault, once


def test_a_lost_reply_is_work_done_and_a_connection_cut(web: WebClient, desk: Desk) -> None:
    desk.fault("lost_reply", "chat.postMessage")
    metadata = {"event_type": "run", "event_payload": {"run": "r-1"}}
    with pytest.raises((ConnectionError, http.client.HTTPException, urllib.error.URLError)):
        web.chat_postMessage(channel=LAB, text="posted all the same", metadata=metadata)
    said = desk.messages()[-1]
    assert (said.text, said.metadata) == ("posted all the same", metadata)
    looked_up = web.conversations_history(channel=LAB, include_all_metadata=True, limit=1)
    assert looked_up["messages"][0]["metadata"] == metadata


def test_a_server_error_does_no_work(web: WebClient, desk: Desk) -> None:
    desk.fault("server_error", "chat.postMessage")
    before = len(desk.messages())
    with pytest.raises(SlackApiError):
        web.chat_postMessage(channel=LAB, text="x")
    assert len(desk.messages()) == before


def test_a_download_can_turn_into_a_login_page_or_end_early(running: RunningDesk, desk: Desk) -> None:
    file = desk.person("Alice").post("#lab", "file", files={"a.log": b"0123456789"}).files[0]
    headers = {"Authorization": f"Bearer {running.bot_token}"}
    desk.fault("login_page", "a.log")
    desk.fault("short_download", "a.log")
    answers = [httpx.get(file["url_private_download"], headers=headers, trust_env=False) for _ in range(3)]
    assert answers[0].text.startswith("<!DOCTYPE html>")
    assert [answer.content for answer in answers[1:]] == [b"01234", b"0123456789"]


def test_a_word_that_is_no_fault_is_refused(desk: Desk) -> None:
    with pytest.raises(DeskRefused, match="rate_limited, lost_reply"):
        desk.fault("gremlins")


# Mail ----------------------------------------------------------------------------------------------------------


@pytest.fixture
def smtp(running: RunningDesk) -> Iterator[smtplib.SMTP]:
    with smtplib.SMTP(running.smtp_host, running.smtp_port, timeout=10) as client:
        yield client


def report() -> EmailMessage:
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = "standby@example.org", "lab@example.org", "Errors: 41"
    message.set_content("41 errors\n")
    message.add_alternative("<p>41 errors</p>", subtype="html")
    message.add_attachment(b"a,b\n", maintype="text", subtype="csv", filename="errors.csv")
    return message


def test_a_mail_is_kept_with_its_parts(smtp: smtplib.SMTP, desk: Desk) -> None:
    smtp.send_message(report())
    mail = desk.wait_for_mail(lambda one: one.subject == "Errors: 41")
    assert (mail.sender, mail.to) == ("standby@example.org", ["lab@example.org"])
    assert (mail.text.strip(), mail.html.strip()) == ("41 errors", "<p>41 errors</p>")
    assert mail.attachments[0]["name"] == "errors.csv"
    assert desk.mail_attachment(mail, 0) == b"a,b\n"


@pytest.mark.parametrize("code", [450, 550])
def test_a_mailbox_can_refuse_for_now_or_for_good(smtp: smtplib.SMTP, desk: Desk, code: int) -> None:
    desk.fault("mail_refused", "lab@example.org", reply=f"{code} no")
    before = len(desk.mails())
    with pytest.raises(smtplib.SMTPRecipientsRefused) as caught:
        smtp.send_message(report())
    assert caught.value.recipients["lab@example.org"][0] == code
    assert len(desk.mails()) == before


def test_a_mail_can_be_taken_and_its_reply_lost(running: RunningDesk, desk: Desk) -> None:
    desk.fault("mail_lost_reply")
    before = len(desk.mails())
    client = smtplib.SMTP(running.smtp_host, running.smtp_port, timeout=10)
    with pytest.raises((smtplib.SMTPServerDisconnected, ConnectionError)):
        client.send_message(report())
    client.close()
    assert len(desk.mails()) == before + 1


# The clock -----------------------------------------------------------------------------------------------------


def test_the_clock_moves_forward_only_and_messages_follow_it(tmp_path: Path) -> None:
    with running_desk(tmp_path) as running:
        desk = Desk(running.url)
        early = desk.person("Alice").post("#lab", "early")
        moved = desk.move_clock_to_weekday("monday", "07:00", "Europe/Oslo")
        local = moved.astimezone(OSLO)
        assert (local.weekday(), local.hour, local.minute) == (0, 7, 0)
        late = desk.person("Alice").post("#lab", "late")
        assert float(early.ts) < moved.timestamp() <= float(late.ts)
        told = httpx.get(running.clock_url, trust_env=False).json()
        assert datetime.fromisoformat(told["now"]) >= moved
        assert told["offset_s"] > 0
        with pytest.raises(DeskRefused, match="only moves forward"):
            desk.move_clock_to(moved - timedelta(days=1))
        desk.close()


@given(st.lists(st.floats(min_value=0, max_value=10), max_size=20))
def test_timestamps_never_repeat_nor_go_back(steps: list[float]) -> None:
    at = datetime(2026, 11, 30, tzinfo=UTC)
    moments = iter([at + timedelta(seconds=sum(steps[:n])) for n in range(len(steps) + 1)])
    clock = DeskClock(real=lambda: next(moments))
    stamps = [clock.stamp() for _ in range(len(steps) + 1)]
    assert stamps == sorted(set(stamps))


@given(
    st.datetimes(datetime(2026, 1, 1), datetime(2030, 1, 1), timezones=st.just(UTC)),
    st.integers(0, 6),
    st.times().map(lambda at: at.replace(second=0, microsecond=0)),
)
def test_the_next_weekday_is_at_most_a_week_ahead(after: datetime, weekday: int, at: time) -> None:
    found = next_weekday(after, weekday, at, OSLO)
    assert after < found <= after + timedelta(days=7, hours=1)  # a week in which a clock was turned back is longer
    assert found.astimezone(OSLO).weekday() == weekday


def test_a_moved_clock_survives_a_restart(tmp_path: Path) -> None:
    kept = tmp_path / "offset"
    clock = DeskClock(kept_in=kept)
    clock.move_to(clock.now() + timedelta(days=7))
    assert DeskClock(kept_in=kept).offset_s == clock.offset_s
    with pytest.raises(BadRequest):
        clock.move_to(clock.now() - timedelta(seconds=1))
