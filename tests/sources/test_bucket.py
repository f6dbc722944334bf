"""Files of buckets, from an S3 server on this machine."""

from collections.abc import Iterator
from io import BytesIO
from typing import Any

import boto3
import pytest
from moto.server import ThreadedMotoServer

from bot.settings import Settings
from bot.sources.errors import SourceChanged, SourceError, SourceRefused, SourceTooLarge, SourceUnreachable
from bot.sources.reach import Reach
from tests.sources.conftest import settings_with, taken
from tests.sources.web_peer import Page, WebPeer


@pytest.fixture(scope="module")
def endpoint() -> Iterator[str]:
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    yield f"http://{host}:{port}"
    server.stop()


@pytest.fixture
def bucket(endpoint: str) -> Iterator[Any]:
    s3 = boto3.client(
        "s3", endpoint_url=endpoint, region_name="us-east-1", aws_access_key_id="id", aws_secret_access_key="pw-secret"
    )
    s3.create_bucket(Bucket="lab-archive")
    yield s3
    for one in s3.list_objects_v2(Bucket="lab-archive").get("Contents", []):
        s3.delete_object(Bucket="lab-archive", Key=one["Key"])
    s3.close()


def _settings(endpoint: str, **source: Any) -> Settings:
    root = {"root": "s3://lab-archive/logs/", "endpoint": endpoint, "private": True}
    return settings_with({"archive": {**root, "user": "id", "password": "pw-secret", **source}})


def test_a_pattern_finds_its_objects(endpoint: str, bucket: Any) -> None:
    for key, body in {
        "logs/2026-W48/a.log": b"one",
        "logs/2026-W48/b.log": b"x" * 3_000_000,
        "logs/2026-W48/deeper/c.log": b"no",
        "logs/2026-W49/d.log": b"no",
        "logs/2026-W48/empty.log": b"",
    }.items():
        bucket.put_object(Bucket="lab-archive", Key=key, Body=body)
    found = taken(_settings(endpoint), "s3://lab-archive/logs/2026-W48/*.log")
    assert found == {"a.log": b"one", "b.log": b"x" * 3_000_000, "empty.log": b""}


def test_one_object_by_its_key_and_none_where_there_is_none(endpoint: str, bucket: Any) -> None:
    bucket.put_object(Bucket="lab-archive", Key="logs/a b (1).csv", Body=b"x")
    settings = _settings(endpoint)
    assert taken(settings, "s3://lab-archive/logs/a b (1).csv", "s3://lab-archive/logs/none.csv") == {
        "a b (1).csv": b"x"
    }


@pytest.mark.parametrize("address", ["s3://lab-nothing/logs/a.csv", "s3://lab-nothing/logs/*.csv"])
def test_a_missing_bucket_is_said(endpoint: str, bucket: Any, address: str) -> None:  # noqa: ARG001
    settings = _settings(endpoint, root="s3://lab-nothing/")
    with pytest.raises(SourceError, match="There is no bucket lab-nothing") as missing:
        taken(settings, address)
    assert missing.value.permanent


def test_an_object_that_was_replaced_does_not_count(endpoint: str, bucket: Any) -> None:
    bucket.put_object(Bucket="lab-archive", Key="logs/a.csv", Body=b"first")
    with Reach(_settings(endpoint), ()) as reach:
        (one,) = reach.find(["s3://lab-archive/logs/a.csv"])
        bucket.put_object(Bucket="lab-archive", Key="logs/a.csv", Body=b"other")
        with pytest.raises(SourceChanged):
            reach.take(one, BytesIO())


def test_what_was_taken_of_a_cut_object_is_not_taken_again(endpoint: str, bucket: Any) -> None:
    body = bytes(range(256)) * 4_000
    bucket.put_object(Bucket="lab-archive", Key="logs/a.csv", Body=body)
    into = BytesIO(body[:700_000])
    with Reach(_settings(endpoint), ()) as reach:
        (one,) = reach.find(["s3://lab-archive/logs/a.csv"])
        moved: list[int] = []
        reach.take(one, into, lambda _name, done, _whole: moved.append(done))
    assert into.getvalue() == body
    assert moved[0] > 700_000


def test_an_inner_endpoint_has_to_be_allowed(endpoint: str, bucket: Any) -> None:  # noqa: ARG001
    with pytest.raises(SourceRefused, match="address of an inner network"):
        taken(_settings(endpoint, private=False), "s3://lab-archive/logs/a.csv")


def test_an_object_that_is_too_large_is_not_read(endpoint: str, bucket: Any) -> None:
    bucket.put_object(Bucket="lab-archive", Key="logs/a.csv", Body=b"x" * 1_200_000)
    settings = _settings(endpoint).model_copy(update={"source_file_mb": 1})
    with pytest.raises(SourceTooLarge):
        taken(settings, "s3://lab-archive/logs/a.csv")


def test_nobody_at_home_is_tried_again_later() -> None:
    with pytest.raises(SourceUnreachable) as away:
        taken(_settings("http://127.0.0.1:9"), "s3://lab-archive/logs/a.csv")
    assert "pw-secret" not in str(away.value)


@pytest.mark.parametrize(
    ("status", "kind"), [(403, SourceRefused), (401, SourceRefused), (503, SourceUnreachable), (500, SourceUnreachable)]
)
def test_a_bucket_that_does_not_let_us_in_and_one_in_trouble(
    web: WebPeer, status: int, kind: type[SourceError]
) -> None:
    web.pages["/lab-archive/logs/a.csv"] = Page(status=status)
    settings = _settings(web.url("").rstrip("/")).model_copy(update={"source_silence_s": 0.5})
    with pytest.raises(kind) as refused:
        taken(settings, "s3://lab-archive/logs/a.csv", pauses_s=())
    assert refused.value.permanent is (kind is SourceRefused)
    assert "pw-secret" not in str(refused.value)
