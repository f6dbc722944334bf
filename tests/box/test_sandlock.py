"""Where user namespaces are denied: boxes are confined another way, and what may be reached is the same."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from pathlib import Path

import pytest

from sandbox.client import Box, Boxes
from tests.box.conftest import SMALL, start_or_skip
from tests.box.escapes import ATTACKS
from tests.box.escapes.attack import carry_out
from tests.box.escapes.host import prepared_host
from tests.box.local_server import WITHOUT_NAMESPACES, LocalServer, busy, until
from tests.folders import reachable_folder


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalServer]:
    server = start_or_skip(tmp_path_factory.mktemp("server"), SMALL, before=WITHOUT_NAMESPACES)
    yield server
    server.stop()


def python(box: Box, script: str) -> str:
    ended = box.run(["python", "-c", textwrap.dedent(script)], timeout_s=60)
    return ended.stdout + ended.stderr


def test_such_a_box_is_sealed_too(boxes: Boxes) -> None:
    assert [proof for proof in boxes.prove_sealed() if not proof.holds] == []


def test_a_script_works_at_home_and_its_files_come_back(box: Box) -> None:
    box.put("inputs/a.csv", b"x\n1\n2\n")
    script = (
        "import duckdb, polars; print(duckdb.sql(\"from 'inputs/a.csv' select sum(x)\").fetchall()); open('b', 'w')"
    )

    assert "3" in python(box, script)
    assert box.get("b", 10) == b""


def test_another_boxs_files_cannot_be_opened(boxes: Boxes, box: Box, server: LocalServer) -> None:
    box.put("secret", b"mine")
    with boxes.open("other", tags={}, lifetime_s=60) as other:
        path = server.root / box.id / "tree/home/user/secret"
        assert path.read_bytes() == b"mine"
        assert "PermissionError" in python(other, f"open({str(path)!r})")


def test_nothing_a_command_started_lives_on_after_it(box: Box, server: LocalServer) -> None:
    script = "setsid sleep 600 & (setsid bash -c 'sleep 600 & sleep 600' &) ; nohup sleep 600 & echo started"

    ended = box.run(["bash", "-c", script], timeout_s=20)

    assert ended.stdout == "started\n" and ended.seconds < 10
    assert until(lambda: server.jails() == [])


def test_a_server_that_is_killed_takes_its_commands_with_it(tmp_path: Path) -> None:
    server = start_or_skip(tmp_path, (), before=WITHOUT_NAMESPACES)
    with server.boxes().open("test", tags={}, lifetime_s=60) as box, busy(box, server):
        server.kill()
        assert until(lambda: server.jails() == [])


def test_processes_and_memory_stop_at_their_limits(box: Box) -> None:
    spawn = """
        import os, time
        made = 0
        try:
            for _ in range(200):
                if os.fork() == 0:
                    time.sleep(20)
                    os._exit(0)
                made += 1
        except OSError:
            pass
        print(made)
    """
    assert int(python(box, spawn).split()[0]) < 64
    assert "MemoryError" in python(box, "bytearray(600 << 20)")


def test_memory_hidden_in_files_without_a_name_is_found(box: Box) -> None:
    script = """
        import os, time
        for n in range(9):
            fd = os.memfd_create(str(n))
            for _ in range(100):
                os.write(fd, bytes(1 << 20))
        time.sleep(60)
    """
    assert "MB of memory" in python(box, script)


@pytest.mark.slow
def test_no_hostile_script_gets_anything_out_of_such_a_box(server: LocalServer) -> None:
    """Some are refused earlier than in a box of namespaces, so what they show differs; what they get must not."""
    boxes = server.boxes()
    with reachable_folder() as folder, prepared_host(folder, server, boxes) as host:
        verdicts = [carry_out(attack, server, boxes, host) for attack in ATTACKS]

    assert {verdict.name: verdict.escaped for verdict in verdicts if verdict.escaped} == {}
