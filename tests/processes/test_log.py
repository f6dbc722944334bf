"""What is logged, by whichever process or command."""

from __future__ import annotations

import pytest

from bot.log import log


def test_an_error_is_told_in_one_line_and_without_the_values_around_it(capsys: pytest.CaptureFixture[str]) -> None:
    def connect(address: str) -> None:
        raise OSError(f"no answer from {address.split('@')[1]}")

    try:
        connect("postgresql://standby:hunter2@db.example/standby")
    except OSError:
        log.exception("database_away", slot=7)

    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.count("\n") == 1
    assert 'level=error event=database_away slot=7 exception="Traceback' in said.err
    assert "no answer from db.example/standby" in said.err and "hunter2" not in said.err
