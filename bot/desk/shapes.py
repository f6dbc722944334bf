"""The things a workspace is made of, as plain records."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

Json = dict[str, Any]

_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"


def new_id(kind: str) -> str:
    """An identifier in Slack's form: a letter for the kind, then ten random letters and digits."""
    return kind + "".join(secrets.choice(_LETTERS) for _ in range(10))


@dataclass(frozen=True)
class Team:
    """A workspace. The desk is one of them; strangers come from another."""

    id: str
    name: str
    domain: str


@dataclass(frozen=True)
class Person:
    """A member, a stranger from another workspace, or the bot's own user."""

    id: str
    name: str
    real_name: str
    team_id: str
    tz: str = "Europe/Oslo"
    email: str = ""
    bot_id: str = ""
    is_stranger: bool = False
    is_restricted: bool = False
    is_admin: bool = False
    deleted: bool = False

    @property
    def is_bot(self) -> bool:
        return bool(self.bot_id)


@dataclass
class Channel:
    """A public channel, or a direct message between one person and the bot."""

    id: str
    name: str
    members: list[str]
    created_at: datetime
    is_im: bool = False
    is_archived: bool = False
    is_ext_shared: bool = False
    topic: str = ""


@dataclass
class StoredFile:
    """A file's record; its bytes lie in the data folder under its id."""

    id: str
    name: str
    title: str
    user: str
    created_at: datetime
    size_bytes: int
    uploaded: bool = False
    deleted: bool = False
    completed: bool = False
    # (channel, ts) of each message that shows the file.
    shares: list[tuple[str, str]] = field(default_factory=list)


@dataclass
class Stream:
    """A message that is being streamed: Slack ends it about five minutes after its start, active or not."""

    started_at: datetime
    mode: str
    markdown: str = ""
    title: str = ""
    tasks: dict[str, Json] = field(default_factory=dict)
    blocks: list[Json] = field(default_factory=list)
    is_live: bool = True


@dataclass
class Message:
    """One message in a channel or thread. `thread_ts` is the root's ts, also on the root itself once it has replies."""

    channel: str
    ts: str
    user: str
    text: str
    blocks: list[Json] = field(default_factory=list)
    attachments: list[Json] = field(default_factory=list)
    files: list[str] = field(default_factory=list)
    thread_ts: str = ""
    bot_id: str = ""
    metadata: Json | None = None
    # The one person who sees it, or "" for everybody.
    ephemeral_to: str = ""
    edited_by: str = ""
    edited_ts: str = ""
    reactions: dict[str, list[str]] = field(default_factory=dict)
    is_broadcast: bool = False
    is_tombstone: bool = False
    stream: Stream | None = None

    @property
    def is_reply(self) -> bool:
        return bool(self.thread_ts) and self.thread_ts != self.ts

    @property
    def thread_root(self) -> str:
        return self.thread_ts or self.ts


@dataclass
class View:
    """A modal, or the Home tab of one person. `content` is what the app sent."""

    id: str
    user: str
    content: Json
    hash: str
    root_id: str
    previous_id: str = ""

    @property
    def is_home(self) -> bool:
        return bool(self.content.get("type") == "home")


@dataclass
class Trigger:
    """The right to open one modal, given to the app with an interaction. `born_s` is monotonic time."""

    id: str
    user: str
    born_s: float
    # The view from which the interaction came, "" if it came from elsewhere.
    view_id: str = ""
    is_used: bool = False


@dataclass
class ResponseUrl:
    """Where the app may answer an interaction: five times, within thirty minutes."""

    id: str
    user: str
    channel: str
    expires_at: datetime
    message_ts: str = ""
    thread_ts: str = ""
    uses: int = 0
