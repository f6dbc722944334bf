"""A process does not start on the database of another release, and says which."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable

import pytest
from sqlalchemy import create_engine, text

from bot.processes.parts import EXIT_REFUSED
from bot.store.session import libpq_url


@pytest.mark.parametrize(
    ("revision", "code", "words"),
    [
        ("9999", EXIT_REFUSED, "at schema '9999', which this release of Standby does not know"),
        ("0003", 1, "run `standby release` first"),
    ],
)
def test_DB_07_a_process_refuses_the_schema_of_another_release(
    fresh_database: Callable[[], str], revision: str, code: int, words: str
) -> None:
    address = fresh_database()
    engine = create_engine(address)
    with engine.begin() as connection:
        connection.execute(text("update alembic_version set version_num = :r"), {"r": revision})
    engine.dispose()
    environment = {**os.environ, "STANDBY_DATABASE_URL": libpq_url(address)}
    command = [sys.executable, "-m", "bot.processes.lifeline", "bot.processes.clock"]

    ended = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=60)

    assert (ended.returncode, words in ended.stderr) == (code, True), ended.stderr
