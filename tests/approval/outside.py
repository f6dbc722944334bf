"""The far side of Standby for the machine: people, channels, mailboxes and the time. Nothing here ever rolls back."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import BinaryIO

from bot.domain.errors import ChatBusy, ChatRefused, ChatUnclear, MailTooLarge, MailUnclear
from bot.domain.people import Person
from bot.domain.ports import ChannelSeen, Handed, Letter, MessageRef, Place, Shared, WorkspaceFile
from bot.domain.views import View
from bot.slack.cards import render

TEAM = "T0LAB000001"
LAB = "C0LAB000001"
HOME = MessageRef(LAB, "1.0")  # where buttons are pressed: the cards here are never drawn, so the channel alone counts


@dataclass
class Time:
    """The one clock; tests move it."""

    at: datetime = datetime(2026, 11, 30, 8, 0, tzinfo=UTC)

    def now(self) -> datetime:
        """Never the same moment twice."""
        self.at += timedelta(milliseconds=1)
        return self.at

    def pass_by(self, days: float) -> None:
        self.at += timedelta(days=days)


@dataclass
class Channel:
    """A workspace's channel: it keeps every message that was posted, by the key it was posted under."""

    posted: list[tuple[str, MessageRef]] = field(default_factory=list)
    shown: dict[str, View] = field(default_factory=dict)
    files: list[str] = field(default_factory=list)
    refuses: bool = False
    groups: dict[str, tuple[str, ...]] = field(default_factory=dict)
    gone: set[str] = field(default_factory=set)  # people whose account is deactivated
    kinds: dict[str, dict[str, bool]] = field(default_factory=dict)  # who is no plain member: is_guest and the like
    outside: set[str] = field(default_factory=set)  # people who cannot read the channel
    loses_answer: bool = False
    hides_files: bool = False
    is_away: bool = False

    def post(self, place: Place, view: View, *, key: str) -> MessageRef:
        if self.refuses:
            raise ChatRefused("The channel takes no messages now.")
        ref = MessageRef(place.channel_id, f"{len(self.posted) + 1}.0")
        self.posted.append((key, ref))
        self.shown[key] = view
        return ref

    def update(self, ref: MessageRef, view: View, *, key: str) -> None:  # noqa: ARG002  as the port has it
        self.shown[key] = view

    def find(self, place: Place, key: str) -> MessageRef | None:  # noqa: ARG002  as the port has it
        return next((ref for under, ref in self.posted if under == key), None)

    def files_of(self, view: View) -> tuple[tuple[str, bytes], ...]:
        return render(view).files

    def attach(self, place: Place, name: str, data: bytes, *, title: str) -> None:  # noqa: ARG002  as the port has it
        self.files.append(title)
        if self.loses_answer:
            raise ChatUnclear("The answer was lost.")

    def has_file(self, place: Place, title: str) -> bool:  # noqa: ARG002  as the port has it
        return title in self.files and not self.hides_files

    def person(self, user_id: str) -> Person:
        kind = {"is_deleted": user_id in self.gone} | self.kinds.get(user_id, {})
        return Person(user_id, TEAM, user_id.title(), **kind)

    def members_of_group(self, group_id: str) -> tuple[str, ...]:
        if group_id not in self.groups:
            raise ChatRefused(f"The group {group_id} cannot be read.")
        return self.groups[group_id]

    def may_read(self, channel_id: str, user_id: str) -> bool:  # noqa: ARG002  as the port has it
        return user_id not in self.outside

    def is_in(self, channel_id: str) -> bool:  # noqa: ARG002  as the port has it
        return True

    def channel_named(self, name: str) -> ChannelSeen | None:  # noqa: ARG002  as the port has it
        return None

    def files_in_thread(self, place: Place) -> tuple[Shared, ...]:  # noqa: ARG002  as the port has it
        return ()

    def link(self, ref: MessageRef, thread_ts: str = "") -> str:  # noqa: ARG002  as the port has it
        return f"https://lab.example/archives/{ref.channel_id}/p{ref.ts}"

    def download(self, file: WorkspaceFile, into: BinaryIO, limit_bytes: int) -> None:  # noqa: ARG002  as the port has it
        if self.is_away:
            raise ChatBusy(f"{file.name} could not be fetched just now (HTTP 503).")


@dataclass
class Post:
    """A mail server: it keeps every letter it took."""

    taken: list[Letter] = field(default_factory=list)
    loses_answer: bool = False
    takes_files: bool = True

    def send(self, letter: Letter) -> Handed:
        if letter.attachments and not self.takes_files:
            raise MailTooLarge("The mail server did not take it: 552 too large.")
        self.taken.append(letter)
        if self.loses_answer:
            raise MailUnclear("The connection ended before the final answer.")
        return Handed("250 ok")
