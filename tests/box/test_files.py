"""Files up and down: every name and byte survives, size does not cost memory, and no link leads out."""

from __future__ import annotations

import io
import os
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, cast

import pytest

from sandbox.client import Box
from sandbox.errors import BoxFileMissing, BoxFileTooLarge, BoxFull, BoxRefused
from tests.box.local_server import LocalServer

if TYPE_CHECKING:
    from typing_extensions import Buffer

MIB = 1 << 20


class Zeros(io.RawIOBase):
    """A file of `size` bytes that exists nowhere, so that whatever memory is used is the client's."""

    def __init__(self, size: int) -> None:
        self.left = size

    def read(self, size: int = -1, /) -> bytes:
        wanted = min(self.left, size if size > 0 else MIB, MIB)
        self.left -= wanted
        return bytes(wanted)


class Nowhere(io.RawIOBase):
    """A file that keeps nothing."""

    def write(self, data: Buffer, /) -> int:
        return len(memoryview(data))


def zeros(size: int) -> BinaryIO:
    return cast(BinaryIO, Zeros(size))


@pytest.mark.parametrize(
    "name", ["a.csv", "in puts/b.csv", "q\"uote's.csv", "æøå ✓.csv", "line\nbreak", "100%.csv", "#?&=+"]
)
def test_a_file_comes_back_as_it_was_put(box: Box, name: str) -> None:
    data = bytes(range(256)) * 100

    box.put(name, data)

    assert box.get(name, len(data)) == data
    assert box.run(["wc", "-c", name], timeout_s=20).stdout.startswith("25600")


def test_a_script_may_change_and_remove_what_was_put(box: Box) -> None:
    box.put("inputs/a.csv", b"1")

    ended = box.run(["bash", "-c", "echo 2 >> inputs/a.csv && mv inputs/a.csv b && rmdir inputs"], timeout_s=20)

    assert ended.code == 0
    assert box.get("b", 100) == b"12\n"


@pytest.mark.parametrize(
    "make", ["true", "mkdir out", "mkfifo out", "ln -s nowhere out", "ln -s out out", "ln -s /dev/zero out"]
)
def test_what_is_no_regular_file_is_missing_at_once(box: Box, make: str) -> None:
    box.run(["bash", "-c", make], timeout_s=20)

    with pytest.raises(BoxFileMissing):
        box.get("out", 1000)


def test_a_file_larger_than_wanted_is_refused_before_it_is_read(box: Box) -> None:
    box.run(["truncate", "-s", "200M", "out"], timeout_s=20)

    with pytest.raises(BoxFileTooLarge, match="1,000 bytes"):
        box.get("out", 1000)


def test_a_large_file_comes_back_whole(box: Box, tmp_path: Path) -> None:
    source, copy = tmp_path / "source", tmp_path / "copy"
    source.write_bytes(os.urandom(MIB) * 64)

    with source.open("rb") as up, copy.open("wb") as down:
        box.put("big", up)
        assert box.get_stream("big", down, 64 * MIB) == 64 * MIB

    assert copy.read_bytes() == source.read_bytes()


def test_streaming_costs_neither_side_memory(box: Box, server: LocalServer) -> None:
    box.put("warm-up", zeros(4 * MIB))
    box.get_stream("warm-up", cast(BinaryIO, Nowhere()), 4 * MIB)
    before = peak_bytes(os.getpid()), peak_bytes(server.process.pid)

    box.put("big", zeros(256 * MIB))
    assert box.get_stream("big", cast(BinaryIO, Nowhere()), 256 * MIB) == 256 * MIB

    assert peak_bytes(os.getpid()) - before[0] < 24 * MIB
    assert peak_bytes(server.process.pid) - before[1] < 24 * MIB


def test_a_link_out_of_the_box_shows_nothing_of_the_host(box: Box, tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("of the host")
    links = f"ln -s {secret} leak; ln -s / root; ln -s ../../../../../../.. up; ln -s /proc/self/root proc"
    box.run(["bash", "-c", links], timeout_s=20)

    for path in ("leak", f"root{secret}", f"up{secret}", f"proc{secret}", "root/etc/hostname"):
        with pytest.raises(BoxFileMissing):
            box.get(path, 1000)


def test_a_link_out_of_the_box_is_replaced_and_not_followed(box: Box, tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.write_text("untouched")
    box.run(["bash", "-c", f"ln -s {victim} out; ln -s {tmp_path} folder"], timeout_s=20)

    box.put("out", b"ours")
    with pytest.raises(BoxRefused):
        box.put("folder/new", b"ours")

    assert victim.read_text() == "untouched"
    assert not (tmp_path / "new").exists()
    assert box.get("out", 100) == b"ours"


def test_a_full_disk_is_said_and_leaves_no_half_file(box: Box) -> None:
    with pytest.raises(BoxFull):
        box.put("big", zeros(400 * MIB))

    with pytest.raises(BoxFileMissing):
        box.get("big", 1000)
    assert box.run(["bash", "-c", "ls -A"], timeout_s=20).stdout == ""


def peak_bytes(pid: int) -> int:
    """The most memory a process has had at one time."""
    status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    return int(next(line for line in status.splitlines() if line.startswith("VmHWM")).split()[1]) * 1024


@pytest.mark.parametrize("path", ["../../etc/passwd", "/etc/passwd", "a/../../../x"])
def test_no_file_of_many_goes_out_of_the_box(box: Box, path: str) -> None:
    with pytest.raises(BoxRefused):
        box.put_all({"a.txt": b"1", path: b"2"})
