"""The manifest that a workspace installs asks for what the code needs and hears what the code handles."""

import json
from typing import Any

import pytest

from bot.slack import ids
from bot.slack.manifest import manifest as written
from tests.slack.conftest import MANIFEST


@pytest.fixture
def manifest() -> dict[str, Any]:
    return dict(json.loads(MANIFEST.read_text()))


def test_it_asks_for_exactly_the_scopes_that_doctor_checks(manifest: dict[str, Any]) -> None:
    assert set(manifest["oauth_config"]["scopes"]["bot"]) == ids.NEEDED_SCOPES


def test_its_command_and_shortcut_are_the_ones_that_are_handled(manifest: dict[str, Any]) -> None:
    features = manifest["features"]
    assert [one["command"] for one in features["slash_commands"]] == [ids.COMMAND]
    assert [one["callback_id"] for one in features["shortcuts"]] == [ids.MAKE_ROUTINE]


def test_with_an_address_it_is_for_http_mode_and_everything_is_sent_there() -> None:
    made = json.loads(written("https://standby.example.org/"))
    settings, [command] = made["settings"], made["features"]["slash_commands"]
    sent_to = {command["url"], settings["event_subscriptions"]["request_url"], settings["interactivity"]["request_url"]}
    assert (sent_to, settings["socket_mode_enabled"]) == ({"https://standby.example.org/slack/events"}, False)


def test_for_many_workspaces_it_is_installed_from_a_page() -> None:
    made = json.loads(written("https://standby.example.org", for_many=True))
    assert made["oauth_config"]["redirect_urls"] == ["https://standby.example.org/slack/oauth_redirect"]
    assert made["settings"]["token_rotation_enabled"] and made["settings"]["org_deploy_enabled"]


def test_it_stays_within_what_slack_accepts(manifest: dict[str, Any]) -> None:
    """Lengths from Slack's reference of app manifests."""
    assert len(manifest["display_information"]["name"]) <= 35
    assert len(manifest["display_information"]["description"]) <= 140
    assert all(len(one["name"]) <= 24 for one in manifest["features"]["shortcuts"])
    settings = manifest["settings"]
    assert (settings["socket_mode_enabled"], settings["org_deploy_enabled"]) == (True, False)
    assert settings["event_subscriptions"]["bot_events"] == sorted(settings["event_subscriptions"]["bot_events"])
