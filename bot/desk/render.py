"""The workspace's records in the JSON shapes of Slack's Web API."""

from __future__ import annotations

import mimetypes
from dataclasses import dataclass
from datetime import datetime
from urllib.parse import quote
from zoneinfo import ZoneInfo

from bot.desk.shapes import Channel, Json, Message, Person, StoredFile, View
from bot.desk.state import Workspace

# Kinds that the standard library does not know or names otherwise than Slack does.
_KINDS = {".log": "text/plain", ".jsonl": "text/plain", ".ndjson": "text/plain", ".md": "text/markdown"}
_FILETYPES = {"log": "text", "txt": "text", "py": "python", "md": "markdown", "yml": "yaml"}


def mimetype_of(name: str) -> str:
    """The media type that a file's name suggests."""
    suffix = "." + name.rpartition(".")[2].lower()
    return _KINDS.get(suffix) or mimetypes.guess_type(name)[0] or "application/octet-stream"


@dataclass(frozen=True)
class Renderer:
    """Knows the workspace and the address under which it is reached."""

    workspace: Workspace
    base_url: str

    def person(self, person: Person, now: datetime) -> Json:
        zone: Json = {}
        if person.tz:
            offset = now.astimezone(ZoneInfo(person.tz)).utcoffset()
            zone = {"tz": person.tz, "tz_label": person.tz, "tz_offset": int(offset.total_seconds()) if offset else 0}
        profile: Json = {"real_name": person.real_name, "display_name": person.real_name, "team": person.team_id}
        if "users:read.email" in self.workspace.app.scopes:
            profile["email"] = person.email
        if person.is_bot:
            profile |= {"bot_id": person.bot_id, "api_app_id": self.workspace.app.id}
        return {
            "id": person.id,
            "team_id": person.team_id,
            "name": person.name,
            "real_name": person.real_name,
            "deleted": person.deleted,
            "profile": profile,
            "is_admin": person.is_admin,
            "is_owner": False,
            "is_restricted": person.is_restricted,
            "is_ultra_restricted": False,
            "is_bot": person.is_bot,
            "is_app_user": False,
            "is_stranger": person.is_stranger,
            "updated": 0,
            **zone,
        }

    def channel(self, channel: Channel) -> Json:
        common: Json = {
            "id": channel.id,
            "created": int(channel.created_at.timestamp()),
            "is_archived": channel.is_archived,
            "is_im": channel.is_im,
            "is_mpim": False,
            "is_org_shared": False,
            "context_team_id": self.workspace.team.id,
        }
        if channel.is_im:
            return common | {"user": channel.name, "is_user_deleted": False, "priority": 0}
        return common | {
            "name": channel.name,
            "name_normalized": channel.name,
            "is_channel": True,
            "is_group": False,
            "is_private": False,
            "is_general": channel.name == "general",
            "is_shared": channel.is_ext_shared,
            "is_ext_shared": channel.is_ext_shared,
            "is_member": self.workspace.bot.id in channel.members,
            "num_members": len(channel.members),
            "topic": {"value": channel.topic, "creator": "", "last_set": 0},
            "purpose": {"value": "", "creator": "", "last_set": 0},
            "shared_team_ids": sorted({self.workspace.people[one].team_id for one in channel.members}),
        }

    def file(self, file: StoredFile) -> Json:
        if file.deleted:
            return {"id": file.id, "mode": "tombstone"}
        extension = file.name.rpartition(".")[2].lower()
        where = f"{self.base_url}/files-pri/{self.workspace.team.id}-{file.id}"
        shares: dict[str, list[Json]] = {}
        for channel, ts in file.shares:
            shares.setdefault(channel, []).append({"ts": ts, "channel_name": self.workspace.channels[channel].name})
        return {
            "id": file.id,
            "created": int(file.created_at.timestamp()),
            "timestamp": int(file.created_at.timestamp()),
            "name": file.name,
            "title": file.title or file.name,
            "mimetype": mimetype_of(file.name),
            "filetype": _FILETYPES.get(extension, extension),
            "user": file.user,
            "user_team": self.workspace.people[file.user].team_id,
            "size": file.size_bytes,
            "mode": "hosted",
            "is_external": False,
            "external_type": "",
            "is_public": bool(shares),
            "file_access": "visible",
            "url_private": f"{where}/{quote(file.name)}",
            "url_private_download": f"{where}/download/{quote(file.name)}",
            "permalink": f"{self.base_url}/files/{file.user}/{file.id}/{quote(file.name)}",
            "channels": sorted(shares),
            "shares": {"public": shares} if shares else {},
        }

    def message(self, message: Message, *, with_metadata: bool = False) -> Json:
        shown: Json = {"type": "message", "user": message.user, "ts": message.ts, "text": message.text}
        author = self.workspace.people.get(message.user)  # nobody where Slack itself speaks
        shown["team"] = author.team_id if author else self.workspace.team.id
        if message.bot_id:
            shown |= {"bot_id": message.bot_id, "app_id": self.workspace.app.id}
        for name, value in (("blocks", message.blocks), ("attachments", message.attachments)):
            if value:
                shown[name] = value
        if message.files:
            shown["files"] = [self.file(self.workspace.files[one]) for one in message.files]
            shown["upload"] = False
        subtype = subtype_of(message)
        if subtype:
            shown["subtype"] = subtype
        if message.edited_ts:
            shown["edited"] = {"user": message.edited_by, "ts": message.edited_ts}
        if message.reactions:
            shown["reactions"] = [
                {"name": name, "users": users, "count": len(users)} for name, users in message.reactions.items()
            ]
        if message.thread_ts:
            shown |= self._thread(message)
        if with_metadata and message.metadata:
            shown["metadata"] = message.metadata
        return shown

    def _thread(self, message: Message) -> Json:
        root = self.workspace.find(message.channel, message.thread_ts)
        if message.is_reply:
            return {"thread_ts": message.thread_ts, "parent_user_id": root.user if root else ""}
        replies = self.workspace.replies(message)
        return {
            "thread_ts": message.thread_ts,
            "reply_count": len(replies),
            "reply_users": list(dict.fromkeys(one.user for one in replies)),
            "latest_reply": replies[-1].ts if replies else message.ts,
            "is_locked": False,
        }

    def view(self, view: View) -> Json:
        content = view.content
        return {
            "id": view.id,
            "team_id": self.workspace.team.id,
            "type": content["type"],
            "blocks": content.get("blocks", []),
            "private_metadata": content.get("private_metadata", ""),
            "callback_id": content.get("callback_id", ""),
            "external_id": content.get("external_id", ""),
            "state": {"values": content.get("state_values", {})},
            "hash": view.hash,
            "title": content.get("title"),
            "submit": content.get("submit"),
            "close": content.get("close"),
            "clear_on_close": bool(content.get("clear_on_close", False)),
            "notify_on_close": bool(content.get("notify_on_close", False)),
            "root_view_id": view.root_id,
            "previous_view_id": view.previous_id or None,
            "app_id": self.workspace.app.id,
            "bot_id": self.workspace.app.bot_id,
            "app_installed_team_id": self.workspace.team.id,
        }


def subtype_of(message: Message) -> str:
    """The message's subtype, "" for an ordinary one."""
    if message.is_tombstone:
        return "tombstone"
    if message.is_broadcast:
        return "thread_broadcast"
    return "file_share" if message.files and not message.bot_id else ""
