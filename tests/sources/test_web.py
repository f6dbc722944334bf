"""Files of web servers: nobody is asked who is not allowed, a login stays at its host, and only whole files count."""

import pytest

from bot.source_settings import SourceSettings
from bot.sources.errors import SourceChanged, SourceError, SourceRefused, SourceUnreachable
from bot.sources.reach import Reach
from tests.sources.conftest import settings_with, taken
from tests.sources.web_peer import Page, WebPeer

BODY = bytes(range(256)) * 8_000


def _settings(web: WebPeer, **source: object):
    return settings_with({"files": {"root": web.url("/"), "private": True, **source}})


@pytest.mark.parametrize(
    "page",
    [
        pytest.param(Page(BODY), id="as usual"),
        pytest.param(Page(BODY, knows_head=False), id="without HEAD"),
        pytest.param(Page(BODY, chunked=True), id="of unknown size"),
        pytest.param(Page(BODY, etag=""), id="without versions"),
        pytest.param(Page(b""), id="empty"),
    ],
)
def test_a_file_comes_whole(web: WebPeer, page: Page) -> None:
    web.pages["/week%2048.csv?form=csv"] = page
    assert taken(_settings(web), web.url("/week%2048.csv?form=csv")) == {"week 48.csv": page.body}


def test_a_cut_file_is_read_on_from_where_it_was_cut(web: WebPeer) -> None:
    web.pages["/a.csv"] = Page(BODY, cut_at=1_500_000, cuts=1)
    assert taken(_settings(web), web.url("/a.csv")) == {"a.csv": BODY}
    ranges = [headers.get("range") for method, _, headers in web.asked if method == "GET"]
    assert ranges[0] is None
    assert ranges[1] is not None
    assert ranges[1] != "bytes=0-"


def test_a_cut_file_without_versions_begins_again(web: WebPeer) -> None:
    web.pages["/a.csv"] = Page(BODY, etag="", cut_at=1_500_000, cuts=1)
    assert taken(_settings(web), web.url("/a.csv")) == {"a.csv": BODY}
    assert not any("range" in headers for _, _, headers in web.asked)


def test_a_file_that_is_always_cut_is_no_file(web: WebPeer) -> None:
    web.pages["/a.csv"] = Page(BODY, cut_at=10, cuts=9)
    with pytest.raises(SourceUnreachable, match="could not be read to its end"):
        taken(_settings(web), web.url("/a.csv"))


def test_silence_is_not_waited_for_without_end(web: WebPeer) -> None:
    web.pages["/a.csv"] = Page(BODY, silence_s=1.0)
    settings = _settings(web).model_copy(update={"source_silence_s": 0.2})
    with pytest.raises(SourceUnreachable, match="did not answer in time"):
        taken(settings, web.url("/a.csv"), pauses_s=())


def test_a_file_that_changes_while_it_is_read_does_not_count(web: WebPeer) -> None:
    web.pages["/a.csv"] = Page(BODY, then=Page(BODY, etag='"2"'))
    with pytest.raises(SourceChanged):
        taken(_settings(web), web.url("/a.csv"))


def test_a_cut_file_that_changed_meanwhile_does_not_count(web: WebPeer) -> None:
    web.pages["/a.csv"] = Page(BODY, etag='"1"', cut_at=1_500_000, cuts=1)
    with Reach(_settings(web), (0.01,)) as reach:
        (one,) = reach.find([web.url("/a.csv")])
        web.pages["/a.csv"].etag = '"2"'
        with pytest.raises(SourceChanged):
            from io import BytesIO  # noqa: PLC0415

            reach.take(one, BytesIO())


def test_a_missing_file_is_nothing_found(web: WebPeer) -> None:
    assert taken(_settings(web), web.url("/a.csv")) == {}


def test_a_wrong_login_is_said_without_the_login(web: WebPeer) -> None:
    web.pages["/a.csv"] = Page(BODY, login="Bearer right-token")
    with pytest.raises(SourceRefused) as refused:
        taken(_settings(web, token="wrong-token"), web.url("/a.csv"))
    assert "STANDBY_SOURCES" in str(refused.value)
    assert "wrong-token" not in str(refused.value)


@pytest.mark.parametrize(
    ("source", "login"),
    [
        ({"token": "right-token"}, "Bearer right-token"),
        ({"user": "lab", "password": "pw"}, "Basic bGFiOnB3"),
    ],
)
def test_a_login_is_sent_to_its_own_host(web: WebPeer, source: dict[str, str], login: str) -> None:
    web.pages["/a.csv"] = Page(b"x", login=login)
    assert taken(_settings(web, **source), web.url("/a.csv")) == {"a.csv": b"x"}


def test_a_redirect_to_a_host_that_nobody_allowed_is_not_followed(web: WebPeer, other_web: WebPeer) -> None:
    other_web.pages["/b.csv"] = Page(b"inner")
    web.pages["/a.csv"] = Page(status=302, location=other_web.url("/b.csv"))
    with pytest.raises(SourceRefused, match="which settings do not allow"):
        taken(_settings(web, token="right-token"), web.url("/a.csv"))
    assert other_web.asked == []


def test_a_redirect_to_another_allowed_host_takes_no_token_along(web: WebPeer, other_web: WebPeer) -> None:
    other_web.pages["/b.csv"] = Page(b"moved")
    web.pages["/a.csv"] = Page(status=302, location=other_web.url("/b.csv"))
    settings = settings_with(
        {
            "files": {"root": web.url("/"), "private": True, "token": "right-token"},
            "store": {"root": other_web.url("/"), "private": True},
        }
    )
    assert taken(settings, web.url("/a.csv")) == {"a.csv": b"moved"}
    assert all("authorization" not in headers for _, _, headers in other_web.asked)
    assert all(headers["authorization"] == "Bearer right-token" for _, _, headers in web.asked)


def test_a_redirect_below_the_same_root_is_followed(web: WebPeer) -> None:
    web.pages |= {"/a.csv": Page(status=301, location="/b.csv"), "/b.csv": Page(b"x", login="Bearer right-token")}
    assert taken(_settings(web, token="right-token"), web.url("/a.csv")) == {"a.csv": b"x"}


def test_redirects_come_to_an_end(web: WebPeer) -> None:
    web.pages["/a.csv"] = Page(status=302, location="/a.csv")
    with pytest.raises(SourceRefused, match="came to no end"):
        taken(_settings(web), web.url("/a.csv"))


def test_a_private_address_is_refused_and_nobody_is_asked(web: WebPeer) -> None:
    """`localhost` as any name whose address is an inner one."""
    root = f"https://localhost:{web.port}/"
    settings = settings_with({"files": {"root": root}})
    with pytest.raises(SourceRefused, match="address of an inner network"):
        taken(settings, f"{root}a.csv")
    assert web.asked == []


def test_a_redirect_to_a_private_address_is_refused(web: WebPeer, other_web: WebPeer) -> None:
    """Even where settings allow the name, they did not say that it may be an inner one."""
    web.pages["/a.csv"] = Page(status=302, location=f"https://localhost:{other_web.port}/b.csv")
    settings = settings_with(
        {
            "files": {"root": web.url("/"), "private": True},
            "outer": {"root": f"https://localhost:{other_web.port}/"},
        }
    )
    with pytest.raises(SourceRefused, match="address of an inner network"):
        taken(settings, web.url("/a.csv"))
    assert other_web.asked == []


def test_no_setting_opens_where_machines_keep_their_keys() -> None:
    settings = settings_with({"files": {"root": "http://169.254.169.254/", "private": True}})
    with pytest.raises(SourceRefused, match="where machines keep their keys"):
        taken(settings, "http://169.254.169.254/latest/meta-data/iam")


def test_more_bytes_than_were_declared_do_not_count(web: WebPeer) -> None:
    web.pages["/a.csv"] = Page(b"x" * 100, declared=50)
    with pytest.raises(SourceUnreachable):
        taken(_settings(web), web.url("/a.csv"))


def test_fewer_bytes_than_were_declared_do_not_count(web: WebPeer) -> None:
    web.pages["/a.csv"] = Page(b"x" * 100, declared=200, cuts=9, cut_at=100)
    with pytest.raises(SourceUnreachable):
        taken(_settings(web), web.url("/a.csv"))


@pytest.mark.parametrize("status", [500, 503, 429])
def test_a_server_in_trouble_is_tried_again_later(web: WebPeer, status: int) -> None:
    web.pages["/a.csv"] = Page(status=status)
    with pytest.raises(SourceUnreachable):
        taken(_settings(web), web.url("/a.csv"))


def test_plain_http_is_for_private_hosts_alone() -> None:
    with pytest.raises(ValueError, match="anybody on the way can read"):
        SourceSettings(root="http://example.org/")


def test_nobody_at_home() -> None:
    gone = "http://127.0.0.1:9/"
    settings = settings_with({"files": {"root": gone, "private": True}})
    with pytest.raises(SourceError) as away:
        taken(settings, f"{gone}a.csv")
    assert not away.value.permanent


def test_a_page_to_log_in_on_is_no_file(web: WebPeer) -> None:
    page = Page(b"<html>Log in</html>", kind="text/html; charset=utf-8")
    web.pages |= {"/a.csv": page, "/table.html": page}
    with pytest.raises(SourceRefused, match="a web page and no file"):
        taken(_settings(web), web.url("/a.csv"))
    assert taken(_settings(web), web.url("/table.html")) == {"table.html": page.body}
