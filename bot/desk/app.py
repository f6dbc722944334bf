"""The one app that is installed in the workspace: its scopes, events, commands and shortcuts, as its manifest says."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

# What a bot like Standby asks for at installation; a manifest replaces them.
DEFAULT_SCOPES = frozenset(
    [
        "app_mentions:read",
        "assistant:write",
        "channels:history",
        "channels:join",
        "channels:read",
        "chat:write",
        "commands",
        "files:read",
        "files:write",
        "groups:history",
        "groups:read",
        "im:history",
        "im:read",
        "im:write",
        "mpim:read",
        "reactions:write",
        "team:read",
        "usergroups:read",
        "users:read",
    ]
)
DEFAULT_EVENTS = frozenset(
    [
        "app_mention",
        "app_home_opened",
        "message.channels",
        "message.groups",
        "message.im",
        "channel_archive",
        "channel_unarchive",
        "member_left_channel",
        "member_joined_channel",
        "file_deleted",
    ]
)


@dataclass(frozen=True)
class Shortcut:
    """An entry of a message's menu (`message`) or of the composer's (`global`)."""

    name: str
    callback_id: str
    kind: str


@dataclass(frozen=True)
class InstalledApp:
    """An app as its installation knows it."""

    id: str = "A0STANDBY01"
    bot_id: str = "B0STANDBY01"
    bot_user: str = "U0STANDBY01"
    scopes: frozenset[str] = DEFAULT_SCOPES
    events: frozenset[str] = DEFAULT_EVENTS
    commands: tuple[str, ...] = ("/standby",)
    shortcuts: tuple[Shortcut, ...] = (Shortcut("Turn this into a recurring report", "turn_into_report", "message"),)


def read_manifest(path: Path) -> InstalledApp:
    """The app that an app manifest in Slack's JSON form describes. Raises ValueError if it is no JSON object."""
    manifest: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    features = manifest.get("features", {})
    scopes = manifest.get("oauth_config", {}).get("scopes", {}).get("bot", DEFAULT_SCOPES)
    events = manifest.get("settings", {}).get("event_subscriptions", {}).get("bot_events", DEFAULT_EVENTS)
    return InstalledApp(
        scopes=frozenset(scopes),
        events=frozenset(events),
        commands=tuple(one["command"] for one in features.get("slash_commands", [])),
        shortcuts=tuple(Shortcut(s["name"], s["callback_id"], s["type"]) for s in features.get("shortcuts", [])),
    )
