"""envd's /files: files up, one or many at once, or one file down, streamed, inside the box's own folders."""

from __future__ import annotations

import asyncio
import errno
import os
import posixpath
import shutil
import stat
import zlib
from collections.abc import AsyncIterator, Iterator

from starlette.datastructures import UploadFile
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response, StreamingResponse

from sandbox.server.boxes import Box
from sandbox.server.framing import Json
from sandbox.server.limits import MIB
from sandbox.server.paths import box_path
from sandbox.server.refusals import ApiError, BadKey
from sandbox.server.usage import folder_bytes
from sandbox.server.watchdog import HOST_SPARE_BYTES

BATCH_BYTES = 1 * MIB
MOST_FILES = 1000  # in one form; Starlette's own limit
_KEYS = frozenset({"path", "username", "signature", "signature_expiration"})


async def download(box: Box, request: Request) -> Response:
    """A regular file's bytes. Raises ApiError 404, 400 for anything that is no regular file."""
    path = _asked_path(request)
    try:
        fd = box.files.open(path, os.O_RDONLY | os.O_NONBLOCK)  # a FIFO must not hold us
    except (FileNotFoundError, NotADirectoryError):
        raise ApiError(404, f"path '{path}' does not exist") from None
    except OSError as error:
        raise ApiError(400, f"path '{path}' cannot be read: {error.strerror}") from None
    info = os.fstat(fd)
    if not stat.S_ISREG(info.st_mode):
        os.close(fd)
        raise ApiError(400, f"path '{path}' is no regular file")
    zipped = request.headers.get("accept-encoding") == "gzip"
    headers = {"content-encoding": "gzip"} if zipped else {"content-length": str(info.st_size)}
    body = _zipped(_read(fd, info.st_size)) if zipped else _read(fd, info.st_size)
    return StreamingResponse(body, headers=headers, media_type="application/octet-stream")


async def upload(box: Box, request: Request, disk_bytes: int) -> Response:
    """Replaces each file by what the request brings, all of it or nothing. Raises ApiError 400, 507."""
    kind = request.headers.get("content-type", "").split(";")[0]
    room = await _room(box, disk_bytes)
    if kind == "application/octet-stream":
        paths = [_asked_path(request)]
        await _store(box, paths[0], _unzipped(request), room)
    elif kind == "multipart/form-data":
        paths = await _store_form(box, request, room)
    else:
        raise ApiError(400, f"unsupported content type: {kind}")
    return Json([{"name": posixpath.basename(path), "type": "file", "path": path} for path in paths])


async def _store_form(box: Box, request: Request, room: int) -> list[str]:
    """As envd does it: the path of one file stands in the query, those of many are their file names in the form."""
    async with request.form(max_files=MOST_FILES, max_fields=0) as form:
        parts = [part for part in form.getlist("file") if not isinstance(part, str)]
        if len(parts) != len(form.multi_items()) or not parts:
            raise ApiError(400, "the form must hold files alone, each named 'file'")
        if len(parts) == 1 and "path" in request.query_params:
            paths = [_asked_path(request)]
        else:
            _check_query(request)
            paths = [box_path(part.filename or "") for part in parts]
        for path, part in zip(paths, parts, strict=True):
            room -= await _store(box, path, _chunks(part), room)
        return paths


async def _chunks(part: UploadFile) -> AsyncIterator[bytes]:
    while chunk := await part.read(BATCH_BYTES):
        yield chunk


async def _store(box: Box, path: str, chunks: AsyncIterator[bytes], room: int) -> int:
    """The bytes that were written, at most `room`."""
    before = room
    try:
        with box.files.replacing(path) as fd:
            async for batch in _batches(chunks):
                room -= len(batch)
                if room < 0:
                    raise OSError(errno.ENOSPC, "the box's disk is full")
                await asyncio.to_thread(_write_all, fd, batch)
    except ClientDisconnect:
        raise ApiError(400, "the upload was broken off") from None
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise ApiError(507, f"not enough disk space for '{path}'") from None
        raise ApiError(400, f"'{path}' cannot be written: {error.strerror}") from None
    return before - room


async def _room(box: Box, disk_bytes: int) -> int:
    """Bytes that may still be written: what the box may use, and what the host can spare. Raises ApiError 400."""
    folder = box.cell.folder
    try:
        used = await asyncio.to_thread(folder_bytes, folder)
    except OSError as error:
        raise ApiError(400, f"the box's folder cannot be read: {error.strerror}") from None
    return min(disk_bytes - used, shutil.disk_usage(folder).free - HOST_SPARE_BYTES)


def _asked_path(request: Request) -> str:
    query = request.query_params
    _check_query(request)
    if "path" not in query:
        raise BadKey("files: 'path' is missing.")
    return box_path(query["path"])


def _check_query(request: Request) -> None:
    query = request.query_params
    if unknown := sorted(set(query) - _KEYS):
        raise BadKey(f"files: this server does not know {', '.join(map(repr, unknown))}.")
    if query.get("username", "user") != "user":
        raise BadKey("files: 'username' must be 'user'; a box has no other.")


async def _read(fd: int, size: int) -> AsyncIterator[bytes]:
    """`size` bytes at most: a file that grows while it is read ends where it ended when it was opened."""
    with os.fdopen(fd, "rb") as file:
        while size > 0 and (chunk := await asyncio.to_thread(file.read, min(BATCH_BYTES, size))):
            size -= len(chunk)
            yield chunk


async def _zipped(chunks: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    packer = zlib.compressobj(wbits=31)
    async for chunk in chunks:
        yield packer.compress(chunk)
    yield packer.flush()


async def _unzipped(request: Request) -> AsyncIterator[bytes]:
    encoding = request.headers.get("content-encoding")
    if encoding not in (None, "gzip"):
        raise ApiError(400, f"unsupported content encoding: {encoding}")
    unpacker = zlib.decompressobj(wbits=31) if encoding else None
    async for chunk in request.stream():
        for piece in _unpacked(unpacker, chunk) if unpacker else (chunk,):
            yield piece


def _unpacked(unpacker: zlib._Decompress, packed: bytes) -> Iterator[bytes]:
    """Piece by piece: a small body may unpack to anything."""
    while packed:
        try:
            yield unpacker.decompress(packed, BATCH_BYTES)
        except zlib.error:
            raise ApiError(400, "the body is no gzip") from None
        packed = unpacker.unconsumed_tail


async def _batches(chunks: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    """The same bytes in larger pieces; each piece costs a hop to a thread."""
    batch = bytearray()
    async for chunk in chunks:
        batch += chunk
        if len(batch) >= BATCH_BYTES:
            yield bytes(batch)
            batch.clear()
    yield bytes(batch)


def _write_all(fd: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(fd, view) :]
