"""Which channels anybody of the workspace can read, and who is in the others."""

from time import monotonic
from typing import Any

from slack_sdk import WebClient

from bot.domain.errors import ChatError, ChatRefused
from bot.domain.ports import ChannelSeen
from bot.slack.calls import Calls

KNOWN_FOR_S = 300.0
"""For so long what was learnt of a channel counts: a list of routines asks about the same few again and again."""

PAGE = 1_000


class Channels:
    """Asks Slack, and remembers for some minutes."""

    def __init__(self, client: WebClient, call: Calls, team_id: str | None = None) -> None:
        """`team_id` says which workspace is meant, where the token is one of a whole organisation."""
        self._client, self._call, self._team_id = client, call, team_id
        self._public: dict[str, tuple[float, bool]] = {}
        self._members: dict[str, tuple[float, frozenset[str]]] = {}
        self._names: dict[str, str] = {}

    def is_public(self, channel_id: str) -> bool:
        """Whether everybody of the workspace may read it; False where we cannot see it."""
        known = self._public.get(channel_id)
        if known and known[0] > monotonic():
            return known[1]
        found = self._looked_up(channel_id)
        self._public[channel_id] = (monotonic() + KNOWN_FOR_S, found)
        return found

    def members(self, channel_id: str) -> frozenset[str]:
        """Who is in it; nobody where we cannot see it."""
        known = self._members.get(channel_id)
        if known and known[0] > monotonic():
            return known[1]
        found = frozenset(self._all_members(channel_id))
        self._members[channel_id] = (monotonic() + KNOWN_FOR_S, found)
        return found

    def is_in(self, channel_id: str) -> bool:
        """Whether we are in it now; False where we cannot see it."""
        try:
            channel = self._call(lambda: self._client.conversations_info(channel=channel_id))["channel"]
        except ChatRefused:
            return False
        return bool(channel.get("is_member") or channel.get("is_im"))

    def name_of(self, channel_id: str) -> str:
        """`#lab`, for where Slack shows plain text alone; words that point to it where we cannot see it."""
        if channel_id not in self._names:
            try:
                found = self._call(lambda: self._client.conversations_info(channel=channel_id)).get("channel")
            except ChatError:
                found = None
            if not isinstance(found, dict):
                return "the channel on the card"
            self._names[channel_id] = f"#{found['name']}" if found.get("name") else "a direct message"
        return self._names[channel_id]

    def named(self, name: str) -> ChannelSeen | None:
        """The channel of this name, looked for through all that we can see."""
        cursor = ""
        while True:
            answer: Any = self._listed(cursor)
            for one in answer["channels"]:
                if one.get("name") == name.lower():
                    return ChannelSeen(one["id"], one["name"], bool(one.get("is_member")))
            cursor = (answer.get("response_metadata") or {}).get("next_cursor", "")
            if not cursor:
                return None

    def _listed(self, cursor: str) -> Any:
        return self._call(
            lambda: self._client.conversations_list(
                types="public_channel,private_channel",
                exclude_archived=True,
                limit=PAGE,
                cursor=cursor or None,
                team_id=self._team_id,
            )
        )

    def _looked_up(self, channel_id: str) -> bool:
        try:
            channel = self._call(lambda: self._client.conversations_info(channel=channel_id))["channel"]
        except ChatRefused:
            return False
        return bool(channel.get("is_channel")) and not (channel.get("is_private") or channel.get("is_im"))

    def _all_members(self, channel_id: str) -> list[str]:
        found: list[str] = []
        cursor = ""
        while True:
            try:
                answer: Any = self._page(channel_id, cursor)
            except ChatRefused:
                return []
            found += answer["members"]
            cursor = (answer.get("response_metadata") or {}).get("next_cursor", "")
            if not cursor:
                return found

    def _page(self, channel_id: str, cursor: str) -> Any:
        return self._call(
            lambda: self._client.conversations_members(channel=channel_id, limit=PAGE, cursor=cursor or None)
        )
