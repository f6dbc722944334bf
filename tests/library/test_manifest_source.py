"""What an address of a source may be: nothing hidden, nothing secret, nothing that leads elsewhere than it says."""

import pytest

from library.manifest import FilesSource, ManifestError
from library.manifest_source import address_problem
from library.manifest_text import read_manifest
from tests.library.test_manifest import GOOD

CHANNEL = 'kind = "channel"\nchannel = "C1"'


@pytest.mark.parametrize(
    "address",
    [
        "https://example.org/a.csv",
        "https://example.org:8443/export?from={since}&to={until:%Y%m%d}",
        "s3://lab-archive/logs/{slot:%G-W%V}/*.log",
        "gs://lab_archive/a b.csv",
        "sftp://example.org:2222/logs/?.log",
        "/srv/lab/{slot:%Y-%m}/*.csv",
        "https://[2001:db8::1]/a.csv",
    ],
)
def test_an_address_as_people_write_it(address: str) -> None:
    assert address_problem(address) == ""


@pytest.mark.parametrize(
    ("address", "wanted"),
    [
        ("ftp://example.org/a.csv", "begins with https://"),
        ("logs/*.csv", "begins with https://"),
        ("https://user:password@example.org/a.csv", "without a user or password"),
        ("sftp://user@example.org/a.csv", "without a user or password"),
        ("https://example.org/a.csv?X-Amz-Signature=1", "without a key"),
        ("https://example.org/a.csv?access_token=1", "without a key"),
        ("https://example.org/*.csv", "one file"),
        ("https://example.org/a b.csv", "%20"),
        ("https://example.org/a.csv#part", "without a #"),
        ("https://example.org/reports/../private/a.csv", "without backslashes and without steps"),
        ("https://example.org/reports/%2e%2E/private/a.csv", "without steps such as"),
        ("s3://lab/../a.csv", "without steps"),
        ("/srv/lab/../../etc/passwd", "without steps"),
        ("/srv/lab/", "the files in a folder"),
        ("s3://lab-archive", "files, such as"),
        ("s3://lab-archive/logs/", "files, such as"),
        ("s3://lab-*/logs/a.csv", "spelled out"),
        ("https://{slot}.example.org/a.csv", "spelled out"),
        ("s3://lab-archive/**/a.csv", "without **"),
        ("s3://lab-archive/{week}/a.csv", "without braces"),
        ("s3://lab-archive/{slot:%A}/a.csv", "without braces"),
        ("s3://lab-archive/{slot:%Y/../%m}/a.csv", "without braces"),
        ("/srv/lab/a\u202egol.csv", "visible"),
        ("/srv/lab/a\nb.csv", "visible"),
        ("/srv/lab/<#C1>.csv", "without <"),
        ("https://exam\u0440le.org/a.csv", "plain letters"),
        ("s3://lab-archive/" + "x" * 500, "at most 500"),
    ],
)
def test_an_address_that_no_plan_may_hold(address: str, wanted: str) -> None:
    assert wanted in address_problem(address)


def test_files_and_queries_are_read_strictly() -> None:
    good = GOOD.replace(CHANNEL, 'kind = "files"\nfiles = ["/srv/lab/*.log"]')
    assert read_manifest(good).source == FilesSource(("/srv/lab/*.log",))
    for wrong, named in {
        'kind = "files"\nfiles = []': "source.files",
        'kind = "files"\nfiles = ["/a/b", "/a/b"]': "each once",
        'kind = "files"\nfiles = ["/a/b"]\ntoken = "x"': "source.token is not a key",
        'kind = "query"\nconnection = "Books"\nquery = "select 1"\nfile = "a.parquet"': "source.connection",
        'kind = "query"\nconnection = "books"\nquery = "select {slot:%Y}"\nfile = "a.parquet"': "without a format",
        'kind = "query"\nconnection = "books"\nquery = "select 1"\nfile = "../a.parquet"': "source.file",
        'kind = "files"\nfiles = ["/a/b"]\ntake = "some"': "source.take",
        'kind = "files"\nfiles = ["/a/b"]\nafter = "2026-09-07T05:00:00Z"': "source.after is not a key",
        'kind = "files"\nfiles = ["/a/b"]\ntake = "new"\nafter = "2026-09-07T05:00:00"': "a moment with its zone",
        'kind = "files"\nfiles = ["/a/b"]\ntake = "new"\nafter = "Monday"': "source.after",
        'kind = "ftp"': "source.kind",
    }.items():
        with pytest.raises(ManifestError, match=named):
            read_manifest(GOOD.replace(CHANNEL, wrong))
