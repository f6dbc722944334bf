"""Web servers behind the proxy of an operator's network: asked through it, while inner hosts are asked directly."""

import os
from collections.abc import Iterator, MutableMapping
from pathlib import Path

import pytest

from bot.settings import Settings
from bot.sources.errors import SourceRefused, SourceUnreachable
from tests.sources.certificate import server_side
from tests.sources.conftest import settings_with, taken
from tests.sources.proxy_peer import ProxyPeer, proxy_peer
from tests.sources.web_peer import Page, WebPeer, web_peer

HOST = "files.example.invalid"  # a name that only the proxy knows
ADDRESS = f"https://{HOST}/out/a.csv"
SETTINGS: Settings = settings_with({"reports": {"root": f"https://{HOST}/out/", "token": "right-token"}})


@pytest.fixture
def environment() -> Iterator[MutableMapping[str, str]]:
    """Of this process; afterwards it is what it was. No proxy is in it."""
    before = dict(os.environ)
    for name in ("HTTPS_PROXY", "ALL_PROXY", "NO_PROXY"):
        os.environ.pop(name, None)
        os.environ.pop(name.lower(), None)
    yield os.environ
    os.environ.clear()
    os.environ.update(before)


@pytest.fixture
def web(tmp_path: Path, environment: MutableMapping[str, str]) -> Iterator[WebPeer]:
    context, trusted = server_side(tmp_path, HOST)
    environment["SSL_CERT_FILE"] = str(trusted)
    with web_peer(context) as peer:
        peer.pages["/out/a.csv"] = Page(b"a,b\n" * 300_000, login="Bearer right-token")
        yield peer


@pytest.fixture
def proxy(web: WebPeer, environment: MutableMapping[str, str]) -> Iterator[ProxyPeer]:
    with proxy_peer(web.port) as peer:
        environment["HTTPS_PROXY"] = peer.url
        yield peer


def test_a_file_comes_through_the_proxy_which_sees_the_name_and_no_login_of_the_source(proxy: ProxyPeer) -> None:
    assert taken(SETTINGS, ADDRESS) == {"a.csv": b"a,b\n" * 300_000}

    assert all(one.startswith(f"CONNECT {HOST}:443 ") for one in proxy.asked)
    assert "Proxy-Authorization: Basic" in proxy.asked[0]
    assert "right-token" not in "".join(proxy.asked)


def test_a_proxy_that_refuses_is_told_without_its_login(proxy: ProxyPeer) -> None:
    proxy.refuses = True

    with pytest.raises(SourceUnreachable, match="403") as refused:
        taken(SETTINGS, ADDRESS, pauses_s=())
    assert "pw-secret" not in str(refused.value)


def test_a_name_that_leads_into_an_inner_network_is_refused_before_the_proxy_is_asked(proxy: ProxyPeer) -> None:
    settings = settings_with({"here": {"root": "https://localhost/out/"}})

    with pytest.raises(SourceRefused, match="inner network"):
        taken(settings, "https://localhost/out/a.csv")
    assert proxy.asked == []


def test_an_inner_host_that_is_meant_is_asked_directly(proxy: ProxyPeer, web: WebPeer) -> None:
    settings = settings_with({"here": {"root": web.url("/out/"), "private": True, "token": "right-token"}})

    assert len(taken(settings, web.url("/out/a.csv"))["a.csv"]) == 1_200_000
    assert proxy.asked == []


def test_what_no_proxy_names_is_asked_directly(proxy: ProxyPeer, environment: MutableMapping[str, str]) -> None:
    environment["NO_PROXY"] = HOST

    with pytest.raises(SourceUnreachable, match="not known to the network"):
        taken(SETTINGS, ADDRESS, pauses_s=())
    assert proxy.asked == []
