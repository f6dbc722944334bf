"""What happens in the workspace, told to the app in Slack's event shapes."""

from __future__ import annotations

from dataclasses import dataclass

from bot.desk.background import Background
from bot.desk.clock import DeskClock
from bot.desk.delivery import Delivery, Envelope
from bot.desk.faults import FaultKind, Faults
from bot.desk.render import Renderer
from bot.desk.shapes import Channel, Json, Message, Person, StoredFile, new_id
from bot.desk.state import Workspace


@dataclass
class Events:
    """Builds each event, and delivers those to which the app subscribed."""

    workspace: Workspace
    render: Renderer
    clock: DeskClock
    delivery: Delivery
    faults: Faults
    background: Background

    def posted(self, message: Message) -> None:
        """Tell of a new message, and of the mention in it: two events for one message, in either order."""
        channel = self.workspace.channels[message.channel]
        if message.ephemeral_to or self.workspace.bot.id not in channel.members:
            return
        events = [self._message_event(message, channel)]
        if self._mentions_bot(message, channel) and not self.faults.take(FaultKind.MENTION_ABSENT):
            events.append(self._mention_event(message))
        # Slack promises no order. The last digit of the timestamp is as good as a coin, and repeatable.
        if int(message.ts[-1]) % 2:
            events.reverse()
        for event in events:
            self._send(event, channel)

    def changed(self, message: Message, previous: Json) -> None:
        """Tell that a message was edited."""
        channel = self.workspace.channels[message.channel]
        self._send_about(channel, "message_changed", message=self.render.message(message), previous_message=previous)

    def deleted(self, message: Message, previous: Json) -> None:
        """Tell that a message was taken away."""
        channel = self.workspace.channels[message.channel]
        self._send_about(channel, "message_deleted", deleted_ts=message.ts, previous_message=previous)

    def reacted(self, message: Message, person: Person, name: str) -> None:
        """Tell of a reaction."""
        item = {"type": "message", "channel": message.channel, "ts": message.ts}
        event = {"type": "reaction_added", "user": person.id, "reaction": name, "item": item, "item_user": message.user}
        self._send(event | {"event_ts": self.clock.stamp()}, self.workspace.channels[message.channel])

    def home_opened(self, person: Person, view: Json | None) -> None:
        """Tell that somebody looks at the app's Home tab."""
        direct = self.workspace.direct_message(person, self.workspace.general())
        event: Json = {"type": "app_home_opened", "user": person.id, "channel": direct.id, "tab": "home"}
        event["event_ts"] = self.clock.stamp()
        if view:
            event["view"] = view
        self._send(event, direct)

    def about_channel(self, type_: str, channel: Channel, person: Person) -> None:
        """Tell of a channel that was archived or left (`channel_archive`, `member_left_channel`, ...)."""
        event = {"type": type_, "channel": channel.id, "user": person.id, "event_ts": self.clock.stamp()}
        self._send(event, channel)

    def file_deleted(self, file: StoredFile) -> None:
        """Tell that a file is gone, if the app could see it."""
        bot, channels = self.workspace.bot.id, [self.workspace.channels[channel] for channel, _ in file.shares]
        if file.user != bot and not any(bot in channel.members for channel in channels):
            return
        event: Json = {"type": "file_deleted", "file_id": file.id, "event_ts": self.clock.stamp()}
        self._send(event, channels[0] if channels else self.workspace.general())

    def removed(self, type_: str) -> None:
        """Tell that the app was taken out of the workspace (`app_uninstalled`), or its token (`tokens_revoked`)."""
        event: Json = {"type": type_, "event_ts": self.clock.stamp()}
        if type_ == "tokens_revoked":
            event["tokens"] = {"oauth": [], "bot": [self.workspace.bot.id]}
        self._send(event, self.workspace.general())

    def _send_about(self, channel: Channel, subtype: str, **what: object) -> None:
        ts = self.clock.stamp()
        event = {"type": "message", "subtype": subtype, "hidden": True, "channel": channel.id, "ts": ts}
        self._send(event | {"event_ts": ts, "channel_type": _channel_type(channel)} | what, channel)

    def _message_event(self, message: Message, channel: Channel) -> Json:
        event = self.render.message(message)
        event |= {"channel": channel.id, "event_ts": message.ts, "channel_type": _channel_type(channel)}
        if channel.is_ext_shared:
            event |= {"user_team": event["team"], "source_team": event["team"]}
        if message.files and self.faults.take(FaultKind.FILE_STUB):
            event["files"] = [{"id": one, "file_access": "check_file_info"} for one in message.files]
        return event

    def _mention_event(self, message: Message) -> Json:
        kept = ("user", "text", "ts", "team", "blocks", "thread_ts", "parent_user_id", "files", "upload")
        shown = self.render.message(message)
        event = {"type": "app_mention", **{name: shown[name] for name in kept if name in shown}}
        if message.files and self.faults.take(FaultKind.MENTION_WITHOUT_FILES):
            del event["files"], event["upload"]
        return event | {"channel": message.channel, "event_ts": message.ts}

    def _mentions_bot(self, message: Message, channel: Channel) -> bool:
        return f"<@{self.workspace.bot.id}>" in message.text and not channel.is_im and not message.bot_id

    def _send(self, event: Json, channel: Channel) -> None:
        if not self._is_subscribed(event, channel):
            return
        outer = self._outer(event, channel)
        self.background.start(self.delivery.deliver(Envelope.EVENT, outer, type_=event["type"]))
        if self.faults.take(FaultKind.DUPLICATE_EVENT, event["type"]):
            self.background.start(self.delivery.deliver(Envelope.EVENT, outer, type_=event["type"]))
        if self.faults.take(FaultKind.DUPLICATE_MESSAGE, event["type"]):
            again = outer | {"event_id": new_id("Ev")}
            self.background.start(self.delivery.deliver(Envelope.EVENT, again, type_=event["type"]))

    def _is_subscribed(self, event: Json, channel: Channel) -> bool:
        name = event["type"]
        if name == "message":
            name = f"message.{'im' if channel.is_im else 'channels'}"
        return name in self.workspace.app.events

    def _outer(self, event: Json, channel: Channel) -> Json:
        team, app = self.workspace.team, self.workspace.app
        enterprise_id = (self.workspace.enterprise or {}).get("id")
        authorization = {"enterprise_id": enterprise_id, "team_id": team.id, "user_id": app.bot_user, "is_bot": True}
        return {
            "token": "desk-verification",
            "team_id": team.id,
            "context_team_id": team.id,
            "context_enterprise_id": enterprise_id,
            "enterprise_id": enterprise_id,
            "api_app_id": app.id,
            "event": event,
            "type": "event_callback",
            "event_id": new_id("Ev"),
            "event_time": int(self.clock.now().timestamp()),
            "authorizations": [authorization | {"is_enterprise_install": self.workspace.is_org_wide}],
            "is_ext_shared_channel": channel.is_ext_shared,
            "event_context": new_id("4-"),
        }


def _channel_type(channel: Channel) -> str:
    return "im" if channel.is_im else "channel"
