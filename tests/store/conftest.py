"""A store of its own for every test."""

from collections.abc import Iterator

import pytest

from bot.store.session import Database


@pytest.fixture
def database(database_url: str) -> Iterator[Database]:
    opened = Database(database_url)
    yield opened
    opened.close()
