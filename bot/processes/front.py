"""HTTP mode's web server: where Slack posts, and beside it how the bot fares, for whoever sends it requests."""

import socket
from collections.abc import Callable
from threading import Event, Thread

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from bot.processes.health import Claim, claims
from bot.settings import Settings, SettingsError
from bot.slack.http import PATH, Dispatch, Door, as_bolt, as_sent
from bot.slack.install_pages import BACK, INSTALL, Pages
from bot.store.session import Database

LOOK_S = 0.1
MOST_AT_ONCE = 256
"""Requests under way; beyond it the answer is 503, and Slack sends events again."""

STOP_WITHIN_S = 10
"""What is under way when it is time to stop is answered first; one transaction each."""


class Front:
    """Serves until told to stop. Any number may serve side by side: what was taken in is known by its row."""

    def __init__(self, settings: Settings, db: Database, dispatch: Dispatch, installs: Pages | None = None) -> None:
        """`installs` are the pages to install Standby by; without them it has one workspace."""
        door = Door(dispatch, settings.slack_signing_secret.get_secret_value())
        healthy = [Route(path, _answering(claim)) for path, claim in claims(db, is_ready=self.unready).items()]
        pages = [Route(INSTALL, _paged(installs.install)), Route(BACK, _paged(installs.back))] if installs else []
        self._app = Starlette(routes=[Route(PATH, door.receive, methods=["GET", "POST"]), *pages, *healthy])
        self._host, self.port = settings.http_host, settings.http_port
        self._unready = "it has not begun to listen"

    def unready(self) -> str:
        """Why no requests should be sent here now; empty while they may."""
        return self._unready

    def run(self, stop: Event, on_ready: Callable[[], None]) -> None:
        """Serve until `stop`; `on_ready` is called once it listens. Raises SettingsError where it cannot."""
        try:
            listener = socket.create_server((self._host, self.port))
        except OSError as error:
            raise SettingsError(
                f"Nothing can listen on {self._host}:{self.port} ({error.strerror}). "
                "Set STANDBY_HTTP_HOST and STANDBY_HTTP_PORT to an address of this computer that is free."
            ) from error
        server = uvicorn.Server(
            uvicorn.Config(
                self._app,
                log_level="warning",
                access_log=False,
                lifespan="off",
                limit_concurrency=MOST_AT_ONCE,
                timeout_graceful_shutdown=STOP_WITHIN_S,
            )
        )
        # In a thread uvicorn leaves the signals to us.
        serving = Thread(target=server.run, kwargs={"sockets": [listener]}, name="front", daemon=True)
        serving.start()
        while serving.is_alive() and not server.started:
            stop.wait(LOOK_S)
        if not server.started:
            raise RuntimeError("The web server ended before it listened; its log lines say why.")
        self.port = listener.getsockname()[1]
        print(f"standby bot listens on http://{self._host}:{self.port}{PATH}", flush=True)
        self._unready = ""
        on_ready()
        while serving.is_alive() and not stop.wait(LOOK_S):
            pass
        self._unready = "it is stopping"
        server.should_exit = True
        serving.join()
        if not stop.is_set():
            raise RuntimeError("The web server ended by itself; its log lines say why.")


def _answering(claim: Claim) -> Callable[[Request], Response]:
    """Not async, so that looking at the database happens on a thread."""

    def answer(_request: Request) -> Response:
        wrong = claim()
        return PlainTextResponse(f"{wrong or 'ok'}\n", 503 if wrong else 200)

    return answer


def _paged(page: Dispatch) -> Callable[[Request], Response]:
    """On a thread, too: a page asks Slack and the database."""

    def answer(request: Request) -> Response:
        return as_sent(page(as_bolt(b"", request)))

    return answer
