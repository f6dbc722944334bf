"""The Home tab: opening it, leafing, and orders from it."""

import re
from typing import Any

from slack_bolt import Ack, App, BoltContext

from bot.domain.orders import Said
from bot.slack import answers, ids
from bot.slack.chat import SlackChat
from bot.slack.homes import Homes
from bot.slack.payloads import Pressed
from bot.work import govern
from bot.work.parts import Parts


def register(app: App, parts: Parts, chat: SlackChat, homes: Homes) -> None:
    """Orders are done before Slack is told that we have them, and answered on top of the tab."""

    def show(event: dict[str, Any]) -> None:
        if event.get("tab", "home") == "home":
            homes.show(event["user"], page=0)

    def order(body: dict[str, Any], context: BoltContext, ack: Ack) -> None:
        pressed = Pressed.read(body)
        routine_id, _, seen = pressed.value.partition(":")
        context["said"] = answers.NOT_KNOWN
        if person := answers.presser(chat, pressed.user_id):
            said = Said(ids.ORDERS[pressed.action_id])
            context["said"] = govern.give(parts, int(routine_id), said, person, pressed.trigger_id, seen).text
        ack()

    def tell(body: dict[str, Any], context: BoltContext) -> None:
        homes.show(body["user"]["id"], said=context.get("said", answers.LOST))

    def leaf(body: dict[str, Any]) -> None:
        pressed = Pressed.read(body)
        homes.show(pressed.user_id, page=int(pressed.value))

    def nothing(ack: Ack) -> None:
        ack()

    app.event("app_home_opened")(ack=nothing, lazy=[show])
    for name in ids.ORDERS:
        app.action(name)(ack=order, lazy=[tell])
    app.action(re.compile(f"^{ids.HOME_PAGE}_"))(ack=nothing, lazy=[leaf])
    app.action(re.compile(f"^{ids.OPEN_LINK}"))(nothing)
