"""`standby doctor` tries each named source and says which is ill, and why."""

from collections.abc import Callable
from pathlib import Path

from sqlalchemy.engine import make_url

from bot.processes.checks_sources import sources
from tests.sources.conftest import settings_with
from tests.sources.sftp_peer import sftp_peer
from tests.sources.web_peer import Page, WebPeer


def test_no_sources_are_no_problem() -> None:
    assert sources(settings_with({})).ok


def test_each_source_is_tried(web: WebPeer, tmp_path: Path, fresh_database: Callable[[], str]) -> None:
    (tmp_path / "lab").mkdir()
    (tmp_path / "lab" / "a.log").write_bytes(b"x")
    web.pages["/"] = Page(b"index")
    database = make_url(fresh_database())
    address = database._replace(drivername="postgresql", username=None, password=None)
    with sftp_peer(tmp_path / "lab") as far:
        login = {"user": "lab", "password": "right-password", "host_key": far.host_key, "private": True}
        named = {
            "share": {"root": str(tmp_path / "lab")},
            "reports": {"root": web.url("/"), "private": True},
            "far": {"root": far.root, **login},
            "books": {"root": address.render_as_string(hide_password=False), "user": database.username},
        }
        found = sources(settings_with(named))
        assert found.ok, found.todo
        for words in (
            "share has 1 entry",
            "reports answers",
            "far has 1 entry",
            "books answers, though to a superuser",
        ):
            assert words in found.says
        assert "only read" in found.todo

        named["far"]["password"] = "wrong-password"
        named["share"]["root"] = str(tmp_path / "gone")
        named["books"]["user"] = "nobody-knows-me"
        found = sources(settings_with(named))
    assert not found.ok
    assert "3 of 4 cannot be read" in found.says
    for words in ("far: sftp://", "share: The folder", "books: postgresql://"):
        assert words in found.todo
    assert "wrong-password" not in found.todo + found.says
