"""The workspace as jobs see it: posting, rewriting, looking, files, people. Implements bot.domain.ports.Chat."""

import re
from collections.abc import Callable
from dataclasses import replace
from functools import cached_property
from threading import RLock
from typing import Any, BinaryIO

from bot.domain.errors import ChatError, ChatGone
from bot.domain.people import Person
from bot.domain.ports import ChannelSeen, MessageRef, Place, Shared, WorkspaceFile
from bot.domain.views import ApprovalView, StepsView, View
from bot.log import log
from bot.settings import Settings
from bot.slack import payloads, wire
from bot.slack.calls import Calls
from bot.slack.cards import render
from bot.slack.channels import Channels
from bot.slack.files import FileHost
from bot.slack.ids import METADATA_TYPE, metadata_of
from bot.slack.people import People
from bot.slack.skew import SKEW_S, apart_from
from bot.slack.streams import Streams, key_in
from bot.slack.text import CHANNEL, SPOKEN, fallback, ours

Token = Callable[[], str]
"""Gives the bot token as it is now. Raises ChatError where there is none."""

LOOK_BACK = 999
"""Messages that one look for a lost post goes through: the most that Slack gives in one answer."""

MOST_SPOKEN = 8
"""Ids in a message's `text` that are looked up; what nobody hears of needs no more."""

PRESSED_S = 2.0
"""For so long a press waits for an answer of Slack's: it has to be acknowledged within three seconds."""

PERSON = ("U", "W")
"""Ids of people begin so; Slack takes one where a message goes to them directly."""


class SlackChat:
    """Talks to one workspace with one bot token. Every call is made once; see bot.slack.calls for its errors."""

    def __init__(
        self,
        settings: Settings,
        calls: Calls | None = None,
        *,
        token: Token | None = None,
        team_id: str = "",
        is_pressed: bool = False,
    ) -> None:
        """The workspace of STANDBY_SLACK_BOT_TOKEN, or `team_id` with its own `token`; nothing is asked of it yet.

        `is_pressed`: people wait for the answer, so questions about people and channels wait
        no longer than Slack waits for us.
        """
        self.token = token or settings.slack_bot_token.get_secret_value
        self._team_id = team_id
        self._is_known, self._asking = False, RLock()
        self._client = wire.client(settings)
        self._files = FileHost(self.token, settings.slack_file_hosts, settings.slack_api_url)
        self._call = calls or Calls()
        self._quick_client, quick = wire.client(settings, timeout_s=PRESSED_S), Calls(patience_s=PRESSED_S)
        if token is not None:
            self._call.before = quick.before = self._take_token
        client, ask = (self._quick_client, quick) if is_pressed else (self._client, self._call)
        self._channels = Channels(client, ask, team_id or None)
        self._people = People(client, ask, lambda: self.team_id)
        # No message waits long for a name.
        self._names = self._people if is_pressed else People(self._quick_client, quick, lambda: self.team_id)
        self._streams = Streams(self._client, self._call)

    def _take_token(self) -> None:
        """A token that is renewed every few hours is asked for before each call, and whose it is before the first."""
        self._client.token = self._quick_client.token = self.token()
        with self._asking:
            if self._is_known:
                return
            self._is_known = True  # for the question itself
            try:
                self._is_known = bool(self._self)
            except ChatError:
                self._is_known = False
                raise

    def close(self) -> None:
        """Give back the connections to the file host; Slack's own client keeps none."""
        self._files.close()

    @cached_property
    def _self(self) -> dict[str, Any]:
        """Who we are here, asked once."""
        response = self._call(self._client.auth_test)
        if abs(apart_s := apart_from(response.headers)) > SKEW_S:
            log.warning("clock_apart_from_slack", seconds=round(apart_s))
        answer: dict[str, Any] = response.data  # type: ignore[assignment] # JSON, not bytes
        if self._team_id and not answer.get("is_enterprise_install") and answer["team_id"] != self._team_id:
            raise ChatGone(f"The token stored for {self._team_id} belongs to {answer['team_id']}, so it is not used.")
        return answer

    @property
    def team_id(self) -> str:
        """The workspace's; a token for a whole organisation names that, and not which of its workspaces is meant."""
        of_token = str(self._self["team_id"])
        return self._team_id or of_token

    @property
    def bot_user_id(self) -> str:
        return str(self._self["user_id"])

    @property
    def bot_id(self) -> str:
        return str(self._self["bot_id"])

    def post(self, place: Place, view: View, *, key: str) -> MessageRef:
        """Post once under `key`. What does not fit into the message is not posted: `files_of` has it."""
        if isinstance(view, StepsView) and (ref := self._streams.start(place, view, key)):
            return ref
        card = render(self._with_names(view))
        text = self._spoken(card.text, place.channel_id)  # before its turn in the channel, which others wait for
        answer = self._call(
            lambda: self._client.chat_postMessage(
                channel=place.channel_id,
                thread_ts=place.thread_ts or None,
                reply_broadcast=True if place.is_broadcast and place.thread_ts else None,
                text=text,
                blocks=card.blocks,
                metadata=metadata_of(key),
                unfurl_links=False,
                unfurl_media=False,
            ),
            channel_id=place.channel_id,
        )
        return MessageRef(str(answer["channel"]), str(answer["ts"]))

    def _with_names(self, view: View) -> View:
        """A dialog that asks before Approve holds plain text alone, where a channel's id would stay an id."""
        if not isinstance(view, ApprovalView):
            return view
        said = tuple(CHANNEL.sub(lambda found: self._channels.name_of(found.group(1)[1:]), one) for one in view.sends)
        return replace(view, sends_said=said)

    def _spoken(self, words: str, channel_id: str) -> str:
        """For notifications and screen readers: names in place of ids, which call nobody there.

        Of channels it names the one in which it is said: data could else have another one's name told.
        """

        def said(found: re.Match[str]) -> str:
            token = found.group(1)
            if token.startswith("@"):
                return fallback(self.name_of(token[1:]), 80)
            return fallback(self._channels.name_of(channel_id), 80) if token[1:] == channel_id else "another channel"

        return SPOKEN.sub(said, words, count=MOST_SPOKEN)

    def files_of(self, view: View) -> tuple[tuple[str, bytes], ...]:
        return render(view).files

    def update(self, ref: MessageRef, view: View, *, key: str) -> None:
        if isinstance(view, StepsView) and self._streams.grow(ref, view, key):
            return
        card = render(self._with_names(view))
        text = self._spoken(card.text, ref.channel_id)
        self._call(
            lambda: self._client.chat_update(
                channel=ref.channel_id,
                ts=ref.ts,
                text=text,
                blocks=card.blocks,
                metadata=metadata_of(key),
                unfurl_links=False,
                unfurl_media=False,
            ),
            channel_id=ref.channel_id,
        )

    def find(self, place: Place, key: str) -> MessageRef | None:
        """One look at the thread, or at the channel for a post at top level.

        What was said to a person directly cannot be looked up by their id: said twice is better than lost.
        """
        if place.channel_id.startswith(PERSON):
            return None
        found = next((message for message in self._look(place) if self._is_ours(message, key)), None)
        return MessageRef(place.channel_id, str(found["ts"])) if found else None

    def has_file(self, place: Place, title: str) -> bool:
        ours = [message for message in self._look(place) if message.get("user") == self.bot_user_id]
        return any(file.get("title") == title for message in ours for file in message.get("files", []))

    def _look(self, place: Place) -> list[dict[str, Any]]:
        """The messages of a thread, or of a channel."""
        if place.thread_ts:
            answer = self._call(
                lambda: self._client.conversations_replies(
                    channel=place.channel_id, ts=place.thread_ts, include_all_metadata=True, limit=LOOK_BACK
                ),
                channel_id=place.channel_id,
            )
        else:
            answer = self._call(
                lambda: self._client.conversations_history(
                    channel=place.channel_id, include_all_metadata=True, limit=LOOK_BACK
                ),
                channel_id=place.channel_id,
            )
        messages: list[dict[str, Any]] = answer.get("messages", [])
        return messages

    def _is_ours(self, message: dict[str, Any], key: str) -> bool:
        """Another app may post any metadata it likes, but not as us."""
        metadata = message.get("metadata") or {}
        is_key = metadata.get("event_type") == METADATA_TYPE and metadata.get("event_payload", {}).get("key") == key
        return (is_key or key_in(message) == key) and message.get("user") == self.bot_user_id

    def attach(self, place: Place, name: str, data: bytes, *, title: str) -> None:
        if not data:
            return  # Slack takes no empty file
        slot = self._call(lambda: self._client.files_getUploadURLExternal(filename=name, length=len(data)))
        self._files.upload(str(slot["upload_url"]), name, data)
        self._call(
            lambda: self._client.files_completeUploadExternal(
                files=[{"id": slot["file_id"], "title": title}],
                channel_id=place.channel_id,
                thread_ts=place.thread_ts or None,
            ),
            channel_id=place.channel_id,
        )

    def person(self, user_id: str) -> Person:
        return self._people.person(user_id)

    def name_of(self, user_id: str) -> str:
        """Somebody's name, as far as Slack tells it; never fails."""
        return self._names.name_of(user_id)

    def members_of_group(self, group_id: str) -> tuple[str, ...]:
        return self._people.members_of_group(group_id, self._team_id or None)

    def may_read(self, channel_id: str, user_id: str) -> bool:
        if self._channels.is_public(channel_id):
            return True
        return user_id in self._channels.members(channel_id)

    def is_in(self, channel_id: str) -> bool:
        return self._channels.is_in(channel_id)

    def channel_named(self, name: str) -> ChannelSeen | None:
        return self._channels.named(name)

    def files_in_thread(self, place: Place) -> tuple[Shared, ...]:
        """Of the newest thousand messages of the thread; only what people of the workspace's own shared counts."""
        answer = self._call(
            lambda: self._client.conversations_replies(channel=place.channel_id, ts=place.thread_ts, limit=LOOK_BACK),
            channel_id=place.channel_id,
        )
        return payloads.shared_files(answer.get("messages", []), self.file_record)

    def link(self, ref: MessageRef, thread_ts: str = "") -> str:
        """Built as Slack builds it, because asking for each of a list would take a call each."""
        where = f"{str(self._self['url']).rstrip('/')}/archives/{ref.channel_id}/p{ref.ts.replace('.', '')}"
        return f"{where}?thread_ts={thread_ts}&cid={ref.channel_id}" if thread_ts not in ("", ref.ts) else where

    def file_record(self, file_id: str) -> dict[str, Any]:
        """What Slack says of a file now; for shares from other workspaces, whose events carry an id alone."""
        record: dict[str, Any] = self._call(lambda: self._client.files_info(file=file_id))["file"]
        return record

    def download(self, file: WorkspaceFile, into: BinaryIO, limit_bytes: int) -> None:
        self._files.download(file, into, limit_bytes)

    def whisper(self, channel_id: str, user_id: str, text: str, *, thread_ts: str = "") -> None:
        """Say something that only one person sees."""
        self._call(
            lambda: self._client.chat_postEphemeral(
                channel=channel_id, user=user_id, thread_ts=thread_ts or None, text=ours(text)
            ),
            channel_id=channel_id,
        )

    def open_modal(self, trigger_id: str, view: dict[str, Any]) -> None:
        self._call(lambda: self._client.views_open(trigger_id=trigger_id, view=view))

    def change_modal(self, view_id: str, view: dict[str, Any], view_hash: str = "") -> None:
        """Replace a modal; with `view_hash` only if nobody did so since."""
        self._call(lambda: self._client.views_update(view_id=view_id, view=view, hash=view_hash or None))

    def show_home(self, user_id: str, view: dict[str, Any]) -> None:
        self._call(lambda: self._client.views_publish(user_id=user_id, view=view))
