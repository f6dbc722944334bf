"""envd's /files: one file up or one file down, streamed, inside the box's own folders."""

from __future__ import annotations

import asyncio
import errno
import os
import posixpath
import shutil
import stat
import zlib
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

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
    """Replaces one file by the request's body, all of it or nothing. Raises ApiError 400, 507."""
    kind = request.headers.get("content-type", "").split(";")[0]
    if kind == "application/octet-stream":
        path = _asked_path(request)
        await _store(box, path, _unzipped(request), disk_bytes)
    elif kind == "multipart/form-data":
        path = await _store_form(box, request, disk_bytes)
    else:
        raise ApiError(400, f"unsupported content type: {kind}")
    return Json([{"name": posixpath.basename(path), "type": "file", "path": path}])


async def _store_form(box: Box, request: Request, disk_bytes: int) -> str:
    async with request.form(max_files=1, max_fields=0) as form:
        part = form.get("file")
        if part is None or isinstance(part, str):
            raise ApiError(400, "the form must hold one file, named 'file'")

        async def chunks() -> AsyncIterator[bytes]:
            while chunk := await part.read(BATCH_BYTES):
                yield chunk

        path = _asked_path(request)
        await _store(box, path, chunks(), disk_bytes)
        return path


async def _store(box: Box, path: str, chunks: AsyncIterator[bytes], disk_bytes: int) -> None:
    try:
        room = await asyncio.to_thread(_room, box.cell.folder, disk_bytes)
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


def _room(folder: Path, disk_bytes: int) -> int:
    """Bytes that may still be written: what the box may use, and what the host can spare."""
    return min(disk_bytes - folder_bytes(folder), shutil.disk_usage(folder).free - HOST_SPARE_BYTES)


def _asked_path(request: Request) -> str:
    query = request.query_params
    if unknown := sorted(set(query) - _KEYS):
        raise BadKey(f"files: this server does not know {', '.join(map(repr, unknown))}.")
    if query.get("username", "user") != "user":
        raise BadKey("files: 'username' must be 'user'; a box has no other.")
    if "path" not in query:
        raise BadKey("files: 'path' is missing.")
    return box_path(query["path"])


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
