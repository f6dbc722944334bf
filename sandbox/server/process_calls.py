"""envd's process.Process: start a command and stream it, join it again, write to it, end it."""

from __future__ import annotations

import base64
import binascii
from collections.abc import AsyncIterable, AsyncIterator, Mapping

from starlette.requests import Request

from sandbox.server.boxes import Box, Boxes
from sandbox.server.interpreter import program_path
from sandbox.server.keys import Keys
from sandbox.server.paths import HOME, box_path
from sandbox.server.processes import Command, Event, Running
from sandbox.server.refusals import BadKey, RpcError
from sandbox.server.requests import check_env

KEEPALIVE_S = 50.0
_SIGNALS = ("SIGNAL_SIGKILL", "SIGNAL_SIGTERM")
Answer = Mapping[str, object]


def _base_environment(boxes: Boxes) -> dict[str, str]:
    return {
        "PATH": program_path(),
        "HOME": HOME,
        "USER": "user",
        "LOGNAME": "user",
        "LANG": "C.UTF-8",
        "TZ": "UTC",  # as in hosted boxes: a script must not see which computer it runs on
        "TMPDIR": "/tmp",
        "MPLBACKEND": "Agg",
        "MPLCONFIGDIR": "/tmp/matplotlib",
        **boxes.jail.limits.environment(),
    }


async def stream(name: str, boxes: Boxes, box: Box, keys: Keys, request: Request) -> AsyncIterator[Event]:
    """Start and Connect: the events of a command from now on. Raises RpcError, BadKey."""
    if name == "Start":
        running = await boxes.run(box, _command(boxes, box, keys, request))
    elif name == "Connect":
        running = _selected(box, keys)
        keys.done()
    else:
        raise RpcError("unimplemented", f"process.Process/{name} is not offered by this server")
    async for event in running.events(_seconds(request, "keepalive-ping-interval") or KEEPALIVE_S):
        yield event


async def call(name: str, box: Box, keys: Keys) -> Answer:
    """The calls that answer once. Raises RpcError, BadKey."""
    if name == "List":
        keys.done()
        return {"processes": [{"pid": each.pid, "config": each.command.config} for each in box.running.values()]}
    calls = {"SendSignal": _signal, "SendInput": _input, "CloseStdin": _close_stdin}
    if name not in calls:
        raise RpcError("unimplemented", f"process.Process/{name} is not offered by this server")
    await calls[name](_selected(box, keys), keys)
    return {}


async def stream_input(box: Box, sent: AsyncIterable[object]) -> None:
    """StreamInput: first which command, then what it reads, piece by piece. Raises RpcError, BadKey."""
    running: Running | None = None
    async for message in sent:
        keys = Keys("StreamInput", message)
        kind = next((name for name in ("start", "data", "keepalive") if keys.has(name)), "start")
        event = keys.nested(kind)
        keys.done()
        if kind == "start":
            running = _selected(box, event)
            event.done()
        elif running is None:
            raise RpcError("invalid_argument", "StreamInput: the first message must be 'start'")
        elif kind == "data":
            await _input(running, event)


def _command(boxes: Boxes, box: Box, keys: Keys, request: Request) -> Command:
    if keys.has("pty"):
        raise BadKey("Start: 'pty' is refused: boxes of this server have no terminals; commands read and write pipes.")
    process = keys.nested("process")
    argv = (process.text("cmd"), *process.texts("args"))
    cwd = box_path(process.text("cwd", HOME) or HOME)
    env = process.text_map("envs")
    process.done()
    check_env(env)
    command = Command(
        argv=argv,
        cwd=cwd,
        env={**_base_environment(boxes), **box.request.env, **env},
        timeout_s=(_seconds(request, "connect-timeout-ms") or 0) / 1000 or None,
        with_stdin=keys.flag("stdin", True),
        config={"cmd": argv[0], "args": list(argv[1:]), "cwd": cwd},
    )
    keys.done()
    _must_be_folder(box, cwd)
    return command


def _must_be_folder(box: Box, cwd: str) -> None:
    try:
        with box.files.folder(cwd):
            pass
    except OSError:
        raise RpcError("invalid_argument", f"cwd '{cwd}' does not exist") from None


def _selected(box: Box, keys: Keys) -> Running:
    selector = keys.nested("process")
    pid = selector.number("pid")
    selector.done()
    if pid not in box.running:
        raise RpcError("not_found", f"process with pid {pid} not found")
    return box.running[pid]


async def _signal(running: Running, keys: Keys) -> None:
    name = keys.text("signal")
    keys.done()
    if name not in _SIGNALS:
        raise BadKey(f"signal: must be one of {', '.join(_SIGNALS)}, not {name!r}.")
    if name == "SIGNAL_SIGKILL":
        running.kill()
    else:
        running.terminate()


async def _input(running: Running, keys: Keys) -> None:
    data = keys.nested("input")
    if data.has("pty"):
        raise BadKey("input: 'pty' is refused: boxes of this server have no terminals; send 'stdin'.")
    text = data.text("stdin")
    data.done()
    keys.done()
    try:
        await running.write(base64.b64decode(text, validate=True))
    except binascii.Error:
        raise BadKey("input: 'stdin' must be base64.") from None


async def _close_stdin(running: Running, keys: Keys) -> None:
    keys.done()
    running.close_stdin()


def _seconds(request: Request, header: str) -> float | None:
    text = request.headers.get(header)
    if text is None:
        return None
    if not text.isdecimal():
        raise BadKey(f"header {header!r} must be a whole number.")
    return float(text)
