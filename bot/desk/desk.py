"""The desk's parts, put together once."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from time import monotonic

from bot.desk import limits
from bot.desk.app import InstalledApp
from bot.desk.background import Background
from bot.desk.changes import Changes
from bot.desk.clock import DeskClock
from bot.desk.delivery import Delivery
from bot.desk.errors import Refused
from bot.desk.events import Events
from bot.desk.faults import Faults
from bot.desk.ledger import Ledger
from bot.desk.mail import Mailbox
from bot.desk.oauth import Oauth
from bot.desk.posts import Posts
from bot.desk.render import Renderer
from bot.desk.seeds import LAB, seeded
from bot.desk.shapes import Channel, Message, Person, ResponseUrl, Team, Trigger, new_id
from bot.desk.snapshot import Snapshot
from bot.desk.sockets import SocketHub


@dataclass(frozen=True)
class Tokens:
    """The app's credentials at this desk, random unless the environment gave them."""

    bot: str = field(default_factory=lambda: f"xoxb-desk-{secrets.token_hex(16)}")
    app: str = field(default_factory=lambda: f"xapp-desk-{secrets.token_hex(16)}")
    signing_secret: str = field(default_factory=lambda: secrets.token_hex(16))
    client_id: str = "1000000001.2000000002"
    client_secret: str = field(default_factory=lambda: secrets.token_hex(16))


class Desk:
    """A running workspace: its state, and the parts that act on it. Lives in one event loop, so needs no locks."""

    def __init__(
        self,
        folder: Path,
        base_url: str,
        tokens: Tokens,
        app: InstalledApp,
        behind_url: str = "",
        team: Team = LAB,
        oauth: Oauth | None = None,
        clock: DeskClock | None = None,
    ) -> None:
        (folder / "files").mkdir(parents=True, exist_ok=True)
        self.base_url, self.tokens, self.behind_url = base_url, tokens, behind_url
        self.token_revoked = False  # as after an uninstall: the bot token is known, and takes nothing any more
        self.is_installed = True
        self.oauth = oauth or Oauth(tokens.client_id, tokens.client_secret)
        self.oauth.desks.append(self)
        self.clock = clock or DeskClock(kept_in=folder / "clock-offset")
        self.workspace = seeded(app, folder, self.clock.now(), team)
        self.ledger = Ledger(self.clock.now)
        self.faults = Faults()
        self.changes = Changes()
        self.background = Background()
        self.hub = SocketHub(app, self.faults, self.changes)
        self.posts = Posts(tokens.signing_secret)
        self.delivery = Delivery(self.hub, self.posts, lambda: bool(self.posts.url), self.ledger, self.changes)
        self.render = Renderer(self.workspace, base_url)
        self.events = Events(self.workspace, self.render, self.clock, self.delivery, self.faults, self.background)
        self.mailbox = Mailbox(folder / "mails", self.clock, self.ledger, self.faults, self.changes)
        self.snapshot = Snapshot(self.workspace, self.mailbox, self.clock)
        self.snapshot.restore()

    @property
    def scopes(self) -> frozenset[str]:
        return self.workspace.app.scopes

    def require_bot_token(self, token: str) -> None:
        """Raises Refused where this is no token of the bot here, or does not work now."""
        if token == self.tokens.bot:
            if self.token_revoked:
                raise Refused("token_revoked")
        elif self.oauth.require(token).desk is not self:
            raise Refused("invalid_auth")

    def revoke(self) -> None:
        """Every token of the bot is worth nothing any more, and the app hears of it."""
        self.token_revoked = True
        self.oauth.revoke(self)
        self.events.removed("tokens_revoked")

    def uninstall(self) -> None:
        """An admin takes the app out of the workspace."""
        self.is_installed = False
        self.revoke()
        self.events.removed("app_uninstalled")

    def post(self, message: Message) -> Message:
        """Keep a new message and tell everybody of it."""
        self.workspace.add(message)
        for file_id in message.files:
            self.workspace.files[file_id].shares.append((message.channel, message.ts))
        if message.bot_id:
            self.workspace.statuses.pop((message.channel, message.thread_root), None)
        self.show(message)
        self.events.posted(message)
        return message

    def show(self, message: Message) -> None:
        """Tell open pages that a message is new or different."""
        self.changes.tell("message", message.ephemeral_to, channel=message.channel, ts=message.ts)

    def let_bot_in(self, channel: Channel) -> None:
        bot = self.workspace.bot
        if bot.id not in channel.members:
            channel.members.append(bot.id)
            self.events.about_channel("member_joined_channel", channel, bot)
        self.changes.tell("reload")

    def new_trigger(self, person: Person, view_id: str = "") -> Trigger:
        """The right to open one modal within three seconds of real time."""
        trigger = Trigger(f"{secrets.randbelow(10**12)}.{secrets.token_hex(12)}", person.id, monotonic(), view_id)
        self.workspace.triggers[trigger.id] = trigger
        return trigger

    def new_response_url(self, person: Person, channel: str, message_ts: str = "", thread_ts: str = "") -> str:
        """An address where the app may answer this interaction."""
        expires_at = self.clock.now() + timedelta(seconds=limits.RESPONSE_URL_LIFE_S)
        answer = ResponseUrl(new_id("R"), person.id, channel, expires_at, message_ts, thread_ts)
        self.workspace.response_urls[answer.id] = answer
        return f"{self.base_url}/response/{answer.id}"
