"""What jobs may ask of the outside; the processes hand in the real ones."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import BinaryIO, Protocol

from bot.domain.people import Person
from bot.domain.views import View

DIRECT = "D"
"""Ids of direct messages begin with it, those of channels with C or G."""


class Clock(Protocol):
    """The only source of the present; always aware, always UTC."""

    def now(self) -> datetime: ...


@dataclass(frozen=True)
class Place:
    """A channel of a workspace, or a thread in it. A broadcast stands in the thread and in the channel."""

    team_id: str
    channel_id: str
    thread_ts: str = ""
    is_broadcast: bool = False


@dataclass(frozen=True)
class MessageRef:
    """A posted message; `ts` is its id within the channel."""

    channel_id: str
    ts: str


@dataclass(frozen=True)
class WorkspaceFile:
    """A file as the workspace describes it, before its bytes were taken."""

    file_id: str
    name: str
    size_bytes: int
    mimetype: str
    url: str


@dataclass(frozen=True)
class Shared:
    """A file that a message of a thread brought: who posted it, and the message's ts."""

    user_id: str
    ts: str
    file: WorkspaceFile


@dataclass(frozen=True)
class ChannelSeen:
    """A channel that we can see; only where we are in it we can post."""

    channel_id: str
    name: str
    is_member: bool


class Chat(Protocol):
    """The workspace, as far as jobs talk to it.

    Every method but `close` may raise ChatRefused, ChatBusy or ChatUnclear.
    """

    def close(self) -> None:
        """Give back its connections."""
        ...

    def post(self, place: Place, view: View, *, key: str) -> MessageRef:
        """Post once; `key` travels as message metadata so that `find` can see it."""
        ...

    def update(self, ref: MessageRef, view: View, *, key: str) -> None:
        """Rewrite a message of ours in place."""
        ...

    def find(self, place: Place, key: str) -> MessageRef | None:
        """One look for a message posted under `key`; None means that it is not there."""
        ...

    def files_of(self, view: View) -> tuple[tuple[str, bytes], ...]:
        """Name and bytes of what a message with this view cannot hold and says to be in its thread."""
        ...

    def attach(self, place: Place, name: str, data: bytes, *, title: str) -> None:
        """Put a file into a thread, where it appears soon after."""
        ...

    def has_file(self, place: Place, title: str) -> bool:
        """One look for a file of ours with this title in a thread."""
        ...

    def person(self, user_id: str) -> Person:
        """Who this is now."""
        ...

    def members_of_group(self, group_id: str) -> tuple[str, ...]:
        """The user ids in a user group now."""
        ...

    def may_read(self, channel_id: str, user_id: str) -> bool:
        """Whether a member of the workspace can read this channel: it is public, or they are in it."""
        ...

    def is_in(self, channel_id: str) -> bool:
        """Whether we are in a channel now."""
        ...

    def channel_named(self, name: str) -> ChannelSeen | None:
        """The channel of this name (no `#`) that is not archived; None where we see none."""
        ...

    def files_in_thread(self, place: Place) -> tuple[Shared, ...]:
        """One look at the files of a thread, for those that were posted before we came."""
        ...

    def link(self, ref: MessageRef, thread_ts: str = "") -> str:
        """The address of a message, for people of the workspace."""
        ...

    def download(self, file: WorkspaceFile, into: BinaryIO, limit_bytes: int) -> None:
        """Take a file's bytes, only from the workspace's file host. Raises FileRefused."""
        ...


@dataclass(frozen=True)
class Letter:
    """A mail to send; `message_id` is ours and is never used twice."""

    message_id: str
    to: tuple[str, ...]
    subject: str
    text: str
    html: str
    attachments: tuple[tuple[str, bytes], ...] = ()


@dataclass(frozen=True)
class Handed:
    """A mail that the server took: its final reply, and for each recipient that it refused for good, why."""

    reply: str
    refused: Mapping[str, str] = field(default_factory=dict)


class Mail(Protocol):
    """An SMTP server."""

    def send(self, letter: Letter) -> Handed:
        """Send to all that the server takes, at least one. Raises MailRefused, MailBusy or MailUnclear."""
        ...
