"""Slack's word that the app was uninstalled, or that its token counts no more: every routine pauses."""

from typing import Any

from slack_bolt import Ack, App

from bot.log import log
from bot.slack.address import REMOVALS, is_removal
from bot.work.parts import Parts
from bot.work.removal import pause_all


def register(app: App, parts: Parts) -> None:
    """Where Standby is installed in many workspaces the switchboard hears of it, and erases the tokens too."""

    def pause(event: dict[str, Any], ack: Ack) -> None:
        if is_removal(event):
            log.warning("removed", kind=event["type"], paused=pause_all(parts.db, event["type"], parts.clock.now()))
        ack()

    for kind in REMOVALS:
        app.event(kind)(pause)
