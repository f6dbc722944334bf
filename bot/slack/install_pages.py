"""The two pages by which Standby is installed."""

from typing import Protocol

from slack_bolt import BoltRequest, BoltResponse

INSTALL, BACK = "/slack/install", "/slack/oauth_redirect"


class Pages(Protocol):
    """What answers them; see bot.slack.installs."""

    def install(self, request: BoltRequest) -> BoltResponse:
        """Off to Slack's page."""

    def back(self, request: BoltRequest) -> BoltResponse:
        """From Slack's page."""
