"""What Slack refuses, the desk refuses, in Slack's words; asked by the real slack_sdk client."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import httpx
import pytest
from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError

from tests.desk_client import Desk
from tests.desk_server import RunningDesk

# The SDK warns of a missing text; some of these tests leave it out on purpose.
pytestmark = pytest.mark.filterwarnings("ignore:The top-level `text` argument:UserWarning")

LAB, GENERAL, ALICE = "C0LAB000001", "C0GENERAL01", "U0ALICE0001"
SECTION = {"type": "section", "text": {"type": "mrkdwn", "text": "x"}}
MODAL = {"type": "modal", "title": {"type": "plain_text", "text": "T"}, "blocks": [SECTION]}


def refusal(call: Callable[[], Any]) -> str:
    """The error with which a call is refused."""
    with pytest.raises(SlackApiError) as caught:
        call()
    return str(caught.value.response["error"])


def test_who_the_app_is_and_what_it_may_do_come_with_auth_test(web: WebClient, desk: Desk) -> None:
    answer = web.auth_test()
    assert (answer["user_id"], answer["team_id"]) == ("U0STANDBY01", "T0LAB000001")
    assert set(answer.headers["x-oauth-scopes"].split(",")) == set(desk.state()["app"]["scopes"])


@pytest.mark.parametrize(
    ("token", "method", "error"),
    [
        ("", "auth.test", "not_authed"),
        ("xoxb-somebody-else", "auth.test", "invalid_auth"),
        ("app", "chat.postMessage", "not_allowed_token_type"),
        ("bot", "apps.connections.open", "not_allowed_token_type"),
        ("bot", "chat.frobnicate", "unknown_method"),
    ],
)
def test_a_wrong_token_or_method_is_named(running: RunningDesk, token: str, method: str, error: str) -> None:
    real = {"bot": running.bot_token, "app": running.app_token}.get(token, token)
    headers = {"Authorization": f"Bearer {real}"} if real else {}
    answer = httpx.post(f"{running.api_url}{method}", headers=headers, trust_env=False).json()
    assert (answer["ok"], answer["error"]) == (False, error)


def test_a_missing_scope_says_which_is_needed_and_which_are_there(web: WebClient, desk: Desk) -> None:
    granted = desk.state()["app"]["scopes"]
    desk.settings(scopes=["chat:write"])
    try:
        with pytest.raises(SlackApiError) as caught:
            web.users_info(user=ALICE)
    finally:
        desk.settings(scopes=granted)
    answer = caught.value.response
    assert (answer["error"], answer["needed"], answer["provided"]) == ("missing_scope", "users:read", "chat:write")


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ({"channel": "C0NOWHERE01", "text": "x"}, "channel_not_found"),
        ({"channel": GENERAL, "text": "x"}, "not_in_channel"),
        ({"channel": LAB, "text": ""}, "no_text"),
        ({"channel": LAB, "text": "x" * 40_001}, "msg_too_long"),
        ({"channel": LAB, "text": "x", "thread_ts": "1.000001"}, "thread_not_found"),
        ({"channel": LAB, "text": "x", "blocks": [{"type": "hologram"}]}, "invalid_blocks"),
        ({"channel": LAB, "text": "x", "blocks": [SECTION] * 51}, "invalid_blocks"),
        ({"channel": LAB, "text": "x", "metadata": {"event_type": "run"}}, "invalid_metadata_format"),
    ],
)
def test_a_post_that_slack_would_refuse(web: WebClient, arguments: dict[str, Any], error: str) -> None:
    assert refusal(lambda: web.chat_postMessage(**arguments)) == error


def test_refused_blocks_come_with_pointers(web: WebClient) -> None:
    blocks = [{"type": "section", "text": {"type": "mrkdwn", "text": "x" * 3001}}]
    with pytest.raises(SlackApiError) as caught:
        web.chat_postMessage(channel=LAB, text="x", blocks=blocks)
    assert caught.value.response["errors"] == ["must be less than 3001 characters [json-pointer:/blocks/0/text/text]"]
    pointed = refusal(lambda: web.blocks_validate(blocks=blocks))
    assert pointed == "invalid_blocks"


def test_a_reply_to_a_reply_is_refused(web: WebClient) -> None:
    root = web.chat_postMessage(channel=LAB, text="root")["ts"]
    reply = web.chat_postMessage(channel=LAB, text="reply", thread_ts=root)["ts"]
    assert refusal(lambda: web.chat_postMessage(channel=LAB, text="x", thread_ts=reply)) == "invalid_thread_ts"


def test_an_archived_channel_takes_nothing(web: WebClient, desk: Desk) -> None:
    desk.channel("archive", "#lab")
    try:
        assert refusal(lambda: web.chat_postMessage(channel=LAB, text="x")) == "is_archived"
    finally:
        desk.channel("unarchive", "#lab")


def test_only_own_messages_can_be_changed_or_taken_back(web: WebClient, desk: Desk) -> None:
    said = desk.person("Alice").post("#lab", "mine")
    assert refusal(lambda: web.chat_update(channel=LAB, ts=said.ts, text="x")) == "cant_update_message"
    assert refusal(lambda: web.chat_delete(channel=LAB, ts=said.ts)) == "cant_delete_message"
    assert refusal(lambda: web.chat_update(channel=LAB, ts="1.000001", text="x")) == "message_not_found"


def test_an_ephemeral_message_needs_somebody_who_is_there(web: WebClient) -> None:
    assert refusal(lambda: web.chat_postEphemeral(channel=LAB, user="U0NOBODY001", text="x")) == "user_not_found"
    assert refusal(lambda: web.chat_postEphemeral(channel=LAB, user="U0STANDBY01", text="")) == "no_text"


def test_a_modal_needs_a_trigger(web: WebClient) -> None:
    assert refusal(lambda: web.views_open(trigger_id="12.34", view=MODAL)) == "invalid_trigger_id"
    assert refusal(lambda: web.views_update(view_id="V0NOWHERE01", view=MODAL)) == "not_found"


@pytest.mark.parametrize(
    "broken",
    [
        {"title": {"type": "plain_text", "text": "x" * 25}},
        {"private_metadata": "x" * 3001},
        {"blocks": [{"type": "data_table", "caption": "c", "rows": [[{"type": "raw_text", "text": "a"}]] * 2}]},
        {
            "blocks": [
                {
                    "type": "input",
                    "label": {"type": "plain_text", "text": "Why"},
                    "element": {"type": "plain_text_input"},
                }
            ]
        },
    ],
    ids=["title", "private_metadata", "surface", "no submit"],
)
def test_a_view_that_slack_would_refuse(web: WebClient, broken: dict[str, Any]) -> None:
    view = {**MODAL, **broken}
    assert refusal(lambda: web.views_open(trigger_id="12.34", view=view)) == "invalid_arguments"


def test_a_download_without_the_right_token_is_a_login_page_with_status_200(running: RunningDesk, desk: Desk) -> None:
    file = desk.person("Alice").post("#lab", "file", files={"a.log": b"secret"}).files[0]
    for headers in ({}, {"Authorization": "Bearer xoxb-wrong"}, {"Authorization": f"Bearer {running.app_token}"}):
        answer = httpx.get(file["url_private_download"], headers=headers, trust_env=False)
        assert (answer.status_code, answer.headers["content-type"]) == (200, "text/html; charset=utf-8")
        assert answer.text.startswith("<!DOCTYPE html>")
    good = httpx.get(
        file["url_private_download"], headers={"Authorization": f"Bearer {running.bot_token}"}, trust_env=False
    )
    assert good.content == b"secret"


def test_an_upload_of_another_length_is_refused(web: WebClient) -> None:
    place = web.files_getUploadURLExternal(filename="a.csv", length=5)
    answer = httpx.post(place["upload_url"], content=b"1234", trust_env=False)
    assert answer.status_code == 400
    unfinished = refusal(lambda: web.files_completeUploadExternal(files=[{"id": place["file_id"]}], channel_id=LAB))
    assert unfinished == "file_not_found"


def test_a_deleted_file_is_gone(web: WebClient, desk: Desk) -> None:
    file = desk.person("Alice").post("#lab", "file", files={"a.log": b"x"}).files[0]
    desk.delete_file(file)
    assert refusal(lambda: web.files_info(file=file["id"])) == "file_deleted"
    assert desk.messages("#lab")[-1].files == [{"id": file["id"], "mode": "tombstone"}]


def test_a_stream_ends_by_itself(web: WebClient, desk: Desk) -> None:
    root = desk.person("Alice").post("#lab", "work")
    known: dict[str, Any] = {"recipient_user_id": ALICE, "recipient_team_id": "T0LAB000001"}
    assert refusal(lambda: web.chat_startStream(channel=LAB, thread_ts=root.ts)) == "missing_recipient_user_id"
    stream = web.chat_startStream(channel=LAB, thread_ts=root.ts, markdown_text="one ", **known)
    web.chat_appendStream(channel=LAB, ts=stream["ts"], markdown_text="two")
    web.chat_stopStream(channel=LAB, ts=stream["ts"])
    assert desk.thread(root)[-1].text == "one two"
    stopped = refusal(lambda: web.chat_appendStream(channel=LAB, ts=stream["ts"], markdown_text="three"))
    assert stopped == "message_not_in_streaming_state"


def test_each_refusal_stands_in_the_ledger_and_no_token_does(web: WebClient, running: RunningDesk, desk: Desk) -> None:
    refusal(lambda: web.chat_postMessage(channel="C0NOWHERE01", text="x"))
    last = desk.refused()[-1]
    assert (last["method"], last["error"], last["args"]["text"]) == ("chat.postMessage", "channel_not_found", "x")
    assert running.bot_token not in str(desk.ledger())


def test_the_desk_answers_only_under_its_own_name(running: RunningDesk) -> None:
    elsewhere = httpx.get(f"{running.url}/clock", headers={"Host": "evil.example"}, trust_env=False)
    assert elsewhere.status_code == 403
    with httpx.Client(trust_env=False) as client:
        crossed = client.post(f"{running.url}/desk/api/faults", headers={"Origin": "https://evil.example"}, json={})
        assert crossed.status_code == 403
        own = client.post(f"{running.url}/desk/api/clock", headers={"Origin": running.url}, json={"to": "2020-01-01"})
        assert own.status_code == 400
