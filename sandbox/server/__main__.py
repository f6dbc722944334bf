"""`python -m sandbox.server`: starts the box server and says where it listens in its ready file."""

from __future__ import annotations

import argparse
import json
import os
import signal
import socket
import sys
from pathlib import Path

import uvicorn

from sandbox.server.app import ServerOptions, build_app
from sandbox.server.boxes import Boxes, RootInUse, claim, sweep
from sandbox.server.find_jail import find_jail
from sandbox.server.jail import JailUnavailable
from sandbox.server.ledger import Ledger
from sandbox.server.limits import MIB, Limits, leave_no_core

KEY_VARIABLE = "STANDBY_BOX_SERVER_KEY"
EXIT_REFUSED = 78  # EX_CONFIG: starting again changes nothing
_KEEP_ALIVE_S = 300  # longer than the SDK keeps an idle connection, so that we never close one under it
_SHUTDOWN_S = 2


def main() -> int:
    args = _parse()
    leave_no_core()
    try:
        options = ServerOptions(_key(args.key_file), args.template, args.ready_file, args.faults)
        lock = claim(args.root)
        sweep(args.root)
        limits = Limits(memory_bytes=args.memory_mb * MIB, disk_bytes=args.disk_mb * MIB, processes=args.processes)
        boxes = Boxes(args.root, find_jail(limits, args.root / "trial"), args.max_boxes, Ledger())
    except (JailUnavailable, RootInUse, OSError) as error:
        print(f"box server: {error}", file=sys.stderr)
        return EXIT_REFUSED
    try:
        _serve(boxes, options, args.port)
    finally:
        args.ready_file.unlink(missing_ok=True)
        os.close(lock)
    return 0


def _serve(boxes: Boxes, options: ServerOptions, port: int) -> None:
    # Named TCP outright: only then does asyncio switch Nagle off, which costs 40 ms per answer on loopback.
    with socket.socket(proto=socket.IPPROTO_TCP) as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(("127.0.0.1", port))
        listener.listen(128)  # from here on a client waits instead of being turned away
        config = uvicorn.Config(
            build_app(boxes, options),
            log_level="warning",
            access_log=False,
            timeout_keep_alive=_KEEP_ALIVE_S,
            timeout_graceful_shutdown=_SHUTDOWN_S,
        )
        server = _Server(config, boxes)
        for name in (signal.SIGTERM, signal.SIGINT):
            # Ours before uvicorn sets its own, as we say that we are ready before that; and after, because uvicorn
            # raises the signal again when it has shut down, and by default that would end us uncleaned.
            signal.signal(name, lambda *_: server.leave())
        _say_ready(options.ready_file, listener.getsockname()[1])
        server.run(sockets=[listener])


class _Server(uvicorn.Server):
    """Ends the boxes before it waits for open answers, most of which wait for a command in a box."""

    def __init__(self, config: uvicorn.Config, boxes: Boxes) -> None:
        super().__init__(config)
        self._boxes = boxes

    def leave(self) -> None:
        self.should_exit = True

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        await self._boxes.kill_all()
        await super().shutdown(sockets)


def _say_ready(path: Path, port: int) -> None:
    """Written whole or not at all, so that a reader never sees half of it."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    ready = {"url": f"http://127.0.0.1:{port}", "pid": os.getpid()}
    temporary.write_text(json.dumps(ready), encoding="utf-8")
    temporary.replace(path)


def _key(key_file: Path | None) -> str:
    """The key from its file or the environment; never from argv, which every user of the host can read."""
    key = key_file.read_text(encoding="utf-8").strip() if key_file else os.environ.pop(KEY_VARIABLE, "")
    if len(key) < 16:
        raise OSError(f"give a key of 16 characters or more in --key-file or {KEY_VARIABLE}")
    return key


def _parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m sandbox.server", description=__doc__)
    parser.add_argument("--port", type=int, default=0, help="port on 127.0.0.1; 0 takes a free one")
    parser.add_argument("--root", type=Path, required=True, help="folder for boxes; this server's alone")
    parser.add_argument("--key-file", type=Path, help=f"file with the API key; else {KEY_VARIABLE}")
    parser.add_argument("--ready-file", type=Path, required=True, help="written when the server listens")
    parser.add_argument("--template", default="base", help="name of the one template offered")
    parser.add_argument("--max-boxes", type=int, default=20, help="boxes at the same time")
    parser.add_argument("--memory-mb", type=int, default=1024, help="memory of a box")
    parser.add_argument("--disk-mb", type=int, default=10240, help="disk of a box")
    parser.add_argument("--processes", type=int, default=256, help="processes of a box")
    parser.add_argument("--faults", action="store_true", help="for tests: a route that injects failures")
    args = parser.parse_args()
    args.root = args.root.absolute()
    return args


if __name__ == "__main__":
    sys.exit(main())
