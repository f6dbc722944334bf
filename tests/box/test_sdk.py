"""What the e2b SDK can do besides what our client asks of it: it works here, or is refused in words."""

from __future__ import annotations

import shlex
import time
from collections.abc import Iterator
from pathlib import Path

import e2b
import httpx
import pytest

from sandbox.client import Boxes
from tests.box.local_server import LocalServer, until


@pytest.fixture
def sdk(server: LocalServer, boxes: Boxes) -> Iterator[e2b.Sandbox]:
    """A box as the SDK itself gives it."""
    client = e2b.E2B(api_key=server.key, api_url=server.url, sandbox_url=server.url)
    sandbox = client.Sandbox.create(
        template="base", timeout=60, allow_internet_access=False, network={"allow_public_traffic": False}
    )
    yield sandbox
    boxes.kill(sandbox.sandbox_id)


def get(url: str) -> httpx.Response:
    return httpx.get(url, trust_env=False)


def test_a_signed_address_gives_one_file_to_who_holds_it(sdk: e2b.Sandbox) -> None:
    sdk.files.write("a b.csv", "1,2")

    assert get(sdk.download_url("a b.csv", use_signature_expiration=60)).text == "1,2"
    assert get(sdk.download_url("a b.csv")).text == "1,2"


def test_a_signed_address_takes_one_file(sdk: e2b.Sandbox) -> None:
    answer = httpx.post(sdk.upload_url("up.csv"), files={"file": ("x", b"3,4")}, trust_env=False)

    assert answer.status_code == 200
    assert sdk.files.read("up.csv") == "3,4"


def test_a_signature_is_for_one_file_one_way_and_its_time(sdk: e2b.Sandbox) -> None:
    sdk.files.write("a", "1")
    sdk.files.write("b", "2")
    signed = sdk.download_url("a", use_signature_expiration=60)

    assert get(signed.replace("path=a", "path=b")).status_code == 401
    assert httpx.post(signed, files={"file": ("x", b"3")}, trust_env=False).status_code == 401
    assert get(signed.replace("signature=v1_", "signature=v1_0")).status_code == 401
    assert get(signed.replace("signature_expiration=", "signature_expiration=9")).status_code == 401
    assert get(sdk.download_url("a", use_signature_expiration=-1)).status_code == 401


def test_input_streams_into_a_command(sdk: e2b.Sandbox) -> None:
    command = sdk.commands.run("sort > sorted; echo done", background=True, stdin=True)
    sdk.commands.stream_input(command.pid, (f"{number}\n" for number in range(5_000, 0, -1)))
    sdk.commands.close_stdin(command.pid)
    command.wait()

    assert sdk.files.read("sorted").splitlines()[:2] == ["1", "10"]


def test_input_for_no_command_is_not_found(sdk: e2b.Sandbox) -> None:
    with pytest.raises(e2b.NotFoundException):
        sdk.commands.stream_input(4_000_000, ["x"])


def test_a_terminal_is_refused_in_words(sdk: e2b.Sandbox) -> None:
    with pytest.raises(e2b.InvalidArgumentException, match="no terminals"):
        sdk.pty.create(e2b.PtySize(rows=24, cols=80))


def test_a_folder_of_names_that_are_no_text_and_of_times_that_never_come_is_listed(sdk: e2b.Sandbox) -> None:
    script = r"import os; os.mkdir('n'); open(b'n/\xff', 'w'); open('n/a\nb', 'w'); os.utime('n', (2**33, 2**33))"
    sdk.commands.run(f"python3 -c {shlex.quote(script)}")

    assert [entry.name for entry in sdk.files.list("n")] == ["a\nb", "?"]


def test_a_watched_folder_tells_what_happened_in_it(sdk: e2b.Sandbox) -> None:
    sdk.files.make_dir("out")
    watcher = sdk.files.watch_dir("out")
    sdk.commands.run("cd out && echo 1 > a && mv a b && chmod 600 b && rm b && mkdir deep && echo 1 > deep/c")

    told = [(event.name, event.type.value) for event in watcher.get_new_events()]
    assert told[:2] == [("a", "create"), ("a", "write")]
    assert {("a", "rename"), ("b", "create"), ("b", "chmod"), ("b", "remove"), ("deep", "create")} <= set(told)
    assert "c" not in {name for name, _ in told}
    assert watcher.get_new_events() == []
    watcher.stop()


def test_what_a_watcher_cannot_do_is_refused(sdk: e2b.Sandbox) -> None:
    with pytest.raises(e2b.InvalidArgumentException, match="recursive"):
        sdk.files.watch_dir(".", recursive=True)


def test_a_watched_folder_that_a_script_swaps_for_a_link_shows_nothing_of_the_host(sdk: e2b.Sandbox) -> None:
    sdk.commands.run("ln -s / out")
    with pytest.raises(e2b.SandboxException):
        sdk.files.watch_dir("out/etc")


def test_a_box_that_ends_takes_its_watchers_with_it(sdk: e2b.Sandbox, server: LocalServer, boxes: Boxes) -> None:
    sdk.files.make_dir("out")
    before = descriptors(server)
    for _ in range(16):
        sdk.files.watch_dir("out")
    with pytest.raises(e2b.SandboxException, match="16 watchers"):
        sdk.files.watch_dir("out")

    assert boxes.kill(sdk.sandbox_id)
    assert until(lambda: descriptors(server) <= before)


def test_files_are_listed_moved_and_removed(sdk: e2b.Sandbox) -> None:
    assert sdk.files.make_dir("d/e") and not sdk.files.make_dir("d/e")
    sdk.files.write("d/a", "1")
    sdk.files.rename("d/a", "d/e/b")

    assert [(entry.path, entry.size) for entry in sdk.files.list("d", depth=2) if entry.name == "b"] == [
        ("/home/user/d/e/b", 1)
    ]
    sdk.files.remove("d")
    assert not sdk.files.exists("d")


def test_a_command_in_the_background_is_joined_signalled_and_listed(sdk: e2b.Sandbox) -> None:
    command = sdk.commands.run("trap 'exit 3' TERM; echo up; while true; do sleep 0.1; done", background=True)
    assert command.pid in [each.pid for each in sdk.commands.list()]
    joined = sdk.commands.connect(command.pid)

    time.sleep(0.3)
    assert sdk.commands.kill(command.pid)
    with pytest.raises(e2b.CommandExitException):
        joined.wait()


def descriptors(server: LocalServer) -> int:
    return len(list(Path(f"/proc/{server.process.pid}/fd").iterdir()))
