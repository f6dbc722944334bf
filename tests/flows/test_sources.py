"""The Monday story over a folder: no file is posted, and what the folder has when a slot is due is what counts."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from bot.source_settings import SourceSettings
from tests.flows.small_logs import week
from tests.flows.world import World


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
    _write(folder, week(world.desk.now()))
    world.start()
    refused = world.request("@standby Every Monday compile the errors in /etc/lab/*.log into an error summary", {})
    world.posted("STANDBY_SOURCES", '"/etc/lab/"', after=refused)
    asked = world.request(f"@standby Every Monday compile the errors in {folder}/*.log into an error summary", {})

    # Then the card says where it reads, and once approved it reads what is there on Monday
    card = world.card(after=asked)
    assert card.says(f"what is there when a slot is due: {folder}/*.log")
    world.approve(card)
    world.monday()
    world.posted("version 1", "approved by", after=card)

    # When the folder is gone, then that is a fault in words, and no question about the data
    for one in folder.iterdir():
        one.unlink()
    folder.rmdir()
    world.monday()
    fault = world.posted("Nothing was delivered", "is not there on the computer", after=card)
    assert fault.says("source")
