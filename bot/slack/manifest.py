"""The manifest with which Slack makes the app: for Socket Mode as it lies here, else for requests at an address."""

import json
from pathlib import Path
from typing import Any

from bot.slack.http import PATH
from bot.slack.install_pages import BACK

FILE = Path(__file__).with_name("manifest.json")


def manifest(url: str = "", *, for_many: bool = False) -> str:
    """The manifest's text. With `url`, the public https address of `standby bot`, for HTTP mode there.

    With `for_many` it is installed from a page, in one workspace after the other or in a whole organisation.
    """
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
    if for_many:
        made["oauth_config"]["redirect_urls"] = [url.rstrip("/") + BACK]
        settings["token_rotation_enabled"] = settings["org_deploy_enabled"] = True
    return json.dumps(made, indent=2) + "\n"
