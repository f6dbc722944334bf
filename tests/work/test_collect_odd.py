"""Files at a source that nobody should take, or that there is no room for: told, and nothing of them is kept."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest

from bot.store.blobs import Blobs
from bot.work import run
from sandbox.outcome import Surprised
from tests.work.test_collect import Lab, new_lab  # noqa: F401  a fixture


def _told(lab: Lab) -> str:
    """What is said of the next Monday, on which nothing is taken."""
    run_id = lab.monday()
    run.run(lab.parts(), run_id)
    state, name, message = lab.told(run_id)
    assert (state, name) == ("failed", "source")
    assert lab.stage.rows("select name from collected") == []
    assert message.isprintable()
    return message


def test_one_of_20_gb_is_refused_by_its_size_before_a_byte_is_read(new_lab: Callable[..., Lab]) -> None:  # noqa: F811
    lab = new_lab()
    lab.put("small.log", b"x")
    lab.put("big.log", b"")
    os.truncate(lab.folder / "big.log", 20 << 30)

    said = _told(lab)

    assert "big.log (21,475 MB) holds more than 20,480 MB" in said
    assert "STANDBY_SOURCE_FILE_MB" in said


@pytest.mark.parametrize("name", ["a\nb.log", "a\u202egol.log", "\x1b[31mred.log", "x" * 240 + ".log", "a\\b.log"])
def test_a_hostile_name_is_told_in_letters_that_can_be_seen(new_lab: Callable[..., Lab], name: str) -> None:  # noqa: F811
    lab = new_lab()
    lab.put("good.log", b"x")
    lab.put(name, b"y")

    said = _told(lab)

    assert "which is no plain name, so nothing was read" in said
    assert "Rename it there" in said


def test_a_name_that_would_run_something_is_only_a_name(new_lab: Callable[..., Lab]) -> None:  # noqa: F811
    lab = new_lab()
    names = {"$(reboot).log", "a;b.log", "-rf.log", "'quoted'.log", "a b.log", "æøå.log"}
    for number, name in enumerate(sorted(names)):
        lab.put(name, b"%d" % number)

    assert set(lab.read(lab.inputs(lab.monday()))) == names


def test_more_files_than_settings_allow_are_told_and_none_is_taken(new_lab: Callable[..., Lab]) -> None:  # noqa: F811
    lab = new_lab()
    for number in range(4):
        lab.put(f"{number}.log", b"%d" % number)
    run_id = lab.monday()

    run.run(lab.parts(source_files=3), run_id)

    assert lab.told(run_id)[:2] == ("failed", "source")
    assert "means more than 3 files, so none was read" in lab.told(run_id)[2]
    assert lab.stage.rows("select name from collected") == []


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of 2 MB, on which nothing else is."""
    folder = tmp_path / "small-disk"
    folder.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=2m", "none", str(folder)], check=False)
    if mounted.returncode != 0:
        pytest.skip("no disk can be mounted here")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)


@pytest.mark.root
def test_a_disk_that_is_full_is_told_and_leaves_nothing_half_taken(
    new_lab: Callable[..., Lab],  # noqa: F811
    small_disk: Path,
) -> None:
    lab = new_lab()
    lab.put("a.log", b"small")
    lab.put("b.log", b"x" * 3_000_000)
    run_id = lab.monday()
    parts = replace(lab.parts(), blobs=Blobs(str(small_disk)))
    for tries in range(1, 4):
        run.run(parts, run_id)
        assert lab.stage.rows("select state, source_tries from run where id = :r", r=run_id) == [("queued", tries)]
    assert [path.name for path in small_disk.rglob("*") if path.is_file()] == [sha256(b"small").hexdigest()]

    run.run(parts, run_id)

    assert lab.told(run_id)[:2] == ("failed", "files")
    assert "The disk that Standby keeps its files on is full" in lab.told(run_id)[2]
    assert lab.stage.rows("select name from collected") == [("a.log",)]


@pytest.mark.root
def test_once_there_is_room_on_the_disk_the_same_slot_goes_on(
    new_lab: Callable[..., Lab],  # noqa: F811
    small_disk: Path,
) -> None:
    lab = new_lab()
    lab.put("a.log", b"x" * 1_500_000)
    (small_disk / "filler").write_bytes(b"x" * 1_000_000)
    run_id = lab.monday()
    run.run(replace(lab.parts(), blobs=Blobs(str(small_disk))), run_id)
    (small_disk / "filler").unlink()

    found = lab.inputs_with(replace(lab.parts(), blobs=Blobs(str(small_disk))), run_id)

    assert not isinstance(found, Surprised)
    assert [one.name for one in found] == ["a.log"]
