"""One call to Slack's Web API: in order per channel, patient with rate limits, its errors translated into ours."""

import socket
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.client import HTTPException
from threading import Condition, Lock
from urllib.error import URLError

from slack_sdk.errors import SlackApiError
from slack_sdk.web import SlackResponse

from bot.domain.errors import ChatBusy, ChatError, ChatGone, ChatRefused, ChatUnclear

PATIENCE_S = 30.0
"""How long one call waits for Slack's rate limit before the job has to come back later."""

_WORDS = {
    "not_in_channel": "Standby is not in this channel; invite it with /invite.",
    "channel_not_found": "Standby cannot see this channel; if it is private, invite Standby there.",
    "is_archived": "The channel is archived, so nothing can be posted there.",
    "message_not_found": "The message is gone; somebody deleted it.",
    "thread_not_found": "The thread is gone; somebody deleted it.",
    "user_not_found": "Slack does not know this person.",
    "missing_scope": "The app lacks a scope; `standby doctor` says which. Add it and reinstall the app.",
    "invalid_auth": "Slack does not accept the bot token; `standby doctor` says what to do.",
    "account_inactive": "The app was uninstalled from this workspace; install it again.",
    "token_revoked": "The bot token was revoked; install the app again.",
    "token_expired": "The bot token has expired; with token rotation the app is installed by its page, see the README.",
    "restricted_action": "This workspace's settings do not let apps post here.",
}
# Slack says of these that part of the work may have been done.
_MAYBE_DONE = frozenset({"internal_error", "fatal_error", "service_unavailable", "request_timeout"})
_LATER = frozenset({"ratelimited", "rate_limited", "message_limit_exceeded"})
# Whatever is posted there, the answer stays the same until a person changes something.
_GONE = frozenset(
    {"is_archived", "not_in_channel", "channel_not_found", "invalid_auth", "account_inactive", "token_revoked"}
)
# Errors of a connection that never carried the request.
_NEVER_SENT = (ConnectionRefusedError, socket.gaierror)


class Calls:
    """Makes calls; those that name a channel go out one after the other, so that a wait keeps the order."""

    def __init__(self, patience_s: float = PATIENCE_S) -> None:
        self._patience_s = patience_s
        self.before: Callable[[], None] = lambda: None
        self._queues: defaultdict[str, _Queue] = defaultdict(_Queue)
        self._guard = Lock()

    def __call__(self, call: Callable[[], SlackResponse], *, channel_id: str = "") -> SlackResponse:
        """Make the call. Raises ChatRefused, ChatBusy or ChatUnclear."""
        if not channel_id:
            return self._patiently(call)
        with self._guard:
            queue = self._queues[channel_id]
        with queue.turn():
            if queue.wait_s() > self._patience_s:
                raise ChatBusy("Slack asked to wait with this channel; nothing was posted.", queue.wait_s())
            try:
                return self._patiently(call)
            except ChatBusy as busy:
                queue.busy_until = time.monotonic() + busy.retry_after_s
                raise

    def _patiently(self, call: Callable[[], SlackResponse]) -> SlackResponse:
        give_up_at = time.monotonic() + self._patience_s
        while True:
            try:
                self.before()
                return _once(call)
            except ChatBusy as busy:
                if not busy.retry_after_s or time.monotonic() + busy.retry_after_s > give_up_at:
                    raise
                time.sleep(busy.retry_after_s)


class _Queue:
    """Those who wait for one channel, first come first served, and until when Slack wants nothing for it."""

    def __init__(self) -> None:
        self._changed = Condition()
        self._last = self._now = 0
        self.busy_until = 0.0

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Wait for one's turn, and have it for the block."""
        with self._changed:
            mine = self._last
            self._last += 1
            self._changed.wait_for(lambda: self._now == mine)
        try:
            yield
        finally:
            with self._changed:
                self._now += 1
                self._changed.notify_all()

    def wait_s(self) -> float:
        """Seconds until something may be posted: nobody overtakes whoever was told to wait so long."""
        return max(0.0, self.busy_until - time.monotonic())


def _once(call: Callable[[], SlackResponse]) -> SlackResponse:
    try:
        return call()
    except SlackApiError as error:
        raise _translated(error.response) from error
    except (AttributeError, UnicodeDecodeError) as error:  # the SDK reads an answer that is no JSON object
        raise ChatUnclear("Slack's answer could not be read: it may have been done or not.") from error
    except (URLError, HTTPException, OSError) as error:
        cause = error.reason if isinstance(error, URLError) else error
        if isinstance(cause, _NEVER_SENT):
            raise ChatBusy("Slack cannot be reached just now; nothing was sent.", retry_after_s=0) from error
        raise ChatUnclear(
            f"The connection to Slack ended before its answer ({type(cause).__name__}): it may have been done or not."
        ) from error


def _translated(response: SlackResponse | dict[str, object] | bytes) -> ChatError:
    if not isinstance(response, SlackResponse):
        return ChatUnclear("Slack's answer could not be read: it may have been done or not.")
    code = str(response.get("error", ""))
    if response.status_code == 429 or code in _LATER:
        return ChatBusy("Slack asked to wait; nothing was posted.", retry_after_s=_retry_after_s(response))
    if response.status_code >= 500 or code in _MAYBE_DONE:
        return ChatUnclear(f"Slack failed while it worked (HTTP {response.status_code}): it may have been done or not.")
    refused = ChatGone if code in _GONE else ChatRefused
    return refused(f"{_WORDS.get(code, f'Slack refused: {code}.')} {_detail(response)}".strip())


def _retry_after_s(response: SlackResponse) -> float:
    given = next((v for k, v in response.headers.items() if k.lower() == "retry-after"), "1")
    try:
        return max(float(given), 0.1)
    except ValueError:
        return 1.0


def _detail(response: SlackResponse) -> str:
    """What Slack says is wrong with our blocks, or which scope is missing: for the log, never from people's data."""
    needed = response.get("needed")
    said = response.get("errors") or []
    return "; ".join(([f"Needed: {needed}."] if needed else []) + [str(one) for one in said][:3])
