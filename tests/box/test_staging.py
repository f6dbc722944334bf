"""Files on their way into a box and out: each input once, streamed, and one sees how far it is."""

from __future__ import annotations

import time
from hashlib import sha256
from io import BytesIO
from pathlib import Path

from sandbox.client import Box
from sandbox.drifting import drifted
from sandbox.execute import stage
from sandbox.outcome import Attachment
from sandbox.progress import STEP_BYTES, STEP_S, told
from sandbox.sample import sample_files
from tests.box.local_server import LocalServer

LOG = b"".join(b"2026-11-23 08:00:%02d INFO  pump  Pressure is fine\n" % second for second in range(30))


def uploads(server: LocalServer) -> int:
    return server.ledger()["requests"].count("POST /files")


def test_a_file_of_two_names_is_sent_once(box: Box, server: LocalServer, tmp_path: Path) -> None:
    (tmp_path / "blob").write_bytes(LOG)
    stage(box, {})
    ours, before = uploads(server), uploads(server)
    stage(box, {"a.log": tmp_path / "blob"})
    one = uploads(server) - before

    before = uploads(server)
    stage(box, {"-b.log": tmp_path / "blob", "c d.log": tmp_path / "blob", "e.log": tmp_path / "blob"})

    assert uploads(server) - before == one and ours > 0
    assert [box.get(f"inputs/{name}", 10_000) for name in ("-b.log", "c d.log", "e.log")] == [LOG] * 3


def test_a_drifted_input_is_put_back_without_being_sent_again(box: Box, server: LocalServer, tmp_path: Path) -> None:
    (tmp_path / "blob").write_bytes(LOG)
    stage(box, {"a.log": tmp_path / "blob"})
    facts = [sample.facts for sample in sample_files(box, ["a.log"])]
    with drifted(box, "log-to-json", facts, {"a.log": tmp_path / "blob"}):
        assert box.get("inputs/a.log", 100_000) != LOG
        before = uploads(server)

    assert box.get("inputs/a.log", 100_000) == LOG
    assert uploads(server) == before


def test_a_slow_upload_of_little_tells_too_how_far_it_is() -> None:
    heard: list[int] = []
    reader = told("a.log", BytesIO(b"abcd"), 4, lambda _name, sent, _size: heard.append(sent))

    reader.read(1)
    time.sleep(STEP_S)
    reader.read(1)
    reader.read(1)
    reader.read()

    assert heard == [2, 4]


def test_a_long_download_tells_how_far_it_is(box: Box, tmp_path: Path) -> None:
    size = 2 * STEP_BYTES + 5
    heard: list[tuple[str, int, int]] = []
    staged = stage(box, {}, progress=lambda *words: heard.append(words))
    box.run(["python3", "-c", f"open('big.bin', 'wb').write(bytes({size}))"], timeout_s=20)

    with (tmp_path / "big").open("w+b") as into:
        staged.fetch(Attachment("big.csv", "big.bin", size, sha256(bytes(size)).hexdigest()), into)

    assert heard[-1] == ("big.csv", size, size)
    assert len(heard) >= 2 and [passed for _, passed, _ in heard] == sorted(passed for _, passed, _ in heard)


def test_a_long_upload_tells_how_far_it_is(box: Box, tmp_path: Path) -> None:
    size = 2 * STEP_BYTES + 5
    (tmp_path / "blob").write_bytes(bytes(size))
    heard: list[tuple[str, int, int]] = []

    stage(box, {"a.log": tmp_path / "blob"}, progress=lambda *words: heard.append(words))

    assert heard[-1] == ("a.log", size, size)
    assert len(heard) >= 3 and [sent for _, sent, _ in heard] == sorted(sent for _, sent, _ in heard)
    assert box.run(["wc", "-c", "inputs/a.log"], timeout_s=20).stdout.startswith(str(size))


def test_a_week_of_small_files_and_all_of_ours_are_one_request_and_odd_names_come_alone(
    box: Box, server: LocalServer, tmp_path: Path
) -> None:
    inputs = {}
    for name in [*(f"spectro-{number:02}.log" for number in range(14)), 'a "b".log', "æ.log", "-c.log"]:
        inputs[name] = tmp_path / f"blob-{len(inputs)}"
        inputs[name].write_bytes(LOG + name.encode())
    before = uploads(server)

    stage(box, inputs)

    assert uploads(server) - before == 1 + 3
    assert {name: box.get(f"inputs/{name}", 10_000) for name in inputs} == {n: LOG + n.encode() for n in inputs}
