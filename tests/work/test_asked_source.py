"""The source that a request names: taken where settings allow it, else the setting that is missing is named."""

import pytest

from bot.domain.errors import RequestProblem
from bot.domain.request import read
from bot.sources.errors import SourceNotAllowed
from bot.work.asked_source import asked_source
from library.manifest import FilesSource, QuerySource
from tests.sources.conftest import settings_with

SETTINGS = settings_with(
    {
        "reports": {"root": "https://files.example.org/reports/"},
        "lab": {"root": "/srv/lab/"},
        "books": {"root": "postgresql://db.example.org/books"},
    }
)


def _asked(text: str, *, has_files: bool = False) -> FilesSource | QuerySource | None:
    return asked_source(SETTINGS, read(text, "07:00"), has_files=has_files)


def test_what_settings_allow_is_the_source_whatever_else_is_linked() -> None:
    said = "every Monday over <https://files.example.org/reports/a.csv>, see <https://wiki.example.org/errors>"
    for has_files in (True, False):
        assert _asked(said, has_files=has_files) == FilesSource(("https://files.example.org/reports/a.csv",))


def test_a_link_beside_attached_files_is_only_a_link() -> None:
    assert _asked("every Monday, see <https://wiki.example.org/errors>", has_files=True) is None


@pytest.mark.parametrize(
    ("address", "setting"),
    [
        ("https://other.example.org/a.csv", '{"other-example-org": {"root": "https://other.example.org/"}}'),
        ("s3://lab-archive/logs/*.csv", '{"lab-archive": {"root": "s3://lab-archive/"}}'),
        ("/etc/lab/*.conf", '{"folder": {"root": "/etc/lab/"}}'),
    ],
)
def test_what_settings_do_not_allow_names_what_an_admin_adds(address: str, setting: str) -> None:
    with pytest.raises(SourceNotAllowed) as refused:
        _asked(f"every Monday over {address}")
    assert "STANDBY_SOURCES" in str(refused.value)
    assert setting in str(refused.value)


def test_a_login_in_an_address_is_refused_and_not_repeated() -> None:
    with pytest.raises(RequestProblem) as refused:
        _asked("every Monday over https://lab:pw-secret@files.example.org/reports/a.csv")
    assert "pw-secret" not in str(refused.value)
    with pytest.raises(RequestProblem) as refused:
        _asked("every Monday over https://files.example.org/reports/a.csv?token=pw-secret")
    assert "pw-secret" not in str(refused.value)


def test_a_query_goes_to_the_database_that_is_there() -> None:
    query = "select a from b where at > {since}"
    assert _asked(f"every Monday sum up `{query}`") == QuerySource("books", query, "books.parquet")
    with pytest.raises(RequestProblem, match="several queries"):
        _asked(f"every Monday `{query}` and `select 2`")


def test_which_of_several_databases_is_asked() -> None:
    more = {"books": {"root": "postgresql://db/books"}, "stock": {"root": "postgresql://db/stock"}}
    settings = settings_with(more)
    with pytest.raises(RequestProblem, match="books, stock"):
        asked_source(settings, read("every Monday `select 1`", "07:00"), has_files=False)
    found = asked_source(settings, read("every Monday `select 1` from stock", "07:00"), has_files=False)
    assert found == QuerySource("stock", "select 1", "stock.parquet")


def test_without_a_database_the_setting_is_named() -> None:
    with pytest.raises(SourceNotAllowed, match="postgresql://HOST"):
        asked_source(settings_with({}), read("every Monday `select 1`", "07:00"), has_files=False)
