"""The seal: what a hostile script tries and does not get."""

from __future__ import annotations

import json
import socket
import textwrap
from concurrent.futures import ThreadPoolExecutor

import pytest

from sandbox.client import Box, Boxes
from tests.box.local_server import LocalServer, until


def python(box: Box, script: str, timeout_s: float = 60) -> str:
    ended = box.run(["python", "-c", textwrap.dedent(script)], timeout_s=timeout_s)
    return ended.stdout + ended.stderr


def test_the_self_check_finds_every_box_sealed(boxes: Boxes) -> None:
    assert [proof for proof in boxes.prove_sealed() if not proof.holds] == []


def test_a_server_that_we_reach_cannot_be_reached_from_a_box(box: Box) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        connect = f"import socket; socket.create_connection(('127.0.0.1', {port}), 3); print('reached')"
        assert "ConnectionRefusedError" in python(box, connect)
        socket.create_connection(("127.0.0.1", port), 3).close()


def test_abstract_sockets_of_the_host_are_not_there(box: Box) -> None:
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind("\0standby-test-canary")
        listener.listen()
        script = "import socket; socket.socket(socket.AF_UNIX).connect('\\0standby-test-canary'); print('reached')"
        assert "ConnectionRefusedError" in python(box, script)


@pytest.mark.parametrize(
    "kind", ["AF_INET, socket.SOCK_RAW, 1", "AF_INET6, socket.SOCK_RAW, 58", "AF_PACKET, socket.SOCK_RAW"]
)
def test_raw_sockets_are_denied(box: Box, kind: str) -> None:
    assert "PermissionError" in python(box, f"import socket; socket.socket(socket.{kind}); print('made')")


def test_there_is_no_interface_but_a_dead_loopback(box: Box) -> None:
    assert python(box, "import socket; print(socket.if_nameindex())") == "[(1, 'lo')]\n"


@pytest.mark.parametrize(
    "path", ["/etc/shadow", "/etc/hosts", "/root/.bashrc", "/var/log", "/sys/kernel", "/home/user/../../boot", "/run"]
)
def test_files_of_the_host_are_not_there(box: Box, path: str) -> None:
    ended = box.run(["ls", "-la", path], timeout_s=20)

    assert ended.code == 2
    assert ended.stdout == ""


@pytest.mark.parametrize("folder", ["/", "/dev", "/usr", "/etc", "/usr/bin", "/home", "/proc/sys/kernel"])
def test_nothing_can_be_written_outside_the_boxs_own_folders(box: Box, folder: str) -> None:
    assert box.run(["touch", f"{folder}/new"], timeout_s=20).code == 1


def test_no_capability_no_new_privilege_and_no_namespace_can_be_had(box: Box) -> None:
    status = box.run(["cat", "/proc/self/status"], timeout_s=20).stdout
    facts = dict(line.split(":\t", 1) for line in status.splitlines() if ":\t" in line)

    assert {facts[name].strip("0") for name in ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb")} == {""}
    assert facts["NoNewPrivs"] == "1"
    assert "0" not in facts["Uid"].split()
    assert box.run(["unshare", "--user", "true"], timeout_s=20).code != 0


def test_only_the_boxs_own_processes_are_seen(box: Box) -> None:
    names = python(box, "import os; print(sorted(int(n) for n in os.listdir('/proc') if n.isdigit()))")

    assert len(json.loads(names)) <= 3  # bubblewrap's init, the command, nobody else


def test_no_descriptor_of_the_server_is_inherited(box: Box) -> None:
    # the one that is listed is the listing itself
    assert box.run(["bash", "-c", "cd /proc/self/fd && echo *"], timeout_s=20).stdout in ("0 1 2\n", "0 1 2 3\n")


def test_one_box_sees_nothing_of_another(boxes: Boxes, box: Box) -> None:
    box.put("secret", b"mine")
    with boxes.open("other", tags={}, lifetime_s=60) as other:
        found = python(other, "import os; print([f for d, _, fs in os.walk('/') for f in fs if f == 'secret'])")

    assert found == "[]\n"


def test_memory_beyond_the_limit_is_refused_to_one_process(box: Box) -> None:
    assert "MemoryError" in python(box, "bytearray(600 << 20)")


def test_memory_beyond_the_limit_ends_many_processes(box: Box) -> None:
    script = """
        import os, time
        for _ in range(4):
            if os.fork() == 0:
                kept = bytearray(b"x") * (200 << 20)
                time.sleep(60)
        time.sleep(60)
    """
    assert "MB of memory" in python(box, script)


def test_several_commands_of_one_box_have_its_memory_together(box: Box) -> None:
    hold = "import time; kept = bytearray(b'x') * (200 << 20); print('held', flush=True); time.sleep(20)"
    with ThreadPoolExecutor(4) as pool:
        ended = list(pool.map(lambda _: box.run(["python", "-c", hold], timeout_s=60), range(4)))

    assert any("MB of memory" in each.stderr for each in ended)


def test_a_fork_bomb_stops_at_the_limit_and_the_box_lives(box: Box) -> None:
    script = """
        import os, time
        made = 0
        try:
            while True:
                if os.fork() == 0:
                    time.sleep(30)
                    os._exit(0)
                made += 1
        except BlockingIOError:
            print(made)
    """
    assert 40 < int(python(box, script)) < 64
    assert python(box, "print('alive')") == "alive\n"


def test_one_endless_file_ends(box: Box) -> None:
    assert "File too large" in python(box, "f = open('big', 'wb')\nwhile True: f.write(bytes(1 << 20))")


@pytest.mark.parametrize("hide", ["pass", "os.unlink(name)", "os.fchmod(folder, 0)"])
def test_many_files_end_however_they_are_hidden(box: Box, hide: str) -> None:
    script = f"""
        import os, time
        os.mkdir("d")
        os.chdir("d")
        folder = os.open(".", os.O_RDONLY)
        names = [str(n) for n in range(8)]
        kept = [open(name, "wb") for name in names]
        for file, name in zip(kept, names):
            {hide}
            file.write(bytes(1 << 20) * 50)
            file.flush()
        time.sleep(60)
    """
    assert "MB to disk" in python(box, script)


def test_folders_without_permissions_or_without_end_are_removed_with_their_box(
    boxes: Boxes, server: LocalServer
) -> None:
    nest = "import os\nfor _ in range(1500): os.mkdir('d' * 40); os.chdir('d' * 40)\n"
    with boxes.open("test", tags={}, lifetime_s=60) as box:
        box.run(["bash", "-c", "mkdir -p a/b && touch a/b/c && chmod 0 a/b a"], timeout_s=20)
        python(box, nest)

    assert until(lambda: box.id not in server.folders())
