"""The control API's bytes: files, mails' parts, and the story's generated files."""

from __future__ import annotations

import asyncio
import base64
import re
from collections.abc import Awaitable, Callable, Mapping
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import FileResponse, PlainTextResponse, Response
from starlette.routing import Route

from bot.desk import story
from bot.desk.api_files import remove_file
from bot.desk.clock import evening_before_monday
from bot.desk.composing import post_as
from bot.desk.control import Handler, Order
from bot.desk.desk import Desk
from bot.desk.errors import BadRequest, DeskError, NotThere
from bot.desk.mail import Mail
from bot.desk.render import mimetype_of
from bot.desk.shapes import Json

# A phone shows a wide table in a box that scrolls, instead of cutting it.
_ON_A_PHONE = """<style>@media (max-width: 520px) {
  body { padding: 0 8px } table { display: block; overflow-x: auto }
}</style>"""
# A mail's HTML comes from outside: it gets no script, no network and no origin of its own.
MAIL_POLICY = "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:"
_SHOWN_INLINE = ("image/png", "image/jpeg", "image/gif")


async def delete_file(order: Order) -> Json:
    remove_file(order.desk, order.desk.workspace.file(order.text("file")))
    return {}


async def story_sets(order: Order) -> Json:
    if not order.get("set"):
        return {"sets": {one.name: {"title": one.title, "text": one.text} for one in story.SETS.values()}}
    chosen = _chosen(order.text("set"))
    return {"title": chosen.title, "text": chosen.text, "files": list(await _made(order.desk, chosen))}


async def post_story(order: Order) -> Json:
    chosen = _chosen(order.text("set"))
    if order.get("on_sunday"):
        evening = evening_before_monday(order.desk.clock.now(), story.ZONE)
        if evening:
            order.desk.clock.move_to(evening)
            order.desk.changes.tell("clock", **order.look.clock())
    files = tuple((await _made(order.desk, chosen)).items())
    message = post_as(order.desk, order.person, order.channel, chosen.text, files)
    return {"message": order.look.message(message)}


def _chosen(name: str) -> story.FileSet:
    if name not in story.SETS:
        raise BadRequest(f"There is no such set. Sets: {', '.join(story.SETS)}.")
    return story.SETS[name]


async def _made(desk: Desk, chosen: story.FileSet) -> Mapping[str, bytes]:
    # Writing 38,000 lines takes a moment, and acknowledgements are waiting in the event loop.
    return await asyncio.to_thread(chosen.files, desk.clock.now())


ORDERS: tuple[tuple[str, str, Handler], ...] = (
    ("POST", "/files/delete", delete_file),
    ("GET", "/story", story_sets),
    ("POST", "/story", post_story),
)


def routes(desk: Desk) -> list[Route]:
    """The routes that answer with bytes rather than JSON."""
    return [
        Route("/files/{file}", _found(desk, file_bytes)),
        Route("/story/{set}/{name}", story_endpoint(desk)),
        Route("/mails/{number:int}/raw", _found(desk, mail_raw)),
        Route("/mails/{number:int}/html", _found(desk, mail_html)),
        Route("/mails/{number:int}/attachments/{index:int}", _found(desk, mail_attachment)),
    ]


def file_bytes(desk: Desk, request: Request) -> Response:
    file = desk.workspace.file(request.path_params["file"])
    mimetype = mimetype_of(file.name)
    headers = _as_download(file.name) if mimetype not in _SHOWN_INLINE else {}
    return FileResponse(desk.workspace.path_of(file), media_type=mimetype, headers=headers)


def story_endpoint(desk: Desk) -> Callable[[Request], Awaitable[Response]]:
    async def endpoint(request: Request) -> Response:
        chosen, name = story.SETS.get(request.path_params["set"]), request.path_params["name"]
        data = (await _made(desk, chosen)).get(name) if chosen else None
        if data is None:
            return PlainTextResponse("The story has no such file.", 404)
        return Response(data, media_type="application/octet-stream", headers=_as_download(name))

    return endpoint


def mail_raw(desk: Desk, request: Request) -> Response:
    return PlainTextResponse(_mail(desk, request).raw.decode("utf-8", "replace"))


def mail_html(desk: Desk, request: Request) -> Response:
    """The mail's HTML with its inline images put into it, for a sandboxed frame."""
    mail = _mail(desk, request)
    images = {one.content_id: one for one in mail.attachments if one.content_id}

    def inline(found: re.Match[str]) -> str:
        image = images.get(found[1])
        return f"data:{image.mimetype};base64,{_base64(image.data)}" if image else found[0]

    html = re.sub(r"cid:([^\"'\s>)]+)", inline, mail.html)
    headers = {"Content-Security-Policy": MAIL_POLICY, "X-Content-Type-Options": "nosniff"}
    return Response(html + _ON_A_PHONE, media_type="text/html", headers=headers)


def mail_attachment(desk: Desk, request: Request) -> Response:
    mail, index = _mail(desk, request), request.path_params["index"]
    if index >= len(mail.attachments):
        raise NotThere(f"Mail {mail.number} has {len(mail.attachments)} attachments, counted from 0.")
    part = mail.attachments[index]
    return Response(part.data, media_type=part.mimetype, headers=_as_download(part.name))


def _mail(desk: Desk, request: Request) -> Mail:
    number: int = request.path_params["number"]
    if not 1 <= number <= len(desk.mailbox.mails):
        raise NotThere(f"There is no mail {number}; {len(desk.mailbox.mails)} arrived.")
    return desk.mailbox.mails[number - 1]


def _found(desk: Desk, run: Callable[[Desk, Request], Response]) -> Callable[[Request], Awaitable[Response]]:
    async def endpoint(request: Request) -> Response:
        try:
            return run(desk, request)
        except DeskError as error:
            return PlainTextResponse(str(error), 404)

    return endpoint


def _as_download(name: str) -> dict[str, str]:
    where = f"attachment; filename*=UTF-8''{quote(name)}"
    return {"Content-Disposition": where, "X-Content-Type-Options": "nosniff", "Content-Security-Policy": "sandbox"}


def _base64(data: bytes) -> str:
    return base64.b64encode(data).decode()
