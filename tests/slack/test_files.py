"""The bot token goes to the workspace's file hosts and nowhere else, and only a file's own bytes are taken."""

import io
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest

from bot.domain.errors import ChatBusy, FileRefused
from bot.domain.ports import WorkspaceFile
from bot.slack.files import FileHost


class Host:
    """A small web server that answers every GET the same way and keeps what it was sent."""

    def __init__(self) -> None:
        self.status, self.headers, self.body = 200, {"Content-Type": "text/plain"}, b"one\n"
        self.tokens: list[str] = []
        host = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                host.tokens.append(self.headers.get("Authorization", ""))
                self.send_response(host.status)
                for name, value in {"Content-Length": str(len(host.body)), **host.headers}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(host.body)

            def log_message(self, *_: object) -> None:
                """Tests read what was asked from `tokens`."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"


@contextmanager
def serving() -> Iterator[Host]:
    host = Host()
    thread = Thread(target=host.server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    yield host
    host.server.shutdown()
    thread.join()
    host.server.server_close()


@pytest.fixture
def host() -> Iterator[Host]:
    with serving() as one:
        yield one


@pytest.fixture
def other() -> Iterator[Host]:
    """A host that is none of the workspace's."""
    with serving() as one:
        yield one


def files_of(host: Host) -> FileHost:
    return FileHost(lambda: "xoxb-secret", ("files.slack.com",), f"{host.url}/api/")


def file(url: str, size: int = 4, mimetype: str = "text/plain", name: str = "a.log") -> WorkspaceFile:
    return WorkspaceFile("F1", name, size, mimetype, url)


def taken(host: Host, one: WorkspaceFile, limit: int = 100) -> bytes:
    into = io.BytesIO()
    files = files_of(host)
    try:
        files.download(one, into, limit)
    finally:
        files.close()
    return into.getvalue()


def test_a_file_of_the_workspace_is_taken_with_the_token(host: Host) -> None:
    assert taken(host, file(f"{host.url}/a.log")) == b"one\n"
    assert host.tokens == ["Bearer xoxb-secret"]


@pytest.mark.parametrize(
    "address",
    [
        "https://evil.example/a.log",
        "https://files.slack.com.evil.example/a.log",
        "https://files.slack.com@evil.example/a.log",
        "http://files.slack.com/a.log",
        "https://files.slack.com:8443/a.log",
        "https://user:pw@files.slack.com/a.log",
        "ftp://files.slack.com/a.log",
        "//files.slack.com/a.log",
        "https://evil.example\\@files.slack.com/a.log",
        "",
    ],
)
def test_another_host_gets_no_request_and_no_token(host: Host, address: str) -> None:
    with pytest.raises(FileRefused):
        taken(host, file(address))
    assert host.tokens == []


def test_another_port_of_this_computer_gets_no_token(host: Host, other: Host) -> None:
    with pytest.raises(FileRefused, match="none of the workspace's file hosts"):
        taken(host, file(f"{other.url}/a.log"))
    assert other.tokens == []


def test_a_loopback_file_is_refused_when_slack_is_not_local(host: Host) -> None:
    real = FileHost(lambda: "xoxb-secret", ("files.slack.com",), "https://slack.com/api/")
    with pytest.raises(FileRefused):
        real.download(file(f"{host.url}/a.log"), io.BytesIO(), 100)
    assert host.tokens == []


def test_a_redirect_is_never_followed(host: Host, other: Host) -> None:
    host.status, host.headers = 302, {"Location": f"{other.url}/a.log"}
    with pytest.raises(FileRefused, match="redirect"):
        taken(host, file(f"{host.url}/a.log"))
    assert other.tokens == []


LOGIN = b"<!DOCTYPE html><html>sign in to your workspace"


@pytest.mark.parametrize("content_type", ["text/html; charset=utf-8", "text/plain"])
@pytest.mark.parametrize("size", [4, 90, 0])
def test_a_page_of_another_size_than_the_file_is_a_login_page(host: Host, content_type: str, size: int) -> None:
    host.headers, host.body = {"Content-Type": content_type}, LOGIN
    with pytest.raises(FileRefused, match="files:read"):
        taken(host, file(f"{host.url}/a.log", size=size))


@pytest.mark.parametrize("size", [4, 90])
def test_a_login_page_in_the_place_of_a_page_is_one_too(host: Host, size: int) -> None:
    host.headers, host.body = {"Content-Type": "text/html"}, LOGIN
    with pytest.raises(FileRefused, match="files:read"):
        taken(host, file(f"{host.url}/a.html", size=size, mimetype="text/html"))


def test_a_way_to_sign_in_is_told_as_the_missing_scope(host: Host) -> None:
    host.status, host.headers = 302, {"Location": "https://lab.slack.example/?redir=%2Ffiles-pri%2FT1-F1%2Fa.log"}
    with pytest.raises(FileRefused, match="files:read"):
        taken(host, file(f"{host.url}/a.log"))


@pytest.mark.parametrize("content_type", ["text/html", "text/csv"])
def test_a_page_that_somebody_uploaded_as_a_table_is_taken_as_it_is(host: Host, content_type: str) -> None:
    host.headers, host.body = {"Content-Type": content_type}, b"\n <HTML><body>sales"
    assert taken(host, file(f"{host.url}/a.csv", size=len(host.body), mimetype="text/csv")) == host.body


def test_an_html_file_is_a_file(host: Host) -> None:
    host.headers, host.body = {"Content-Type": "text/html"}, b"<html></html>"
    assert taken(host, file(f"{host.url}/a.html", size=13, mimetype="text/html")) == b"<html></html>"


def test_more_bytes_than_the_record_says_are_refused(host: Host) -> None:
    host.body = b"x" * 50
    with pytest.raises(FileRefused, match="larger than"):
        taken(host, file(f"{host.url}/a.log", size=4))


def test_a_file_over_the_limit_is_not_even_asked_for(host: Host) -> None:
    with pytest.raises(FileRefused, match="more than"):
        taken(host, file(f"{host.url}/a.log", size=101), limit=100)
    assert host.tokens == []


def test_fewer_bytes_than_the_record_says_are_worth_another_try(host: Host) -> None:
    with pytest.raises(ChatBusy, match="ended after"):
        taken(host, file(f"{host.url}/a.log", size=5))


def test_compressed_bytes_are_taken_as_they_are(host: Host) -> None:
    host.headers, host.body = {"Content-Type": "application/gzip", "Content-Encoding": "gzip"}, b"\x1f\x8b\x08\x00"
    assert taken(host, file(f"{host.url}/a.gz", mimetype="application/gzip")) == b"\x1f\x8b\x08\x00"


@pytest.mark.parametrize(
    ("status", "error"), [(404, FileRefused), (403, FileRefused), (429, ChatBusy), (503, ChatBusy)]
)
def test_statuses_are_final_or_not(host: Host, status: int, error: type[Exception]) -> None:
    host.status = status
    with pytest.raises(error):
        taken(host, file(f"{host.url}/a.log"))
