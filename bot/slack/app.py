"""The bolt app: every listener, an acknowledgement only after the work is safe, and nothing left unhandled."""

from concurrent.futures import ThreadPoolExecutor
from secrets import token_hex
from typing import Any

from slack_bolt import App, BoltResponse
from slack_bolt.authorization import AuthorizeResult

from bot.log import log
from bot.slack import wire
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
    removal,
    routine_modals,
    shortcut,
)
from bot.work.parts import Parts

ANSWERING_THREADS = 64
"""Threads for answers to presses, which wait on Slack; a burst of presses must not queue behind them."""


class StandbyApp(App):
    """Bolt's app, which can be given up without ending the process."""

    def close(self) -> None:
        """Take no new answers; those under way are given."""
        self.listener_runner.listener_executor.shutdown(wait=False)


def build_app(parts: Parts, chat: SlackChat, homes: Homes | None = None) -> StandbyApp:
    """All listeners over these parts. Nothing is asked of Slack before the first payload.

    `homes` is whoever else keeps the Home tabs fresh; without it they are published when they are opened or used.
    """
    app = StandbyApp(
        client=wire.client(parts.settings, token=None),  # each request gets the token from `authorize`
        # Only HTTP mode checks it; unset must not mean guessable.
        signing_secret=parts.settings.slack_signing_secret.get_secret_value() or token_hex(),
        # Bolt would acknowledge an event first and run the listener later; a crash between the two would lose it.
        process_before_response=True,
        authorize=lambda: _ourselves(chat),
        token_verification_enabled=False,
        listener_executor=ThreadPoolExecutor(ANSWERING_THREADS, thread_name_prefix="answer"),
        attaching_conversation_kwargs_enabled=False,
    )
    app.error(_failed)
    removal.register(app, parts)
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


def _ourselves(chat: SlackChat) -> AuthorizeResult:
    """Who we are here, with the token as it is now. Raises ChatError, and the request is not acknowledged.

    Bolt's own way would acknowledge an event that it drops, where Slack refuses to say who we are at that moment.
    """
    return AuthorizeResult(
        enterprise_id=None,
        team_id=chat.team_id,
        bot_user_id=chat.bot_user_id,
        bot_id=chat.bot_id,
        bot_token=chat.token(),
    )


def _failed(error: Exception, body: dict[str, Any]) -> BoltResponse:
    """Not acknowledged: Slack delivers an event again, and shows a presser that something went wrong."""
    event = body.get("event", {})
    log.error("listener_failed", kind=event.get("type") or body.get("type"), exc_info=error)
    return BoltResponse(status=500)
