"""What Slack sends, read once into plain values; everything behind works with these."""

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from bot.domain.ports import MessageRef, Shared, WorkspaceFile
from bot.slack import ids
from bot.slack.text import door, heard
from bot.work.amend import Amended
from bot.work.intake import Said

Json = dict[str, Any]

# Subtypes of messages that people write; every other subtype tells of something else (edits, deletions, joins).
WRITTEN = frozenset({"", "file_share", "thread_broadcast", "me_message"})


def is_from_bot(event: Mapping[str, Any]) -> bool:
    """Bolt drops our own messages only; two bots that answer each other never end."""
    return bool(event.get("bot_id") or event.get("bot_profile")) or event.get("subtype") == "bot_message"


def said(body: Json, team_id: str, bot_user_id: str, record_of: Callable[[str], Json]) -> Said | None:
    """The message in an event; None where nobody wrote one. `record_of` gives the record of a file by its id."""
    event = body["event"]
    if event.get("subtype", "") not in WRITTEN or event.get("hidden") or not event.get("user"):
        return None
    text = event.get("text") or ""
    is_direct = event.get("channel_type") == "im"
    return Said(
        team_id=team_id,
        channel_id=event["channel"],
        ts=event["ts"],
        thread_ts=event.get("thread_ts") or event["ts"],
        user_id=event["user"],
        text=heard(text, bot_user_id),
        files=tuple(_file(record, record_of) for record in event.get("files", []) if _is_there(record)),
        is_direct=is_direct,
        is_mention=event["type"] == "app_mention" or is_direct or f"<@{bot_user_id}" in text,
        event_id=body["event_id"],
    )


def shared_files(messages: Iterable[Json], record_of: Callable[[str], Json]) -> tuple[Shared, ...]:
    """The files that people brought in these messages."""
    return tuple(
        Shared(message["user"], message["ts"], _file(record, record_of))
        for message in messages
        if message.get("user") and not is_from_bot(message)
        for record in message.get("files", [])
        if _is_there(record)
    )


def amended(body: Json, team_id: str, bot_user_id: str) -> Amended | None:
    """The change of a message that a person wrote; None for anything else, such as a link that got its preview."""
    event = body["event"]
    kind, before = event.get("subtype", ""), event.get("previous_message") or {}
    now = event.get("message") or {}
    is_gone = kind == "message_deleted" or now.get("subtype") == "tombstone"
    if not (is_gone or kind == "message_changed") or is_from_bot(before) or not before.get("user"):
        return None
    text = "" if is_gone else heard(now.get("text") or "", bot_user_id)
    if not is_gone and (not text or now.get("text") == before.get("text")):
        return None
    return Amended(
        team_id=team_id,
        channel_id=event["channel"],
        ts=before["ts"],
        user_id=before["user"],
        text=text,
        event_id=body["event_id"],
        at_ts=event.get("event_ts") or event["ts"],
    )


def files_gone(body: Json) -> tuple[str, str, tuple[str, ...]]:
    """Channel and ts of a message, and the ids of files that are no longer in it: it was deleted, or they were."""
    event = body["event"]
    before, now = event.get("previous_message") or {}, event.get("message") or {}
    if event.get("subtype") not in ("message_deleted", "message_changed"):
        return event.get("channel", ""), "", ()
    there = {one["id"] for one in now.get("files") or () if one.get("mode") != "tombstone"}
    gone = tuple(one["id"] for one in before.get("files") or () if one["id"] not in there)
    return event["channel"], before.get("ts", ""), gone


def _is_there(record: Json) -> bool:
    return record.get("mode") not in ("tombstone", "hidden_by_limit")


def _file(record: Json, record_of: Callable[[str], Json]) -> WorkspaceFile:
    """A share from another workspace comes as an id alone; a file on another service has no bytes here."""
    if record.get("file_access") == "check_file_info":
        record = record_of(record["id"])
    is_hosted = record.get("mode") != "external" and not record.get("is_external")
    return WorkspaceFile(
        file_id=record["id"],
        name=door(record.get("name") or "") or record["id"],
        size_bytes=int(record.get("size") or 0),
        mimetype=record.get("mimetype") or "",
        url=(record.get("url_private_download") or record.get("url_private") or "") if is_hosted else "",
    )


@dataclass(frozen=True)
class Origin:
    """Where a modal was opened from, and for which press; travels in its private_metadata."""

    press_id: str
    verb: str
    channel_id: str
    thread_ts: str
    message_ts: str = ""

    @property
    def message(self) -> MessageRef:
        """The message that the button stands on."""
        return MessageRef(self.channel_id, self.message_ts)

    def written(self) -> str:
        return json.dumps(asdict(self))

    @classmethod
    def read(cls, metadata: str) -> "Origin":
        return cls(**json.loads(metadata))


@dataclass(frozen=True)
class Pressed:
    """One press of a button, on a message or in a modal."""

    value: str
    action_id: str
    user_id: str
    channel_id: str
    thread_ts: str
    message_ts: str
    trigger_id: str
    view_id: str
    view_hash: str
    metadata: str

    @classmethod
    def read(cls, body: Json) -> "Pressed":
        action = body["actions"][0]
        container, message, view = body.get("container", {}), body.get("message", {}), body.get("view") or {}
        return cls(
            value=door(action.get("value") or (action.get("selected_option") or {}).get("value", "")),
            action_id=action["action_id"],
            user_id=body["user"]["id"],
            channel_id=(body.get("channel") or {}).get("id") or container.get("channel_id", ""),
            thread_ts=container.get("thread_ts") or message.get("thread_ts") or message.get("ts", ""),
            message_ts=container.get("message_ts") or message.get("ts", ""),
            trigger_id=body.get("trigger_id", ""),
            view_id=view.get("id", ""),
            view_hash=view.get("hash", ""),
            metadata=view.get("private_metadata", ""),
        )

    @property
    def origin(self) -> Origin:
        """Where the press came from: of a button in a modal, where the modal came from."""
        if self.metadata:
            return Origin.read(self.metadata)
        return Origin(self.value, self.action_id, self.channel_id, self.thread_ts, self.message_ts)


@dataclass(frozen=True)
class Submitted:
    """A form that somebody sent."""

    origin: Origin
    user_id: str
    values: Mapping[str, str]

    @classmethod
    def read(cls, body: Json) -> "Submitted":
        view = body["view"]
        fields = view.get("state", {}).get("values", {})
        values = {name: _value(elements.get(ids.FIELD, {})) for name, elements in fields.items()}
        return cls(Origin.read(view["private_metadata"]), body["user"]["id"], values)


def _value(element: Json) -> str:
    chosen = element.get("selected_option") or {}
    return door(str(element.get("value") or chosen.get("value") or element.get("selected_user") or ""))
