"""The workspace as people look at it: the JSON that page and tests read from the control API."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from datetime import datetime

from bot.desk.desk import Desk
from bot.desk.shapes import Channel, Json, Message, Person


@dataclass(frozen=True)
class Look:
    """Reads everything and changes nothing."""

    desk: Desk

    def state(self) -> Json:
        workspace, now = self.desk.workspace, self.desk.clock.now()
        app = workspace.app
        return {
            "team": asdict(workspace.team),
            "people": [self.desk.render.person(one, now) for one in workspace.people.values()],
            "channels": [self.channel(one) for one in workspace.channels.values()],
            "app": {
                "id": app.id,
                "bot_user": app.bot_user,
                "scopes": sorted(app.scopes),
                "events": sorted(app.events),
                "commands": list(app.commands),
                "shortcuts": [asdict(one) for one in app.shortcuts],
            },
            "clock": self.clock(),
            "connections": len(self.desk.hub.connections),
            "mails": len(self.desk.mailbox.mails),
            "faults": [asdict(one) for one in self.desk.faults.armed],
            "statuses": self.statuses(),
        }

    def clock(self) -> Json:
        """`now` is desk time in UTC; real time plus `offset_s`."""
        return {"now": self.desk.clock.now().isoformat(), "offset_s": self.desk.clock.offset_s}

    def channel(self, channel: Channel) -> Json:
        return self.desk.render.channel(channel) | {"members": channel.members}

    def statuses(self) -> list[Json]:
        """The "is thinking" lines that have not expired."""
        now = self.desk.clock.now()
        return [
            {"channel": channel, "thread_ts": thread_ts, "status": one["status"]}
            for (channel, thread_ts), one in self.desk.workspace.statuses.items()
            if datetime.fromisoformat(one["expires_at"]) > now
        ]

    def messages(self, channel: Channel, person: Person | None, thread_ts: str = "") -> list[Json]:
        """All messages of a channel, or of one thread, that this person (or, without one, anybody) sees."""
        return [
            self.message(one)
            for one in self.desk.workspace.said_in(channel.id)
            if (not thread_ts or one.thread_root == thread_ts)
            and (person is None or one.ephemeral_to in ("", person.id))
        ]

    def message(self, message: Message) -> Json:
        shown = self.desk.render.message(message, with_metadata=True)
        stream = message.stream
        return shown | {
            "channel": message.channel,
            "ephemeral_to": message.ephemeral_to,
            "is_streaming": bool(stream and stream.is_live),
        }

    def views(self, person: Person) -> Json:
        home = self.desk.workspace.homes.get(person.id)
        return {
            "views": [self.desk.render.view(one) for one in self.desk.workspace.stack(person)],
            "home": self.desk.render.view(home) if home else None,
        }
