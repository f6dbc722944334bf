"""Socket Mode with a watchdog: a connection that went deaf is thrown away and a new one made, for ever."""

import json
from collections.abc import Callable
from contextlib import suppress
from socket import SHUT_RDWR
from threading import Event, Thread
from time import monotonic

from slack_bolt import App
from slack_bolt.adapter.socket_mode import SocketModeHandler
from slack_sdk.errors import SlackApiError

from bot.domain.errors import ChatRefused
from bot.log import log
from bot.slack.gaps import Gaps

PING_S = 1
"""The SDK notices a dropped connection after a few of these: 0.6 s, instead of 9.5 s by its default."""

DEAF_S = 10.0
"""Without a connection, or on one that never said hello, for so long, everything is built anew."""

WORKERS = 32
"""Envelopes worked on at the same time; each is one short transaction."""

HOPELESS = ("invalid_auth", "not_authed", "not_allowed_token_type", "missing_scope", "token_revoked")
LOOK_S = 0.25
CLOSE_S = 5.0
# Slack ends a connection with one of these words where a new one would be ended the same way.
UNWELCOME = {
    "link_disabled": "Socket Mode is switched off in the app's settings; switch it on, or use HTTP mode",
    "too_many_websockets": "the app has ten connections already, all that Slack allows; run fewer of `standby bot`",
}
FIRST_PAUSE_S, LONGEST_PAUSE_S = 0.5, 30.0


class Socket:
    """The app's ear. `run` returns when `stop` is set."""

    def __init__(self, app: App, app_token: str) -> None:
        self._app = app
        self._app_token = app_token
        self._hello = Event()
        self._unwelcome = ""
        self.gaps = Gaps()

    def unready(self) -> str:
        """Why Slack cannot be heard now; empty while it can."""
        wrong = self.gaps.now()
        return f"{wrong}: {UNWELCOME[self._unwelcome]}" if wrong and self._unwelcome else wrong

    def run(self, stop: Event, on_ready: Callable[[], None]) -> None:
        """Listen until `stop`; `on_ready` is called once, when Slack has said hello for the first time.

        Raises ChatRefused where Slack does not accept the app token.
        """
        pause_s = FIRST_PAUSE_S
        is_told = False
        while not stop.is_set():
            handler = self._connect()
            if handler is None:
                stop.wait(pause_s)
                pause_s = min(pause_s * 2, LONGEST_PAUSE_S)
                continue
            if self._hello.wait(DEAF_S):
                if not is_told:
                    on_ready()
                    is_told = True
                self._watch(handler, stop)
                self.gaps.lost()
            _close(handler)
            if self._unwelcome:
                stop.wait(pause_s)
                pause_s = min(pause_s * 2, LONGEST_PAUSE_S)
            else:
                pause_s = FIRST_PAUSE_S

    def _connect(self) -> SocketModeHandler | None:
        self._hello.clear()
        handler = SocketModeHandler(self._app, self._app_token, ping_interval=PING_S, concurrency=WORKERS)
        handler.client.on_message_listeners.append(self._heard)
        try:
            handler.client.connect()
        except SlackApiError as error:
            _close(handler)
            if error.response.get("error") in HOPELESS:
                raise ChatRefused(
                    f"Slack does not accept STANDBY_SLACK_APP_TOKEN ({error.response.get('error')}), so nothing can be "
                    "heard. Make an app-level token with the scope connections:write and set it."
                ) from error
            log.warning("socket_refused", reason=error.response.get("error"), why=UNWELCOME.get(self._unwelcome, ""))
            return None
        except Exception as error:  # the SDK lets through whatever its sockets raise
            _close(handler)
            log.warning("socket_not_connected", reason=f"{type(error).__name__}: {error}")
            return None
        return handler

    def _heard(self, message: str) -> None:
        """Slack's first word on every connection, and its word that it wants another."""
        if '"hello"' not in message and '"disconnect"' not in message:
            return
        said = json.loads(message)
        if said.get("type") == "hello":
            self._unwelcome = ""
            self._hello.set()
            self.gaps.hello()
        elif said.get("type") == "disconnect" and said.get("reason") in UNWELCOME:
            self._unwelcome = said["reason"]
            log.error("socket_unwelcome", reason=self._unwelcome, why=UNWELCOME[self._unwelcome])
        elif said.get("type") == "disconnect":
            self.gaps.announced()

    def _watch(self, handler: SocketModeHandler, stop: Event) -> None:
        """Return when the socket was deaf for too long, when Slack wants none, or when it is time to stop."""
        alive_at = monotonic()
        while not stop.wait(LOOK_S) and not self._unwelcome:
            if handler.client.is_connected():
                alive_at = monotonic()
                self.gaps.heard()
                continue
            self.gaps.lost()
            if monotonic() - alive_at > DEAF_S:
                log.warning("socket_deaf", seconds=DEAF_S)
                return


def _close(handler: SocketModeHandler) -> None:
    """Let envelopes in hand be finished, then give everything back.

    The SDK's close first waits for its reader, which sits in `recv` for seconds; a shut-down socket wakes it. Should
    it hang nevertheless, it hangs in a thread of its own.
    """
    client = handler.client
    client.auto_reconnect_enabled = False
    session = client.current_session
    if session is not None and session.sock is not None:
        with suppress(OSError):  # the other side may have gone first
            session.sock.shutdown(SHUT_RDWR)
    closing = Thread(target=client.close, name="close-socket", daemon=True)
    closing.start()
    closing.join(timeout=CLOSE_S)
