"""The workspace's state in memory: who is there, what was said, which files and views exist."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from bot.desk.app import InstalledApp
from bot.desk.errors import NotThere, Refused
from bot.desk.shapes import (
    Channel,
    Json,
    Message,
    Person,
    ResponseUrl,
    StoredFile,
    Team,
    Trigger,
    View,
    new_id,
)


@dataclass
class Workspace:
    """Everything that is there. The bytes of files lie in the folder, and a snapshot of most of the rest."""

    team: Team
    app: InstalledApp
    folder: Path
    enterprise: Json | None = None  # the organisation of Enterprise Grid, {"id", "name"}
    is_org_wide: bool = False  # whether the app is installed for all of its workspaces at once
    teams: dict[str, Team] = field(default_factory=dict)
    people: dict[str, Person] = field(default_factory=dict)
    usergroups: dict[str, tuple[str, list[str]]] = field(default_factory=dict)
    channels: dict[str, Channel] = field(default_factory=dict)
    # By channel, then by ts, oldest first.
    messages: dict[str, dict[str, Message]] = field(default_factory=dict)
    files: dict[str, StoredFile] = field(default_factory=dict)
    views: dict[str, View] = field(default_factory=dict)
    homes: dict[str, View] = field(default_factory=dict)
    triggers: dict[str, Trigger] = field(default_factory=dict)
    response_urls: dict[str, ResponseUrl] = field(default_factory=dict)
    statuses: dict[tuple[str, str], Json] = field(default_factory=dict)

    # People and channels -------------------------------------------------------------------------------

    @property
    def bot(self) -> Person:
        return self.people[self.app.bot_user]

    def person(self, name_or_id: str) -> Person:
        """The person with this id or name. Raises NotThere."""
        wanted = name_or_id.removeprefix("@").casefold()
        for person in self.people.values():
            if wanted in (person.id.casefold(), person.name.casefold(), person.real_name.casefold()):
                return person
        raise NotThere(f"Nobody here is called {name_or_id!r}.")

    def channel(self, name_or_id: str) -> Channel:
        """The channel with this id or `#name`. Raises Refused(channel_not_found)."""
        wanted = name_or_id.removeprefix("#")
        for channel in self.channels.values():
            if wanted == channel.id or (not channel.is_im and wanted == channel.name):
                return channel
        raise Refused("channel_not_found")

    def direct_message(self, person: Person, created_at_of: Channel) -> Channel:
        """The direct message between this person and the bot, opened if it is not there yet."""
        for channel in self.channels.values():
            if channel.is_im and person.id in channel.members:
                return channel
        opened = Channel(new_id("D"), person.id, [person.id, self.bot.id], created_at_of.created_at, is_im=True)
        self.channels[opened.id] = opened
        return opened

    def general(self) -> Channel:
        return next(iter(self.channels.values()))

    # Messages ------------------------------------------------------------------------------------------

    def add(self, message: Message) -> Message:
        """Keep a message; its root becomes a thread if it is a reply."""
        self.messages.setdefault(message.channel, {})[message.ts] = message
        if message.is_reply:
            root = self.find(message.channel, message.thread_ts)
            if root:
                root.thread_ts = root.ts
        return message

    def find(self, channel: str, ts: str) -> Message | None:
        return self.messages.get(channel, {}).get(ts)

    def said_in(self, channel: str) -> list[Message]:
        """Every message of a channel, replies and ephemeral ones among them, oldest first."""
        return list(self.messages.get(channel, {}).values())

    def message(self, channel: str, ts: str) -> Message:
        """The message at this place. Raises Refused(message_not_found)."""
        found = self.find(channel, ts)
        if found is None:
            raise Refused("message_not_found")
        return found

    def remove(self, message: Message) -> None:
        """Take a message away; a root with replies leaves a tombstone, as in Slack."""
        if self.replies(message) and not message.is_reply:
            message.is_tombstone, message.text = True, "This message was deleted."
            message.blocks, message.attachments, message.files = [], [], []
        else:
            del self.messages[message.channel][message.ts]

    def replies(self, root: Message) -> list[Message]:
        """The replies to a root that everybody sees, oldest first."""
        return [m for m in self.said_in(root.channel) if m.is_reply and m.thread_ts == root.ts and not m.ephemeral_to]

    # Files, views ---------------------------------------------------------------------------------------

    def file(self, file_id: str) -> StoredFile:
        """The file with this id. Raises Refused(file_not_found | file_deleted)."""
        found = self.files.get(file_id)
        if found is None:
            raise Refused("file_not_found")
        if found.deleted:
            raise Refused("file_deleted")
        return found

    def path_of(self, file: StoredFile) -> Path:
        return self.folder / "files" / file.id

    def view(self, view_id: str) -> View:
        """The open view with this id. Raises NotThere."""
        for view in [*self.views.values(), *self.homes.values()]:
            if view.id == view_id:
                return view
        raise NotThere(f"No view {view_id} is open.")

    def stack(self, person: Person) -> list[View]:
        """The modals open for one person, the top one last."""
        return [view for view in self.views.values() if view.user == person.id]
