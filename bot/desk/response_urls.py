"""Answers to interactions at their response_url: five of them, within thirty minutes."""

from __future__ import annotations

import json

from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response

from bot.desk import limits
from bot.desk.api_chat import content_of
from bot.desk.arguments import Arguments
from bot.desk.desk import Desk
from bot.desk.errors import Refused
from bot.desk.shapes import Json, Message, ResponseUrl


async def respond(desk: Desk, request: Request) -> Response:
    """POST /response/ID with a message: new (ephemeral unless `in_channel`), or in place of the original."""
    answer = desk.workspace.response_urls.get(request.path_params["answer"])
    arguments = Arguments({})
    try:
        arguments = _body(await request.body())
        _use(desk, answer)
        if answer:
            _carry_out(desk, answer, arguments)
    except Refused as refused:
        desk.ledger.call("response_url", arguments.values, ok=False, error=refused.error)
        status = 404 if refused.error.endswith("_url") else 200
        return JSONResponse({"ok": False, "error": refused.error, **refused.detail}, status)
    desk.ledger.call("response_url", arguments.values, ok=True)
    return PlainTextResponse("ok")


def answer_command(desk: Desk, answer: ResponseUrl, payload: Json) -> None:
    """Show the message with which an app acknowledged a slash command. Raises Refused."""
    _carry_out(desk, answer, Arguments(payload))


def _body(body: bytes) -> Arguments:
    try:
        values = json.loads(body)
    except ValueError as error:
        raise Refused("invalid_payload") from error
    if not isinstance(values, dict):
        raise Refused("invalid_payload")
    return Arguments(values)


def _use(desk: Desk, answer: ResponseUrl | None) -> None:
    if answer is None or answer.expires_at < desk.clock.now():
        raise Refused("expired_url")
    if answer.uses >= limits.RESPONSE_URL_USES:
        raise Refused("used_url")
    answer.uses += 1


def _carry_out(desk: Desk, answer: ResponseUrl, arguments: Arguments) -> None:
    original = desk.workspace.find(answer.channel, answer.message_ts)
    if arguments.flag("delete_original"):
        if original:
            desk.workspace.remove(original)
            desk.show(original)
        return
    text, blocks, attachments = content_of(arguments)
    if not (text or blocks or attachments):
        raise Refused("no_text")
    # Slack replaces the original only when asked to.
    if original and arguments.flag("replace_original"):
        previous = desk.render.message(original)
        original.text, original.blocks, original.attachments = text, blocks, attachments
        original.edited_by, original.edited_ts = desk.workspace.bot.id, desk.clock.stamp()
        desk.show(original)
        if not original.ephemeral_to:
            desk.events.changed(original, previous)
        return
    app = desk.workspace.app
    message = Message(answer.channel, desk.clock.stamp(), app.bot_user, text, blocks, attachments, bot_id=app.bot_id)
    message.thread_ts = arguments.text("thread_ts") or answer.thread_ts
    message.ephemeral_to = "" if arguments.text("response_type") == "in_channel" else answer.user
    desk.post(message)
