"""Web API: files up and down. Bytes travel by their own addresses, beside the methods."""

from __future__ import annotations

import asyncio

from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, PlainTextResponse, Response

from bot.desk.api_chat import thread_of, writable
from bot.desk.arguments import Arguments
from bot.desk.block_check import require_blocks
from bot.desk.block_tables import Surface
from bot.desk.desk import Desk
from bot.desk.errors import Refused
from bot.desk.faults import FaultKind
from bot.desk.methods import Method, bearer
from bot.desk.render import mimetype_of
from bot.desk.shapes import Channel, Json, Message, StoredFile, new_id

LARGEST_FILE_BYTES = 1_073_741_824
# An upload is answered before its message appears: the app learns the message's ts later, as in Slack.
SHARE_DELAY_S = 0.05

# What Slack answers, with status 200, to a download without a token that may read files.
LOGIN_PAGE = """<!DOCTYPE html><html lang="en"><head><title>Sign in (desk)</title></head>
<body><h1>Sign in to your workspace</h1><p>This page stands where the file would be.</p></body></html>"""


def get_upload_url(desk: Desk, arguments: Arguments) -> Json:
    length = arguments.number("length", 0)
    if length <= 0:
        raise Refused("invalid_arguments", response_metadata={"messages": ["[ERROR] length must be more than 0"]})
    if length > LARGEST_FILE_BYTES:
        raise Refused("file_upload_size_restricted")
    name = arguments.required("filename")
    user, now = desk.workspace.bot.id, desk.clock.now()
    file = StoredFile(new_id("F"), name, name, user, now, length)
    desk.workspace.files[file.id] = file
    return {"upload_url": f"{desk.base_url}/upload/v1/{file.id}", "file_id": file.id}


def complete_upload(desk: Desk, arguments: Arguments) -> Json:
    files = [_ready(desk, one) for one in arguments.items("files")]
    if not files:
        raise Refused("invalid_arguments", response_metadata={"messages": ["[ERROR] files is required"]})
    names = [arguments.text("channel_id"), *arguments.text("channels").split(",")]
    channels = [writable(desk, one) for one in names if one]
    blocks = require_blocks(arguments.items("blocks"), Surface.MESSAGE)
    for channel in channels:
        message = _sharing(desk, arguments, channel, files, blocks)
        desk.background.start(_share_soon(desk, message))
    for file in files:
        file.completed = True
    return {"files": [desk.render.file(one) for one in files]}


def info(desk: Desk, arguments: Arguments) -> Json:
    file = desk.workspace.file(arguments.required("file"))
    return {"file": desk.render.file(file), "comments": [], "response_metadata": {"next_cursor": ""}}


def delete(desk: Desk, arguments: Arguments) -> Json:
    file = desk.workspace.file(arguments.required("file"))
    if file.user != desk.workspace.bot.id:
        raise Refused("cant_delete_file")
    remove_file(desk, file)
    return {}


def remove_file(desk: Desk, file: StoredFile) -> None:
    """Take a file away; its messages keep a tombstone."""
    file.deleted = True
    desk.workspace.path_of(file).unlink(missing_ok=True)
    desk.changes.tell("reload")
    desk.events.file_deleted(file)


def store(desk: Desk, name: str, user: str, data: bytes) -> StoredFile:
    """Keep a person's file."""
    file = StoredFile(new_id("F"), name, name, user, desk.clock.now(), len(data), uploaded=True, completed=True)
    desk.workspace.files[file.id] = file
    desk.workspace.path_of(file).write_bytes(data)
    return file


async def upload(desk: Desk, request: Request) -> Response:
    """POST /upload/v1/FILE: the raw bytes, whatever the content type claims, or a form with one file."""
    file = desk.workspace.files.get(request.path_params["file"])
    if file is None or file.uploaded:
        return PlainTextResponse("no such upload", 404)
    if "multipart/form-data" in request.headers.get("content-type", ""):
        async with request.form() as form:
            parts = [one for one in form.values() if not isinstance(one, str)]
            data = await parts[0].read() if parts else b""
    else:
        data = await request.body()
    answer = "ok" if len(data) == file.size_bytes else "length_mismatch"
    desk.ledger.transfer(file.id, file.name, "up", len(data), answer)
    if answer != "ok":
        return PlainTextResponse(f"expected {file.size_bytes} bytes, got {len(data)}", 400)
    await asyncio.to_thread(desk.workspace.path_of(file).write_bytes, data)
    file.uploaded = True
    desk.changes.tell("ledger")
    return PlainTextResponse(f"OK - {len(data)}")


async def download(desk: Desk, request: Request) -> Response:
    """GET /files-pri/TEAM-FILE/…: the bytes, for the bot token with files:read; else a login page, status 200."""
    file = desk.workspace.files.get(request.path_params["place"].partition("-")[2])
    may_read = _is_bots(desk, bearer(request)) and "files:read" in desk.scopes
    if not may_read or (file and desk.faults.take(FaultKind.LOGIN_PAGE, file.name)):
        desk.ledger.transfer(file.id if file else "", file.name if file else "", "down", 0, "login_page")
        return HTMLResponse(LOGIN_PAGE)
    if file is None or file.deleted or not file.uploaded:
        desk.ledger.transfer(request.path_params["place"], "", "down", 0, "file_not_found")
        return PlainTextResponse("file_not_found", 404)
    desk.ledger.transfer(file.id, file.name, "down", file.size_bytes, "ok")
    if desk.faults.take(FaultKind.SHORT_DOWNLOAD, file.name):
        half = desk.workspace.path_of(file).read_bytes()[: file.size_bytes // 2]
        return Response(half, media_type=mimetype_of(file.name))
    return FileResponse(desk.workspace.path_of(file), media_type=mimetype_of(file.name))


def _is_bots(desk: Desk, token: str) -> bool:
    try:
        desk.require_bot_token(token)
    except Refused:
        return False
    return True


def _ready(desk: Desk, spec: Json) -> StoredFile:
    file = desk.workspace.file(str(spec.get("id", "")))
    if not file.uploaded or file.completed:
        raise Refused("file_not_found")
    file.title = str(spec.get("title") or file.name)
    return file


def _sharing(
    desk: Desk, arguments: Arguments, channel: Channel, files: list[StoredFile], blocks: list[Json]
) -> Message:
    app = desk.workspace.app
    message = Message(channel.id, "", app.bot_user, arguments.text("initial_comment"), blocks, bot_id=app.bot_id)
    message.files = [one.id for one in files]
    message.thread_ts = thread_of(desk, channel, arguments)
    return message


async def _share_soon(desk: Desk, message: Message) -> None:
    await asyncio.sleep(SHARE_DELAY_S)
    message.ts = desk.clock.stamp()
    desk.post(message)


METHODS = (
    Method("files.getUploadURLExternal", get_upload_url, ("files:write",)),
    Method("files.completeUploadExternal", complete_upload, ("files:write",)),
    Method("files.info", info, ("files:read",)),
    Method("files.delete", delete, ("files:write",)),
)
