"""One running command: started in the jail, pumped to whoever listens, watched, and ended with all it started."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import os
import signal
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, field

from sandbox.server.cgroups import Group
from sandbox.server.jail import Cell, Jail
from sandbox.server.refusals import RpcError
from sandbox.server.tree import descendants, kill_tree
from sandbox.server.watchdog import MEMORY_EVERY_S, OUT_OF_MEMORY, Watchdog

CHUNK_BYTES = 32 << 10  # what envd reads at a time
QUEUE_EVENTS = 64  # a slow reader holds the command back instead of filling our memory

Event = Mapping[str, object]
Told = Event | RpcError  # an error ends a stream


@dataclass(frozen=True)
class Command:
    """What was asked to be run. `config` is the request's own words, repeated by List."""

    argv: Sequence[str]
    cwd: str
    env: Mapping[str, str]
    timeout_s: float | None
    with_stdin: bool
    config: Mapping[str, object]


@dataclass(eq=False)
class Running:
    """A command in its jail. `pid` is the launcher's on the host and serves as the command's name."""

    command: Command
    process: asyncio.subprocess.Process
    above: int  # processes of the jail over the command itself
    listeners: set[asyncio.Queue[Told]] = field(default_factory=set)
    killed_because: str | None = None
    finished: asyncio.Task[None] | None = None

    @property
    def pid(self) -> int:
        return self.process.pid

    def kill(self, because: str | None = None) -> None:
        """Ends the command and all it started; `because` is told on its stderr."""
        if self.process.returncode is None:
            self.killed_because = self.killed_because or because
            kill_tree(self.pid)

    def terminate(self) -> None:
        """SIGTERM to the command alone, which stands below the processes of the jail."""
        members = descendants(self.pid)
        if self.process.returncode is None and len(members) > self.above:
            with contextlib.suppress(ProcessLookupError):
                os.kill(members[self.above], signal.SIGTERM)

    async def write(self, data: bytes) -> None:
        if self.process.stdin is None or self.process.stdin.is_closing():
            raise RpcError("internal", "stdin is not enabled or is closed")
        self.process.stdin.write(data)
        with contextlib.suppress(ConnectionError):
            await self.process.stdin.drain()

    def close_stdin(self) -> None:
        if self.process.stdin is not None:
            self.process.stdin.close()

    async def tell(self, what: Told) -> None:
        for listener in list(self.listeners):
            await listener.put(what)

    def cut_off(self, error: RpcError) -> None:
        """Ends every stream with `error`, at once, even where the reader stopped reading."""
        for listener in self.listeners:
            _empty(listener)
            listener.put_nowait(error)
        self.listeners.clear()

    async def events(self, ping_s: float) -> AsyncIterator[Event]:
        """Start, output, end; a keepalive after each `ping_s` of silence. Raises RpcError when cut off."""
        queue: asyncio.Queue[Told] = asyncio.Queue(QUEUE_EVENTS)
        self.listeners.add(queue)
        try:
            yield {"start": {"pid": self.pid}}
            while True:
                event = await _next(queue, ping_s)
                yield event
                if "end" in event:
                    return
        finally:
            self.listeners.discard(queue)
            _empty(queue)


async def _next(queue: asyncio.Queue[Told], ping_s: float) -> Event:
    try:
        told = await asyncio.wait_for(queue.get(), ping_s)
    except TimeoutError:
        return {"keepalive": {}}
    if isinstance(told, RpcError):
        raise told
    return told


def _empty(queue: asyncio.Queue[Told]) -> None:
    """Frees a pump that waits for room in a queue nobody reads any more."""
    while not queue.empty():
        queue.get_nowait()


async def start(jail: Jail, cell: Cell, command: Command, group: Group | None) -> Running:
    """Starts `command`; the caller begins `follow` as a task. Raises RpcError when it cannot be started."""
    try:
        with jail.launch(cell, command.cwd, command.argv) as launch:
            process = await asyncio.create_subprocess_exec(
                *(group.joining(launch.argv) if group else launch.argv),
                env={**command.env, **launch.env},
                cwd=launch.cwd,
                stdin=asyncio.subprocess.PIPE if command.with_stdin else asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.PIPE,
                start_new_session=True,
                pass_fds=launch.fds,
            )
    except OSError as error:
        raise RpcError("internal", f"the jail could not be started: {error.strerror}") from None
    return Running(command, process, launch.above)


async def follow(running: Running, watchdog: Watchdog) -> None:
    """Pumps output until the command ends or its time is up, then tells its end to all listeners."""
    watching = asyncio.create_task(_watch(running, watchdog))
    pumps = asyncio.gather(_pump(running, "stdout"), _pump(running, "stderr"))
    timeout_s = running.command.timeout_s
    try:
        await asyncio.wait_for(_ended(running, pumps), timeout_s)
    except TimeoutError:
        await _finish(running)
        await running.tell(RpcError("deadline_exceeded", f"the command did not end within {timeout_s:g} s"))
        return
    finally:
        watching.cancel()
    if running.process.returncode and watchdog.kernel_ended_some():
        running.killed_because = running.killed_because or OUT_OF_MEMORY
    if running.killed_because:
        await running.tell(_output("stderr", f"\n[box] killed: {running.killed_because}\n".encode()))
    await running.tell({"end": _end(running.process.returncode)})


async def _finish(running: Running) -> None:
    """Kills, and drops the output nobody waits for: asyncio calls a process ended when its pipes are empty."""
    running.kill()
    for stream in (running.process.stdout, running.process.stderr):
        while stream is not None and await stream.read(CHUNK_BYTES):
            pass
    await running.process.wait()


async def _ended(running: Running, pumps: asyncio.Future[tuple[None, None]]) -> None:
    await pumps
    await running.process.wait()


async def _pump(running: Running, name: str) -> None:
    stream = running.process.stdout if name == "stdout" else running.process.stderr
    assert stream is not None
    while chunk := await stream.read(CHUNK_BYTES):
        await running.tell(_output(name, chunk))


async def _watch(running: Running, watchdog: Watchdog) -> None:
    while running.process.returncode is None:
        if reason := await asyncio.to_thread(watchdog.look):
            running.kill(reason)
            return
        await asyncio.sleep(MEMORY_EVERY_S)


def _output(name: str, chunk: bytes) -> Event:
    return {"data": {name: base64.b64encode(chunk).decode("ascii")}}


def _end(returncode: int | None) -> Event:
    """envd's end: an exit code, or -1 and the signal when the launcher itself was killed."""
    if returncode is None or returncode < 0:
        status = f"signal: {(signal.strsignal(-(returncode or -signal.SIGKILL)) or 'unknown').lower()}"
        return {"exitCode": -1, "exited": False, "status": status, "error": status}
    end: dict[str, object] = {"exitCode": returncode, "exited": True, "status": f"exit status {returncode}"}
    return {**end, "error": f"exit status {returncode}"} if returncode else end
