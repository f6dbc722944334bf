"""Files of Google's buckets, from a server on this machine. It asks for no login: that of Google is not tried here."""

from collections.abc import Iterator
from io import BytesIO
from typing import Any

import pytest

from bot.settings import Settings
from bot.sources.errors import SourceChanged, SourceError, SourceRefused, SourceUnreachable
from bot.sources.reach import Reach
from tests.sources.conftest import settings_with, taken
from tests.sources.google_peer import GooglePeer, google_peer
from tests.sources.web_peer import Page, WebPeer


@pytest.fixture(scope="module")
def google() -> Iterator[GooglePeer]:
    with google_peer() as peer:
        yield peer


def _settings(endpoint: str, **source: Any) -> Settings:
    return settings_with({"cloud": {"root": "gs://lab-data/", "endpoint": endpoint, "private": True, **source}})


def test_a_pattern_finds_its_objects(google: GooglePeer) -> None:
    google.put("weeks/W48/a.log", b"one")
    google.put("weeks/W48/b c (1).log", b"x" * 3_000_000)
    google.put("weeks/W48/empty.log", b"")
    google.put("weeks/W48/deeper/c.log", b"no")
    google.put("weeks/W49/d.log", b"no")

    found = taken(_settings(google.url), "gs://lab-data/weeks/W48/*.log")

    assert found == {"a.log": b"one", "b c (1).log": b"x" * 3_000_000, "empty.log": b""}


def test_one_object_by_its_key_and_none_where_there_is_none(google: GooglePeer) -> None:
    google.put("one/a.csv", b"x")

    assert taken(_settings(google.url), "gs://lab-data/one/a.csv", "gs://lab-data/one/none.csv") == {"a.csv": b"x"}


def test_what_was_taken_of_a_cut_object_is_not_taken_again(google: GooglePeer) -> None:
    body = bytes(range(256)) * 4_000
    google.put("cut/a.csv", body)
    into = BytesIO(body[:700_000])
    with Reach(_settings(google.url), ()) as reach:
        (one,) = reach.find(["gs://lab-data/cut/a.csv"])
        moved: list[int] = []
        reach.take(one, into, lambda _name, done, _whole: moved.append(done))

    assert into.getvalue() == body
    assert moved[0] > 700_000


def test_an_object_that_was_replaced_does_not_count(google: GooglePeer) -> None:
    google.put("old/a.csv", b"first")
    with Reach(_settings(google.url), ()) as reach:
        (one,) = reach.find(["gs://lab-data/old/*.csv"])
        google.put("old/a.csv", b"other")

        with pytest.raises(SourceChanged):
            reach.take(one, BytesIO())


def test_an_inner_endpoint_has_to_be_allowed(google: GooglePeer) -> None:
    with pytest.raises(SourceRefused, match="address of an inner network"):
        taken(_settings(google.url, private=False), "gs://lab-data/one/a.csv")


@pytest.mark.parametrize(
    ("status", "kind"), [(403, SourceRefused), (401, SourceRefused), (503, SourceUnreachable), (500, SourceUnreachable)]
)
def test_a_bucket_that_does_not_let_us_in_and_one_in_trouble(
    web: WebPeer, status: int, kind: type[SourceError]
) -> None:
    web.pages["/lab%2Ddata/a%2Ecsv"] = Page(status=status)  # as the client spells it
    settings = _settings(web.url("").rstrip("/")).model_copy(update={"source_silence_s": 0.5})

    with pytest.raises(kind) as refused:
        taken(settings, "gs://lab-data/a.csv", pauses_s=())

    assert refused.value.permanent is (kind is SourceRefused)


def test_a_key_file_that_holds_no_key_is_refused_in_words(google: GooglePeer, tmp_path: Any) -> None:
    (tmp_path / "key.json").write_text("{}")

    with pytest.raises(SourceError, match="key_file"):
        taken(_settings(google.url, key_file=tmp_path / "key.json"), "gs://lab-data/a.csv")
