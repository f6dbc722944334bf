"""What is behind the app, as read-only JSON for the desk's page: what is in use, which boxes ran, what was spent.

`standby up` serves it on this computer, and gives the desk nothing but its address: the desk knows only the wire.

    /about   {"facts": [{"what", "is", "leaves"}]}: `leaves` says what leaves this computer by it, "" for nothing
    /boxes   {"note", "boxes": [{"id", "what", "where", "began_at", "ended_at", "commands": [{"what", "began_at",
             "seconds", "exit"}]}]}, newest first; `exit` is null while it runs, -1 where it was killed
    /spent   {"says": [sentence], "sums": [{"what", "count", "requests", "tokens", "paid"}], "lines": [{"at", "routine",
             "what", "how", "read_bytes", "seconds", "requests", "tokens", "paid"}]}, newest first
    anything that cannot be said now is {"problem": sentence} with status 503
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

import httpx
from sqlalchemy.exc import SQLAlchemyError

from bot.processes.behind_says import about, boxes, spent
from bot.settings import Settings

HOST = "127.0.0.1"
Said = Mapping[str, object]
Now = Callable[[], Settings]
"""The settings as far as they are known."""


class Behind:
    """Serves until the process ends, from a thread. `settings` is asked at each request."""

    def __init__(self, settings: Now, environ: Mapping[str, str]) -> None:
        answers: dict[str, Callable[[], Said]] = {
            "/about": lambda: about(settings(), environ),
            "/boxes": lambda: boxes(settings()),
            "/spent": lambda: spent(settings()),
        }
        self._server = ThreadingHTTPServer((HOST, 0), _handler(answers))
        threading.Thread(target=self._server.serve_forever, name="behind", daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://{HOST}:{self._server.server_address[1]}"

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


def _handler(answers: Mapping[str, Callable[[], Said]]) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            answer = answers.get(self.path.partition("?")[0])
            # A web page can reach this computer under a name of its own; it is told nothing.
            if urlsplit(f"//{self.headers.get('Host', '')}").hostname != HOST:
                self._say(403, {"problem": f"This answers as {HOST} alone."})
            elif answer is None:
                self._say(404, {"problem": f"There is {', '.join(answers)}."})
            else:
                self._say(*_tried(answer))

        def _say(self, status: int, said: Said) -> None:
            body = json.dumps(said).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            """Somebody looks at a page; that is no news."""

    return Handler


def _tried(answer: Callable[[], Said]) -> tuple[int, Said]:
    try:
        return 200, answer()
    except SQLAlchemyError as error:
        return 503, {"problem": f"The database cannot be asked now ({type(error).__name__})."}
    except (httpx.HTTPError, ValueError) as error:
        return 503, {"problem": f"The box server cannot be asked now ({type(error).__name__})."}
