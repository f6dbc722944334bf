"""Installing by Slack's page, as a browser does it, and the settings of a Standby that is in many workspaces."""

from __future__ import annotations

import socket
from http.cookies import SimpleCookie
from urllib.parse import parse_qs, urlsplit

import httpx
from pydantic import SecretStr

from bot.settings import Settings
from bot.store.vault import new_key
from tests.desk_client import Desk
from tests.desk_server import RunningDesk

LAB, PARTNER = "T0LAB000001", "T0PARTNER01"
ALICE, BOB = "U0ALICE0001", "U0BOB000001"  # the same in both


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])


def for_many(settings: Settings, desk: RunningDesk) -> Settings:
    """These settings without their one workspace; Standby is installed from the desk's page."""
    port = free_port()
    none = SecretStr("")
    return settings.model_copy(
        update={
            "slack_bot_token": none, "slack_app_token": none, "approvers": (), "destinations": {},
            "slack_signing_secret": SecretStr(desk.signing_secret), "slack_client_id": desk.client_id,
            "slack_client_secret": SecretStr(desk.client_secret), "token_keys": SecretStr(new_key()),
            "http_port": port, "public_url": f"http://127.0.0.1:{port}",
        }
    )  # fmt: skip


class Browser:
    """Somebody's browser. Cookies are kept by hand: they are marked secure, and this is plain HTTP."""

    def __init__(self) -> None:
        self.cookies: dict[str, str] = {}

    def get(self, url: str) -> httpx.Response:
        cookie = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        answer = httpx.get(url, headers={"Cookie": cookie} if cookie else {}, timeout=30)
        for line in answer.headers.get_list("set-cookie"):
            self.cookies |= {name: one.value for name, one in SimpleCookie(line).items()}
        return answer

    def agree(self, page: str, team: str, person: str = BOB, answer: str = "allow") -> str:
        """Answer Slack's page; the address that it sends on to."""
        assert httpx.get(page).status_code == 200
        sent = httpx.post(page, data={"team": team, "person": person, "answer": answer})
        assert sent.status_code == 302, sent.text
        return str(sent.headers["location"])


def install(settings: Settings, team: str, person: str = BOB) -> httpx.Response:
    """From the link to the last page."""
    browser = Browser()
    page = browser.get(f"{settings.public_url}/slack/install").headers["location"]
    return browser.get(browser.agree(page, team, person))


def asked_for(page: str) -> dict[str, str]:
    """What Slack's page was asked."""
    return {name: values[0] for name, values in parse_qs(urlsplit(page).query).items()}


def set_up(desk: Desk, beside: Desk, settings: Settings, *, token_life_s: int = 0) -> None:
    """What an app's owner registers with Slack. Afterwards both workspaces post to the bot, which has to run."""
    back = f"{settings.public_url}/slack/oauth_redirect"
    desk.send("/settings", json={"redirect_uris": [back], "token_life_s": token_life_s})
    for one in (desk, beside):
        one.settings(request_url=f"{settings.public_url}/slack/events", redelivery_waits_s=[0.2, 0.5, 1, 2, 4])
