"""Takes a file's bytes from the workspace: only from its own hosts, never after a redirect, never a login page."""

import re
from collections.abc import Callable, Iterator
from time import monotonic
from typing import BinaryIO

import httpx

from bot.domain.errors import ChatBusy, FileRefused
from bot.domain.here import is_loopback
from bot.domain.ports import WorkspaceFile

CHUNK_BYTES = 256 * 1024
LONGEST_S = 600.0
_PAGE_STARTS = (b"<!doctype html", b"<html")
_LOGIN_ADDRESS = re.compile(r"[?&]redir=|/signin|/login|/sign_in", re.IGNORECASE)


class FileHost:
    """Where the workspace keeps files. The bot token goes to these hosts and nowhere else."""

    def __init__(self, token: Callable[[], str], hosts: tuple[str, ...], api_url: str) -> None:
        self._token = token
        self._hosts = frozenset(hosts)
        self._local = _origin(httpx.URL(api_url)) if is_loopback(api_url) else None
        self._client = httpx.Client(trust_env=self._local is None, follow_redirects=False, timeout=30)

    def download(self, file: WorkspaceFile, into: BinaryIO, limit_bytes: int) -> None:
        """Write the file's bytes to `into`, which holds part of them after an error.

        Raises FileRefused where trying again changes nothing, ChatBusy where it may.
        """
        url = self.allowed(file.url, file.name)
        if file.size_bytes > limit_bytes:
            raise FileRefused(
                f"{file.name} has {file.size_bytes:,} bytes, more than the {limit_bytes:,} that are taken. "
                "It was left out; share a smaller file."
            )
        try:
            with self._client.stream("GET", url, headers=self._headers()) as response:
                _require_file(file, response)
                _copy(file, response.iter_raw(CHUNK_BYTES), into, limit_bytes, may_be_login=_is_page(response))
        except httpx.HTTPError as error:
            raise ChatBusy(f"{file.name} could not be fetched just now ({type(error).__name__}).") from error

    def upload(self, url: str, name: str, data: bytes) -> None:
        """Hand the bytes to an upload address that the workspace gave. Raises FileRefused or ChatBusy."""
        try:
            response = self._client.post(
                self.allowed(url, name), content=data, headers={"Content-Type": "application/octet-stream"}
            )
        except httpx.HTTPError as error:
            raise ChatBusy(f"{name} could not be uploaded just now ({type(error).__name__}).") from error
        if response.status_code != httpx.codes.OK:
            raise ChatBusy(f"{name} could not be uploaded just now (HTTP {response.status_code}).")

    def close(self) -> None:
        self._client.close()

    def allowed(self, address: str, name: str) -> httpx.URL:
        """The address, if it is one of the workspace's. Raises FileRefused."""
        if not address:
            raise FileRefused(f"{name} has no bytes in this workspace: it is a link to another service, or is gone.")
        try:
            url = httpx.URL(address)
        except httpx.InvalidURL as error:
            raise FileRefused(f"{name} has no usable address. It was left out.") from error
        is_ours = url.scheme == "https" and url.host in self._hosts and url.port in (None, 443)
        if not (is_ours or (self._local is not None and _origin(url) == self._local)) or url.userinfo:
            raise FileRefused(
                f"{name} lies on {url.host or 'no host'}, which is none of the workspace's file hosts, so the token "
                "was not sent there. Upload the file itself, or add the host to STANDBY_SLACK_FILE_HOSTS."
            )
        return url

    def _headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self._token()}", "Accept-Encoding": "identity"}


def _origin(url: httpx.URL) -> tuple[str, str, int | None]:
    return url.scheme, url.host, url.port


def _require_file(file: WorkspaceFile, response: httpx.Response) -> None:
    status = response.status_code
    if status == 429 or status >= 500:
        raise ChatBusy(f"{file.name} could not be fetched just now (HTTP {status}).")
    if 300 <= status < 400:
        if _LOGIN_ADDRESS.search(response.headers.get("location", "")):
            raise _login_page(file)
        raise FileRefused(f"{file.name} was answered with a redirect, which is never followed. It was left out.")
    if status != 200:
        raise FileRefused(f"{file.name} cannot be fetched (HTTP {status}): it is gone, or not shared with Standby.")


def _is_page(response: httpx.Response) -> bool:
    given: str = response.headers.get("content-type", "")
    return given.split(";", maxsplit=1)[0].strip().lower() == "text/html"


def _copy(
    file: WorkspaceFile, chunks: Iterator[bytes], into: BinaryIO, limit_bytes: int, *, may_be_login: bool
) -> None:
    """The record's size is the truth: less is a broken transfer, more is another file.

    A page of exactly that size is what somebody uploaded; any other page stands in the file's place.
    """
    taken = 0
    give_up_at = monotonic() + LONGEST_S
    most = min(limit_bytes, file.size_bytes or limit_bytes)
    for chunk in chunks:
        may_be_login = may_be_login or (taken == 0 and chunk[:64].lstrip().lower().startswith(_PAGE_STARTS))
        taken += len(chunk)
        if taken > most:
            if may_be_login:
                raise _login_page(file)
            raise FileRefused(f"{file.name} is larger than the {most:,} bytes it should have. It was left out.")
        if monotonic() > give_up_at:
            raise ChatBusy(f"{file.name} took longer than {LONGEST_S:.0f} s.")
        into.write(chunk)
    if may_be_login and (taken < file.size_bytes or not (file.size_bytes or file.mimetype == "text/html")):
        raise _login_page(file)
    if taken < file.size_bytes:
        raise ChatBusy(f"{file.name} ended after {taken:,} of {file.size_bytes:,} bytes.")


def _login_page(file: WorkspaceFile) -> FileRefused:
    return FileRefused(
        f"For {file.name} Slack answered with a login page instead of the file. The app lacks the scope files:read, or "
        "was not reinstalled after it got it; `standby doctor` says which."
    )
