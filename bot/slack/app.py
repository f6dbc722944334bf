"""The bolt app: every listener, an acknowledgement only after the work is safe, and nothing left unhandled."""

from concurrent.futures import ThreadPoolExecutor
from secrets import token_hex
from typing import Any

from slack_bolt import App, BoltResponse

from bot.log import log
from bot.slack.chat import SlackChat
from bot.slack.homes import Homes
from bot.slack.listeners import (
    commands,
    home,
    leftovers,
    messages,
    pages,
    presses,
    questions,
    reasons,
    routine_modals,
    shortcut,
)
from bot.work.parts import Parts

ANSWERING_THREADS = 64
"""Threads for answers to presses, which wait on Slack; a burst of presses must not queue behind them."""


def build_app(parts: Parts, chat: SlackChat, homes: Homes | None = None) -> App:
    """All listeners over these parts. Nothing is asked of Slack before the first payload.

    `homes` is whoever else keeps the Home tabs fresh; without it they are published when they are opened or used.
    """
    app = App(
        client=chat.client,
        # Only HTTP mode checks it; unset must not mean guessable.
        signing_secret=parts.settings.slack_signing_secret.get_secret_value() or token_hex(),
        # Bolt would acknowledge an event first and run the listener later; a crash between the two would lose it.
        process_before_response=True,
        token_verification_enabled=False,
        listener_executor=ThreadPoolExecutor(ANSWERING_THREADS, thread_name_prefix="answer"),
        attaching_conversation_kwargs_enabled=False,
    )
    app.error(_failed)
    messages.register(app, parts, chat)
    presses.register(app, parts, chat)
    reasons.register(app, parts, chat)
    pages.register(app, parts, chat)
    questions.register(app, parts, chat)
    tabs = homes or Homes(parts, chat)
    home.register(app, parts, chat, tabs)
    routine_modals.register(app, parts, chat, tabs)
    commands.register(app, parts)
    shortcut.register(app, parts, chat)
    leftovers.register(app, chat)
    return app


def _failed(error: Exception, body: dict[str, Any]) -> BoltResponse:
    """Not acknowledged: Slack delivers an event again, and shows a presser that something went wrong."""
    event = body.get("event", {})
    log.error("listener_failed", kind=event.get("type") or body.get("type"), exc_info=error)
    return BoltResponse(status=500)
