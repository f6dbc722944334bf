"""Runs the desk: `python -m bot.desk --port 0 --smtp-port 0 --ready-file FILE --data DIR`.

Tokens come by environment (DESK_BOT_TOKEN, DESK_APP_TOKEN, DESK_SIGNING_SECRET), never by argument, and are made up if
absent. The ready file is written, readable by its owner only, once everything listens:
`{"url", "api_url", "smtp_host", "smtp_port", "clock_url", "bot_token", "app_token", "signing_secret", "client_id",
"client_secret", "pid"}`.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import logging
import os
import socket
from dataclasses import replace
from pathlib import Path

import uvicorn

from bot.desk.app import InstalledApp, read_manifest
from bot.desk.connections import CuttableHttp
from bot.desk.desk import Desk, Tokens
from bot.desk.seeds import PARTNER
from bot.desk.server import BESIDE, application

HOST = "127.0.0.1"
# Open pages and sockets never end by themselves; after this long they are closed.
SHUTDOWN_S = 1


def main() -> None:
    """Serve until told to stop (SIGINT or SIGTERM)."""
    parser = argparse.ArgumentParser(prog="python -m bot.desk", description="A local, Slack-compatible workspace.")
    parser.add_argument("--port", type=int, default=0, help="port of the web server; 0 takes a free one")
    parser.add_argument("--smtp-port", type=int, default=0, help="port of the mail sink; 0 takes a free one")
    parser.add_argument("--ready-file", type=Path, help="where to say what listens where")
    parser.add_argument("--data", type=Path, required=True, help="folder in which the workspace is kept")
    parser.add_argument(
        "--behind", default="", help="address of what is behind the app, as bot/desk/behind.py reads it"
    )
    parser.add_argument("--beside", type=Path, help="folder of a second workspace, to try an app that is in many")
    parser.add_argument("--manifest", type=Path, help="the app's manifest (JSON): its scopes, events and commands")
    options = parser.parse_args()
    logging.basicConfig(level=logging.WARNING, format="%(asctime)s %(name)s %(levelname)s %(message)s")
    asyncio.run(serve(options))


async def serve(options: argparse.Namespace) -> None:
    listener = socket.create_server((HOST, options.port))
    url = f"http://{HOST}:{listener.getsockname()[1]}"
    app = read_manifest(options.manifest) if options.manifest else InstalledApp()
    desk = Desk(options.data, url, tokens_from_environment(), app, options.behind)
    beside = _beside(options.beside, desk) if options.beside else None
    smtp = await desk.mailbox.listen(HOST, options.smtp_port)
    config = uvicorn.Config(
        application(desk, beside),
        http=CuttableHttp,
        log_level="warning",
        lifespan="off",
        timeout_graceful_shutdown=SHUTDOWN_S,
    )
    desk.background.start(desk.snapshot.follow(desk.changes))
    # Both sockets listen already: whoever connects now waits a moment at most.
    if options.ready_file:
        write_ready_file(options.ready_file, desk, smtp.sockets[0].getsockname()[1])
    print(f"The desk is open at {url}", flush=True)
    await DeskServer(config, desk, smtp).serve(sockets=[listener])


def _beside(folder: Path, desk: Desk) -> Desk:
    """Another workspace, with the same app and the same ids of people and channels."""
    return Desk(
        folder, f"{desk.base_url}{BESIDE}", replace(desk.tokens, bot=Tokens().bot), desk.workspace.app, team=PARTNER,
        oauth=desk.oauth, clock=desk.clock,
    )  # fmt: skip


class DeskServer(uvicorn.Server):
    """Uvicorn, which tells open pages that the desk closes, and keeps the workspace last of all.

    The process ends with `shutdown`: uvicorn then raises the signal that stopped it once more.
    """

    def __init__(self, config: uvicorn.Config, desk: Desk, smtp: asyncio.Server) -> None:
        super().__init__(config)
        self._desk, self._smtp = desk, smtp

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._desk.changes.close()
        await super().shutdown(sockets)
        self._smtp.close()
        await self._desk.background.close()
        self._desk.snapshot.save()


def tokens_from_environment() -> Tokens:
    """The tokens that the environment gives; random ones in place of those that it does not."""
    made_up = Tokens()
    return Tokens(
        bot=os.environ.get("DESK_BOT_TOKEN") or made_up.bot,
        app=os.environ.get("DESK_APP_TOKEN") or made_up.app,
        signing_secret=os.environ.get("DESK_SIGNING_SECRET") or made_up.signing_secret,
        client_secret=os.environ.get("DESK_CLIENT_SECRET") or made_up.client_secret,
    )


def write_ready_file(path: Path, desk: Desk, smtp_port: int) -> None:
    """Write the ready file in one step: it is either absent or complete."""
    ready = {
        "url": desk.base_url,
        "api_url": f"{desk.base_url}/api/",
        "smtp_host": HOST,
        "smtp_port": smtp_port,
        "clock_url": f"{desk.base_url}/clock",
        "bot_token": desk.tokens.bot,
        "app_token": desk.tokens.app,
        "signing_secret": desk.tokens.signing_secret,
        "client_id": desk.tokens.client_id,
        "client_secret": desk.tokens.client_secret,
        "pid": os.getpid(),
    }
    partial = path.with_name(path.name + ".partial")
    partial.unlink(missing_ok=True)
    with os.fdopen(os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        json.dump(ready, file)
    partial.replace(path)


if __name__ == "__main__":
    main()
