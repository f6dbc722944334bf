"""One file of a web server: asked for by us alone, from an address we judged, with the token for its own host only."""

from __future__ import annotations

import base64
import re
import ssl
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import datetime
from email.utils import parsedate_to_datetime
from typing import Any
from urllib.parse import urljoin

import httpcore

from bot.source_settings import SourceSettings
from bot.sources.errors import SourceChanged, SourceError, SourceRefused, SourceUnreachable
from bot.sources.hosts import checked_addresses
from bot.sources.place import Entry, Reading
from bot.sources.proxy import pool_through, proxy_for

MOST_REDIRECTS = 5
CONNECT_S = 15.0
CONNECTIONS = 32  # a file needs two: one that brings it, and one that asks whether it is still the same
REDIRECTS = (301, 302, 303, 307, 308)
GONE = (404, 410)
_PAGE = re.compile(r"(?:/|\.x?html?)$", re.IGNORECASE)
_FAILURES = (httpcore.NetworkError, httpcore.TimeoutException, httpcore.ProtocolError, httpcore.ProxyError)
_ALWAYS = (("Accept-Encoding", "identity"), ("User-Agent", "standby"))
LATER = (408, 425, 429, 500, 502, 503, 504)


class _Checked(httpcore.NetworkBackend):
    """Connects to the very address that was looked up and judged, so that a name cannot change in between."""

    def __init__(self, is_private: Callable[[str, int], bool]) -> None:
        self._sockets, self._is_private = httpcore.SyncBackend(), is_private

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.NetworkStream:
        *others, last = checked_addresses(host, port, is_private=self._is_private(host, port))
        for address in others:
            with suppress(httpcore.ConnectError, httpcore.ConnectTimeout):
                return self._sockets.connect_tcp(address, port, timeout, local_address, socket_options)
        return self._sockets.connect_tcp(last, port, timeout, local_address, socket_options)


class Web:
    """A web server as a place. `allowed` finds the source of the settings that covers an address, if one does."""

    def __init__(
        self, source: SourceSettings, allowed: Callable[[str], SourceSettings | None], silence_s: float
    ) -> None:
        self._source, self._allowed = source, allowed
        self._timeouts = {"connect": CONNECT_S, "read": silence_s, "write": silence_s, "pool": CONNECT_S}
        self._private: set[tuple[str, int]] = set()
        backend = _Checked(lambda host, port: (host, port) in self._private)
        self._context = ssl.create_default_context()
        self._direct = httpcore.ConnectionPool(
            ssl_context=self._context, max_connections=CONNECTIONS, network_backend=backend
        )
        self._through: dict[str, httpcore.ConnectionPool] = {}  # by proxy

    def close(self) -> None:
        for pool in (self._direct, *self._through.values()):
            pool.close()

    def entry(self, path: str) -> Entry | None:
        with self._asked("HEAD", path, {}) as answer:
            if answer.status not in (400, 403, 405, 501):
                return self._described(path, answer)
        with self._asked("GET", path, {}) as answer:  # not every server knows HEAD
            return self._described(path, answer)

    def entries(self, path: str) -> Iterator[Entry]:
        raise SourceError(f"{path} is on a web server, which cannot be asked for all files there. Name each.")

    @contextmanager
    def read(self, entry: Entry, start: int) -> Iterator[Reading]:
        headers = {"Range": f"bytes={start}-", "If-Range": entry.mark} if start and entry.mark.startswith('"') else {}
        with self._asked("GET", entry.path, headers) as answer:
            seen = self._described(entry.path, answer)
            if seen is None or seen.mark != entry.mark:
                raise _changed(entry.path)
            begins = re.match(r"bytes (\d+)-", _header(answer, "content-range")) if answer.status == 206 else None
            if answer.status == 206 and (begins is None or int(begins[1]) > start):
                raise SourceUnreachable(f"{entry.path} could not be read on from where it was cut.")
            yield Reading(int(begins[1]) if begins else 0, self._pieces(entry.path, answer))
        after = self.entry(entry.path)
        if after is None or after.mark != entry.mark:
            raise _changed(entry.path)

    def _pieces(self, address: str, answer: httpcore.Response) -> Iterator[bytes]:
        try:
            yield from answer.iter_stream()
        except _FAILURES as error:
            raise _unreachable(address, error) from None

    @contextmanager
    def _asked(
        self, method: str, address: str, headers: Mapping[str, str], left: int = MOST_REDIRECTS
    ) -> Iterator[httpcore.Response]:
        """The final answer, after redirects that settings allow."""
        source = self._allowed(address)
        if source is None:
            raise SourceRefused(f"{address} is nothing that settings allow.")
        if source.private:
            self._private.add(_host_and_port(address))
        sent = [*_ALWAYS, *headers.items(), *self._login(address).items()]
        extensions = {"timeout": self._timeouts}
        try:
            with self._pool(address, source).stream(method, address, headers=sent, extensions=extensions) as answer:
                if answer.status not in REDIRECTS:
                    yield answer
                    return
                target = self._target(address, answer, left)
        except _FAILURES as error:
            raise _unreachable(address, error) from None
        with self._asked(method, target, headers, left - 1) as answer:
            yield answer

    def _pool(self, address: str, source: SourceSettings) -> httpcore.ConnectionPool:
        """Inner hosts are asked directly, others by the proxy that the environment names, if it names one."""
        proxy = "" if source.private else proxy_for(address)
        if proxy and proxy not in self._through:
            self._through[proxy] = pool_through(proxy, self._context, CONNECTIONS)
        return self._through[proxy] if proxy else self._direct

    def _login(self, address: str) -> dict[str, str]:
        """Only for the host that the login belongs to: a redirect takes none along."""
        if not self._source.covers(address):
            return {}
        if token := self._source.token.get_secret_value():
            return {"Authorization": f"Bearer {token}"}
        if self._source.user:
            login = f"{self._source.user}:{self._source.password.get_secret_value()}".encode()
            return {"Authorization": f"Basic {base64.b64encode(login).decode()}"}
        return {}

    def _target(self, address: str, answer: httpcore.Response, left: int) -> str:
        target = urljoin(address, _header(answer, "location"))
        if left <= 0:
            raise SourceRefused(f"{address} was redirected {MOST_REDIRECTS} times and came to no end.")
        if self._allowed(target) is None:
            shown = target.partition("?")[0][:200]
            raise SourceRefused(
                f"{address} sends on to {shown}, which settings do not allow, so nothing was asked there and there is "
                "no report. If that is meant, an admin adds that host to STANDBY_SOURCES as a source of its own."
            )
        return target

    def _described(self, path: str, answer: httpcore.Response) -> Entry | None:
        if answer.status in GONE:
            return None
        if answer.status in (401, 403):
            raise SourceRefused(
                f"{path} cannot be read with the login that settings have for it (the server says {answer.status}), "
                "so there is no report. An admin corrects it in STANDBY_SOURCES."
            )
        if answer.status in LATER:
            raise SourceUnreachable(f"{path} cannot be read now: the server says {answer.status}.")
        if answer.status not in (200, 206):
            raise SourceError(f"{path} cannot be read: the server says {answer.status}. Check the address.")
        if _header(answer, "content-type").startswith("text/html") and not _PAGE.search(path.partition("?")[0]):
            raise SourceRefused(
                f"{path} gives a web page and no file, most often a page to log in on, so there is no report. An admin "
                "corrects the login in STANDBY_SOURCES; or name the address of the file itself."
            )
        modified = _header(answer, "last-modified")
        size = _size(answer)
        mark = _header(answer, "etag") or (f"{modified}-{size}" if modified else "")
        return Entry(path, size_bytes=size, mark=mark, modified_at=_moment(modified))


def _host_and_port(address: str) -> tuple[str, int]:
    url = httpcore.URL(address)
    return url.host.decode(), url.port or (443 if url.scheme == b"https" else 80)


def _header(answer: httpcore.Response, name: str) -> str:
    found = [value for key, value in answer.headers if key.lower() == name.encode()]
    return found[0].decode("latin-1") if found else ""


def _size(answer: httpcore.Response) -> int | None:
    """Of the whole file, also where the answer is a part of it."""
    if answer.status == 206:
        whole = _header(answer, "content-range").rpartition("/")[2]
    else:
        whole = _header(answer, "content-length")
    return int(whole) if whole.isdecimal() and not _header(answer, "content-encoding") else None


def _moment(text: str) -> datetime | None:
    try:
        found = parsedate_to_datetime(text)
    except (ValueError, TypeError):
        return None
    return found if found.tzinfo else None


def _changed(path: str) -> SourceChanged:
    return SourceChanged(f"{path} changed while it was read, so what was read of it does not count.")


def _unreachable(address: str, error: Exception) -> SourceUnreachable:
    if isinstance(error, httpcore.TimeoutException):
        return SourceUnreachable(f"{address} did not answer in time.")
    return SourceUnreachable(f"{address} could not be read to its end ({str(error)[:200] or type(error).__name__}).")
