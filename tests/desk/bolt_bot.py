"""A small bot on the real slack_bolt: it answers a mention with buttons, opens a form, and takes files."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from urllib.request import Request, urlopen

from slack_bolt import Ack, App, Respond, Say
from slack_bolt.adapter.socket_mode import SocketModeHandler
from slack_sdk import WebClient

from tests.desk_client import Desk
from tests.desk_server import RunningDesk

Json = dict[str, Any]

FORM: Json = {
    "type": "modal",
    "callback_id": "reason",
    "title": {"type": "plain_text", "text": "Reject"},
    "submit": {"type": "plain_text", "text": "Send"},
    "private_metadata": "card-1",
    "notify_on_close": True,
    "blocks": [
        {
            "type": "input",
            "block_id": "why",
            "label": {"type": "plain_text", "text": "Why?"},
            "element": {"type": "plain_text_input", "action_id": "text", "multiline": True, "max_length": 200},
        },
        {
            "type": "input",
            "block_id": "who",
            "optional": True,
            "label": {"type": "plain_text", "text": "Who should look at it?"},
            "element": {"type": "users_select", "action_id": "user"},
        },
    ],
}


def button(label: str, action_id: str, **more: Any) -> Json:
    return {"type": "button", "text": {"type": "plain_text", "text": label}, "action_id": action_id, **more}


CARD: list[Json] = [
    {"type": "section", "text": {"type": "mrkdwn", "text": "*Weekly report*: needs review"}},
    {
        "type": "actions",
        "block_id": "decide",
        "elements": [button("Approve", "approve", value="v1", style="primary"), button("Reject…", "reject")],
    },
]


class BoltBot:
    """Keeps what it heard, so that tests can look at it."""

    def __init__(self, client: WebClient) -> None:
        self.heard: list[Json] = []
        self.submitted: list[Json] = []
        self.closed: list[Json] = []
        self.downloads: dict[str, bytes] = {}
        self.card_url = ""  # of the newest card
        self.app = App(client=client, logger=logging.getLogger("test-bot"))
        self.app.event("app_mention")(self.on_mention)
        self.app.event("message")(self.on_message)
        self.app.event("app_home_opened")(self.on_home)
        self.app.action("approve")(self.on_approve)
        self.app.action("reject")(self.on_reject)
        self.app.action("open")(lambda ack: ack())
        self.app.view("reason")(self.on_reason)
        self.app.view_closed("reason")(self.on_closed)
        self.app.command("/standby")(self.on_command)
        self.app.shortcut("turn_into_report")(self.on_shortcut)

    def on_mention(self, event: Json, say: Say, client: WebClient) -> None:
        self.heard.append(event)
        card = say(text="A card", blocks=CARD, thread_ts=event.get("thread_ts") or event["ts"])
        self.card_url = client.chat_getPermalink(channel=event["channel"], message_ts=card["ts"])["permalink"]

    def on_message(self, event: Json, client: WebClient) -> None:
        self.heard.append(event)
        for file in event.get("files", []):
            request = Request(file["url_private_download"], headers={"Authorization": f"Bearer {client.token}"})
            with urlopen(request) as response:
                self.downloads[file["name"]] = response.read()

    def on_home(self, event: Json, client: WebClient) -> None:
        words = {"type": "mrkdwn", "text": "Nothing waits for you."}
        blocks: list[Json] = [{"type": "section", "text": words}]
        if self.card_url:
            blocks.append({"type": "actions", "elements": [button("Open the card", "open", url=self.card_url)]})
        client.views_publish(user_id=event["user"], view={"type": "home", "blocks": blocks})

    def on_approve(self, ack: Ack, body: Json, client: WebClient) -> None:
        ack()
        if body["user"]["team_id"] != body["team"]["id"]:
            client.chat_postEphemeral(
                channel=body["channel"]["id"], user=body["user"]["id"], text="Only members of this workspace approve."
            )
            return
        done = [{"type": "section", "text": {"type": "mrkdwn", "text": f"Approved by <@{body['user']['id']}>"}}]
        client.chat_update(channel=body["channel"]["id"], ts=body["message"]["ts"], text="Approved", blocks=done)

    def on_reject(self, ack: Ack, body: Json, client: WebClient) -> None:
        ack()
        client.views_open(trigger_id=body["trigger_id"], view=FORM)

    def on_reason(self, ack: Ack, view: Json) -> None:
        if view["state"]["values"]["why"]["text"]["value"] == "no":
            ack(response_action="errors", errors={"why": "Say a little more."})
            return
        ack()
        self.submitted.append(view)

    def on_closed(self, ack: Ack, view: Json) -> None:
        ack()
        self.closed.append(view)

    def on_command(self, ack: Ack, respond: Respond, command: Json) -> None:
        ack("At once")
        respond(text=f"You said {command['text']}", response_type="in_channel")

    def on_shortcut(self, ack: Ack, shortcut: Json, client: WebClient) -> None:
        ack()
        client.chat_postMessage(channel=shortcut["channel"]["id"], thread_ts=shortcut["message"]["ts"], text="Will do.")


@contextmanager
def connected(running: RunningDesk, make: Callable[[WebClient], BoltBot] = BoltBot) -> Iterator[BoltBot]:
    """The bot, connected by Socket Mode for as long as the block lasts."""
    bot = make(WebClient(token=running.bot_token, base_url=running.api_url, retry_handlers=[]))
    handler = SocketModeHandler(bot.app, running.app_token, ping_interval=1)
    handler.connect()  # type: ignore[no-untyped-call] # bolt's own
    desk = Desk(running.url)
    desk.wait_until(lambda: desk.state()["connections"] > 0)
    desk.close()
    try:
        yield bot
    finally:
        handler.close()  # type: ignore[no-untyped-call] # bolt's own
