"""What must hold at Slack itself, for somebody with keys: with `SLACK_CONTRACT_BOT_TOKEN`, `pytest tests/contracts`.

`SLACK_CONTRACT_APP_TOKEN` tries Socket Mode, `SLACK_CONTRACT_CLIENT_ID` and `SLACK_CONTRACT_CLIENT_SECRET` the words
with which installing is refused. Nothing is posted.
"""

from __future__ import annotations

import os

import pytest
from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError

from bot.domain.views import View
from bot.slack.cards import render
from bot.slack.ids import NEEDED_SCOPES
from tests import views

VIEWS = (views.approval(), views.fix(), views.report(), views.surprise(), views.steps(), views.question())


def key(name: str) -> str:
    """Skips in words where nobody gave it."""
    if not (found := os.environ.get(f"SLACK_CONTRACT_{name}")):
        pytest.skip(f"SLACK_CONTRACT_{name} is not set, so Slack itself is not asked")
    return found


def test_the_installed_app_has_every_scope() -> None:
    answer = WebClient(key("BOT_TOKEN")).auth_test()
    assert set(answer.headers["x-oauth-scopes"].split(",")) >= NEEDED_SCOPES


@pytest.mark.parametrize("view", VIEWS, ids=lambda view: type(view).__name__)
def test_slack_takes_the_blocks_of_every_card(view: View) -> None:
    web = WebClient(key("BOT_TOKEN"))
    assert web.api_call("blocks.validate", json={"blocks": render(view).blocks})["ok"]


def test_socket_mode_gives_out_a_connection() -> None:
    assert WebClient().apps_connections_open(app_token=key("APP_TOKEN"))["url"].startswith("wss://")


@pytest.mark.parametrize(
    ("asked", "word"),
    [
        ({"code": "made-up"}, "invalid_code"),
        ({"grant_type": "refresh_token", "refresh_token": "xoxe-1-made-up"}, "invalid_refresh_token"),
    ],
)
def test_installing_is_refused_in_the_words_that_standby_knows(asked: dict[str, str], word: str) -> None:
    client = {"client_id": key("CLIENT_ID"), "client_secret": key("CLIENT_SECRET")}
    with pytest.raises(SlackApiError) as refused:
        WebClient().oauth_v2_access(**client, **asked)
    assert refused.value.response["error"] == word
