"""Where a flow's data is far away: each a real server on this machine, with the words by which it is asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from pathlib import Path

import boto3
import psycopg
from moto.server import ThreadedMotoServer
from sqlalchemy.engine import make_url

from bot.source_settings import SourceSettings
from bot.store.session import libpq_url
from tests.flows.small_logs import MACHINES, week
from tests.sources.certificate import server_side
from tests.sources.google_peer import google_peer
from tests.sources.sftp_peer import sftp_peer
from tests.sources.web_peer import Page, web_peer

Files = Mapping[str, bytes]
BEFORE_DAYS, SALES_A_DAY = 60, 8  # of the sales that a database has


@dataclass(frozen=True)
class Far:
    """`asks` stands in a request; `fill` makes the data be that of the week that a moment is in."""

    source: SourceSettings
    asks: str
    fill: Callable[[datetime], None]
    told: str  # by the report
    environment: Mapping[str, str] = field(default_factory=dict)
    request: str = "Every Monday compile the errors in {} into an error summary"


def _logs(source: SourceSettings, asks: str, put: Callable[[str, bytes], object], **more: Mapping[str, str]) -> Far:
    def fill(now: datetime) -> None:
        for name, body in week(now).items():
            put(name, body)

    return Far(source, asks, fill, f"{3 * len(MACHINES)} errors", **more)


@contextmanager
def https(folder: Path, _fresh_database: Callable[[], str]) -> Iterator[Far]:
    context, trusted = server_side(folder)
    with web_peer(context) as web:

        def put(name: str, body: bytes) -> None:
            web.pages[f"/out/{name}"] = Page(body, login="Bearer right-token", etag=f'"{hash(body)}"')

        source = SourceSettings(root=web.url("/out/"), private=True, token="right-token")  # type: ignore[arg-type]
        asks = ", ".join(web.url(f"/out/{machine}.log") for machine in MACHINES)
        yield _logs(source, asks, put, environment={"SSL_CERT_FILE": str(trusted)})


@contextmanager
def s3(_folder: Path, _fresh_database: Callable[[], str]) -> Iterator[Far]:
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    login = {"aws_access_key_id": "id", "aws_secret_access_key": "pw-secret"}
    client = boto3.client("s3", endpoint_url=f"http://{host}:{port}", region_name="us-east-1", **login)
    try:
        client.create_bucket(Bucket="lab-archive")
        source = SourceSettings(
            root="s3://lab-archive/logs/", endpoint=f"http://{host}:{port}", private=True, user="id",
            password="pw-secret",  # type: ignore[arg-type]
        )  # fmt: skip
        put = lambda name, body: client.put_object(Bucket="lab-archive", Key=f"logs/{name}", Body=body)  # noqa: E731
        yield _logs(source, "s3://lab-archive/logs/*.log", put)
    finally:
        client.close()
        server.stop()


@contextmanager
def gs(_folder: Path, _fresh_database: Callable[[], str]) -> Iterator[Far]:
    with google_peer() as google:
        source = SourceSettings(root="gs://lab-data/", endpoint=google.url, private=True)
        yield _logs(source, "gs://lab-data/logs/*.log", lambda name, body: google.put(f"logs/{name}", body))


@contextmanager
def sftp(folder: Path, _fresh_database: Callable[[], str]) -> Iterator[Far]:
    out = folder / "far" / "out"
    out.mkdir(parents=True)
    with sftp_peer(folder / "far") as peer:
        source = SourceSettings(
            root=peer.root, private=True, user="lab", host_key=peer.host_key,
            password="right-password",  # type: ignore[arg-type]
        )  # fmt: skip
        yield _logs(source, f"{peer.root}out/*.log", lambda name, body: (out / name).write_bytes(body))


@contextmanager
def query(_folder: Path, fresh_database: Callable[[], str]) -> Iterator[Far]:
    url = fresh_database()
    address = make_url(url)
    root = address._replace(drivername="postgresql", username=None, password=None).render_as_string(hide_password=False)
    with psycopg.connect(libpq_url(url), autocommit=True) as connection:
        connection.execute("create table sale (day date, customer text, revenue numeric(12,2), costs numeric(12,2))")

        def fill(now: datetime) -> None:
            connection.execute("truncate sale")
            for number in range(BEFORE_DAYS * SALES_A_DAY):
                day: date = now.date() - timedelta(days=number // SALES_A_DAY)
                row = (day, f"c{number % SALES_A_DAY}", 100 + number, 75 + number)
                connection.execute("insert into sale values (%s, %s, %s, %s)", row)

        asks = "`select day, customer, revenue, costs from sale where day >= {since}::date and day < {slot}::date`"
        source = SourceSettings(root=root, user=address.username or "", password=address.password or "")  # type: ignore[arg-type]
        request = "Every Monday compute the net margin in books and rank them: {}"
        yield Far(source, asks, fill, "Net margin of 1 file", request=request)


FAR = {"https": https, "s3": s3, "gs": gs, "sftp": sftp, "query": query}
