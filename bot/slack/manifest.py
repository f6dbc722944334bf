"""The manifest with which Slack makes the app: for Socket Mode as it lies here, else for requests at an address."""

import json
from pathlib import Path
from typing import Any

from bot.slack.http import PATH

FILE = Path(__file__).with_name("manifest.json")


def manifest(url: str = "") -> str:
    """The manifest's text. With `url`, the public https address of `standby bot`, for HTTP mode there."""
    if not url:
        return FILE.read_text(encoding="utf-8")
    made: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
    posts = url.rstrip("/") + PATH
    for command in made["features"]["slash_commands"]:
        command["url"] = posts
    settings = made["settings"]
    settings["event_subscriptions"]["request_url"] = posts
    settings["interactivity"]["request_url"] = posts
    settings["socket_mode_enabled"] = False
    return json.dumps(made, indent=2) + "\n"
