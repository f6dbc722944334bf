"""The Monday story over data that is elsewhere: no file is posted, and what is there when a slot is due counts."""

from __future__ import annotations

import os
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from bot.source_settings import SourceSettings
from tests.flows.far_sources import FAR
from tests.flows.small_logs import week
from tests.flows.world import World


def _dated(now: datetime) -> dict[str, bytes]:
    """A week's logs, each under its machine's name and the day."""
    return {name.replace(".", f"-{now:%Y%m%d}."): body for name, body in week(now).items()}


def _write(folder: Path, files: dict[str, bytes]) -> None:
    for name, body in files.items():
        (folder / name).write_bytes(body)


@pytest.mark.slow
def test_a_routine_reads_a_folder_and_a_source_that_is_gone_is_a_fault(
    new_world: Callable[..., World], tmp_path: Path
) -> None:
    # Given a folder that settings name, and a request that names files in it and attaches none
    folder = tmp_path / "share"
    folder.mkdir()
    world = new_world(sources={"share": SourceSettings(root=str(folder))})
    _write(folder, _dated(world.desk.now()))
    old = folder / "kiln-20260803.log"
    old.write_bytes(week(world.desk.now() - timedelta(weeks=30))["kiln.log"])
    os.utime(old, (1_785_000_000, 1_785_000_000))
    world.start()
    refused = world.request("@standby Every Monday compile the errors in /etc/lab/*.log into an error summary", {})
    world.posted("STANDBY_SOURCES", '"/etc/lab/"', after=refused)
    words = "into an error summary, only new files"
    asked = world.request(f"@standby Every Monday compile the errors in {folder}/*.log {words}", {})

    # Then the card says what it reads and where, and once approved it reads what is new on Monday
    card = world.card(after=asked)
    assert card.says("only files that are new when a slot is due", f"{folder}/*.log")
    world.approve(card)
    world.monday()
    report = world.posted("version 1", "approved by", after=card)

    # When this week's files are beside those of the last, then the next report is made from these alone
    _write(folder, _dated(world.desk.now()))
    world.monday()
    report = world.posted("version 1", "approved by", after=report)

    # When nothing is new, then that is a surprise
    world.monday()
    world.posted("Nothing was delivered", "is new: each was in a report before", after=report)

    # When the folder is gone, then that is a fault in words, and no question about the data
    for one in folder.iterdir():
        one.unlink()
    folder.rmdir()
    world.monday()
    fault = world.posted("Nothing was delivered", "is not there on the computer", after=report)
    assert fault.says("source")


@pytest.mark.slow
@pytest.mark.parametrize("kind", FAR)
def test_a_routine_reads_far_data_from_the_asking_to_the_report(
    new_world: Callable[..., World], fresh_database: Callable[[], str], tmp_path: Path, kind: str
) -> None:
    # Given data on a server that settings name under "books", with this week's entries
    with FAR[kind](tmp_path, fresh_database) as far:
        world = new_world(sources={"books": far.source})
        world.environment |= far.environment
        far.fill(world.desk.now())
        world.start()

        # When a request names it and attaches nothing, then the card says where it reads, and never the login
        asked = world.request(f"@standby {far.request.format(far.asks)}", {})
        card = world.card(after=asked)
        assert card.says("when a slot is due")
        world.approve(card)

        # Then on Monday what is there by then is taken, and its report comes
        world.monday()
        report = world.posted("version 1", "approved by", after=card)
        assert report.says(far.told)

        # When nothing is new a week later, then that is a surprise and no report
        world.monday()
        world.posted("Nothing was delivered", after=report)
        assert "right-token" not in world.logs() and "right-password" not in world.logs()
        assert "pw-secret" not in world.logs()
