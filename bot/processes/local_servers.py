"""The two servers that `standby up` brings where no account elsewhere was given: boxes, and the desk."""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from pydantic import SecretStr

from bot.desk.seeds import BOB
from bot.processes.environment import plain
from bot.processes.parts import ProcessPart, Program
from bot.settings import Settings

# What a server says about itself in its ready file.
Facts = Mapping[str, Any]


class LocalServer:
    """A server of ours that writes into a file where it listens, and after a crash listens there again."""

    def __init__(
        self, name: str, data_dir: Path, environment: Mapping[str, str], options: Callable[[Facts], Sequence[str]]
    ) -> None:
        self._ready = data_dir / "run" / f"{name}.json"
        self._ready.parent.mkdir(mode=0o700, exist_ok=True)
        self._options = options
        self._facts: Facts = {}
        module = {"boxes": "sandbox.server", "desk": "bot.desk"}[name]
        self.part = ProcessPart(Program(name, module, environment, self._ready, self._arguments), data_dir / "logs")

    def facts(self) -> Facts:
        """Where the ready server is; from now on it keeps its ports."""
        if not self._facts:
            self._facts = json.loads(self._ready.read_text())
        return self._facts

    def _arguments(self) -> Sequence[str]:
        return ["--ready-file", str(self._ready), *self._options(self._facts)]


class LocalBoxes:
    """Boxes on this computer, behind the same wire as hosted ones."""

    def __init__(self, data_dir: Path, environ: Mapping[str, str]) -> None:
        self._key = secrets.token_hex(24)
        environment = plain(environ) | {"STANDBY_BOX_SERVER_KEY": self._key}
        root = str(data_dir / "boxes")
        self._server = LocalServer(
            "boxes", data_dir, environment, lambda facts: ["--root", root, "--port", _port(facts, "url")]
        )
        self.part = self._server.part

    def settle(self, settings: Settings) -> Settings:
        """The settings with these boxes in them."""
        url = self._server.facts()["url"]
        found = {"box_api_key": SecretStr(self._key), "box_api_url": url, "box_sandbox_url": url}
        return settings.model_copy(update=found)


class LocalDesk:
    """The local workspace with its page, its mail sink and its clock."""

    def __init__(self, data_dir: Path, environ: Mapping[str, str], port: int, behind_url: str) -> None:
        """`behind_url` is where its page may ask what is behind the app."""
        self._behind_url = behind_url
        self._tokens = {
            "DESK_BOT_TOKEN": f"xoxb-desk-{secrets.token_hex(16)}",
            "DESK_APP_TOKEN": f"xapp-desk-{secrets.token_hex(16)}",
        }
        self._folder = str(data_dir / "desk")
        self._first_port = port
        self._server = LocalServer("desk", data_dir, plain(environ) | self._tokens, self._options)
        self.part = self._server.part

    @property
    def url(self) -> str:
        """The page."""
        return str(self._server.facts()["url"])

    def settle(self, settings: Settings) -> Settings:
        """The settings with the desk as workspace, mail server and clock; Bob approves unless they name somebody."""
        facts = self._server.facts()
        found = {
            "slack_api_url": facts["api_url"],
            "slack_bot_token": SecretStr(self._tokens["DESK_BOT_TOKEN"]),
            "slack_app_token": SecretStr(self._tokens["DESK_APP_TOKEN"]),
            "clock_url": facts["clock_url"],
            "approvers": settings.approvers or (BOB.id,),
        }
        if not settings.smtp_host:
            found |= {"smtp_host": facts["smtp_host"], "smtp_port": facts["smtp_port"], "smtp_starttls": False}
            found["mail_from"] = settings.mail_from or "standby@example.org"
        return settings.model_copy(update=found)

    def _options(self, facts: Facts) -> Sequence[str]:
        port = _port(facts, "url") if facts else str(self._first_port)
        told = ["--data", self._folder, "--port", port, "--smtp-port", str(facts.get("smtp_port", 0))]
        return [*told, "--behind", self._behind_url]


def _port(facts: Facts, name: str) -> str:
    """The port it had before; 0 the first time, which takes a free one."""
    return str(urlsplit(facts[name]).port) if facts else "0"
