"""The proxy of the operator's network, as HTTPS_PROXY and NO_PROXY name it."""

from __future__ import annotations

import ssl
from contextlib import suppress
from urllib.parse import unquote, urlsplit
from urllib.request import getproxies_environment, proxy_bypass

import httpcore

from bot.sources.errors import SourceUnreachable
from bot.sources.hosts import checked_addresses


def proxy_for(address: str) -> str:
    """The proxy's own address; "" where this one is asked directly.

    Raises SourceRefused where the name is known here and leads into an inner network. What only the proxy's name
    server knows, the proxy has to judge.
    """
    parts, known = urlsplit(address), getproxies_environment()
    proxy = known.get(parts.scheme) or known.get("all", "")
    if not proxy or proxy_bypass(parts.hostname or "", known):
        return ""
    with suppress(SourceUnreachable):
        checked_addresses(parts.hostname or "", parts.port or 443, is_private=False)
    return proxy if "://" in proxy else f"http://{proxy}"


def pool_through(proxy: str, context: ssl.SSLContext, connections: int) -> httpcore.ConnectionPool:
    """Connections by way of a proxy, which sees the host's name and nothing of what is said to it."""
    parts = urlsplit(proxy)
    login = (unquote(parts.username), unquote(parts.password or "")) if parts.username else None
    plain = f"{parts.scheme}://{parts.hostname}:{parts.port or (443 if parts.scheme == 'https' else 80)}"
    return httpcore.HTTPProxy(plain, proxy_auth=login, ssl_context=context, max_connections=connections)
