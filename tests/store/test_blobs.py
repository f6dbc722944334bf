"""Files under the name of their content: kept once, whole before anybody sees them, in a folder or elsewhere."""

import hashlib
import os
import random
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import BinaryIO

import fsspec
import pytest

from bot.store.blobs import Blobs

DATA = b"2026-11-30 ERROR lamp\n" * 1000


def writing(data: bytes) -> Callable[[BinaryIO], None]:
    def write(into: BinaryIO) -> None:
        into.write(data)

    return write


@pytest.fixture(params=["folder", "elsewhere"])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A folder, and a store that is none: fsspec's own in memory, reached as S3 would be."""
    return str(tmp_path / "blobs") if request.param == "folder" else f"memory://blobs-{random.randrange(1 << 60):x}"


def kept_files(address: str) -> list[str]:
    files, root = fsspec.core.url_to_fs(address)
    names = [path.rsplit("/", 1)[1] for path in files.find(root, withdirs=False)]
    return [name for name in names if not name.startswith(".")]  # what is on its way has no name yet


def test_what_is_kept_is_read_back_under_its_content(address: str):
    blobs = Blobs(address)

    kept = blobs.keep(writing(DATA))

    assert kept.sha256 == hashlib.sha256(DATA).hexdigest()
    assert kept.size_bytes == len(DATA)
    with blobs.open(kept.sha256) as stream:
        assert stream.read() == DATA


def test_the_same_content_is_kept_once(address: str):
    blobs = Blobs(address)
    assert blobs.keep(writing(DATA)) == blobs.keep(writing(DATA)) == Blobs(address).keep(writing(DATA))
    assert kept_files(address) == [hashlib.sha256(DATA).hexdigest()]


def test_an_empty_file_is_a_file(address: str):
    kept = Blobs(address).keep(writing(b""))
    with Blobs(address).open(kept.sha256) as stream:
        assert (stream.read(), kept.size_bytes) == (b"", 0)


def test_what_breaks_off_leaves_nothing(address: str):
    def broken(into: BinaryIO) -> None:
        into.write(DATA)
        raise ConnectionError("the download broke off")

    with pytest.raises(ConnectionError):
        Blobs(address).keep(broken)

    assert kept_files(address) == []


def test_nobody_sees_a_file_before_it_is_whole(address: str):
    blobs, halfway, go_on = Blobs(address), threading.Event(), threading.Event()

    def slowly(into: BinaryIO) -> None:
        into.write(DATA[: len(DATA) // 2])
        halfway.set()
        go_on.wait(10)
        into.write(DATA[len(DATA) // 2 :])

    with ThreadPoolExecutor(1) as pool:
        keeping = pool.submit(blobs.keep, slowly)
        halfway.wait(10)
        seen = kept_files(address)
        go_on.set()
        kept = keeping.result(10)

    assert seen == []
    assert kept_files(address) == [kept.sha256]


def test_many_threads_keep_many_files_and_lose_none(address: str):
    blobs = Blobs(address)
    contents = [b"%d\n" % (n % 20) * 30_000 for n in range(60)]

    with ThreadPoolExecutor(12) as pool:
        kept = list(pool.map(lambda data: blobs.keep(writing(data)), contents))

    assert sorted(kept_files(address)) == sorted({one.sha256 for one in kept})
    for data, one in zip(contents, kept, strict=True):
        with blobs.open(one.sha256) as stream:
            assert stream.read() == data


def test_files_are_at_hand_by_name_as_long_as_the_block_lasts(address: str):
    blobs = Blobs(address)
    first, second = blobs.keep(writing(b"a\n")), blobs.keep(writing(b"b\n"))

    with blobs.local({"a.log": first.sha256, "b.log": second.sha256, "again.log": first.sha256}) as paths:
        assert {name: path.read_bytes() for name, path in paths.items()} == {
            "a.log": b"a\n", "b.log": b"b\n", "again.log": b"a\n",
        }  # fmt: skip


def test_what_was_never_kept_is_not_found(address: str):
    with pytest.raises(FileNotFoundError):
        Blobs(address).open("0" * 64)


def test_what_a_killed_process_left_is_forgotten_and_what_is_on_its_way_stays(tmp_path: Path):
    blobs = Blobs(str(tmp_path))
    (tmp_path / ".incoming-old").write_bytes(DATA)
    os.utime(tmp_path / ".incoming-old", (0, 0))
    (tmp_path / ".incoming-new").write_bytes(DATA)

    blobs.forget_incoming(3600)

    assert [path.name for path in tmp_path.iterdir()] == [".incoming-new"]
