"""Opening and ending: no box outlives its use, whoever dies and whichever answer is lost."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psutil
import pytest

from sandbox.client import Boxes, BoxSettings
from sandbox.errors import BoxBusy, BoxError, BoxLost, BoxRefused, BoxUnavailable
from sandbox.reaper import reap_orphans, reap_overdue
from tests.box import wire
from tests.box.local_server import ROOT, WITHOUT_NAMESPACES, LocalServer, busy, until

CREATE = "/v2/sandboxes"


def opened(boxes: Boxes, lifetime_s: int = 60) -> None:
    with boxes.open("test", tags={}, lifetime_s=lifetime_s):
        pass


def test_a_box_is_gone_when_its_block_ends(boxes: Boxes, server: LocalServer) -> None:
    with boxes.open("draft", tags={"run": "r-1"}, lifetime_s=60) as box:
        [listed] = boxes.listed({"run": "r-1"})
        assert (listed.id, listed.tags["purpose"], listed.tags["standby"]) == (box.id, "draft", "1")

    assert server.folders() == []
    assert boxes.listed() == []
    assert boxes.kill(box.id) is False


def test_a_box_is_gone_when_its_block_fails(boxes: Boxes, server: LocalServer) -> None:
    with pytest.raises(ZeroDivisionError), boxes.open("test", tags={}, lifetime_s=60):
        _ = 1 / 0

    assert server.folders() == []


def test_what_ran_in_which_box_is_known_after_its_end(boxes: Boxes, server: LocalServer) -> None:
    with boxes.open("run", tags={"run": "r-7"}, lifetime_s=60) as box:
        box.run(["python", "-c", "pass"], timeout_s=20)
        box.run(["python", "-c", "raise SystemExit(3)"], timeout_s=20)
        with contextlib.suppress(BoxError):
            box.run(["sleep", "60"], timeout_s=0.5)

    [life] = [one for one in server.http.get("/standby/boxes").json()["boxes"] if one["id"] == box.id]

    assert (life["tags"]["purpose"], life["tags"]["run"]) == ("run", "r-7")
    assert [one["exit"] for one in life["commands"]] == [0, 3, -1]
    assert [one["what"] for one in life["commands"]] == [
        "python -c pass",
        "python -c 'raise SystemExit(3)'",
        "sleep 60",
    ]
    assert life["began_at"] < life["ended_at"] and all(one["seconds"] > 0 for one in life["commands"])


def test_a_box_is_gone_when_its_time_is_up(boxes: Boxes, server: LocalServer) -> None:
    with boxes.open("test", tags={}, lifetime_s=1) as box:
        assert until(lambda: server.folders() == [])
        with pytest.raises(BoxLost):
            box.put("x", b"1")


def test_a_longer_life_than_the_provider_gives_is_refused(boxes: Boxes) -> None:
    with pytest.raises(BoxRefused, match="3601 s"):
        opened(boxes, lifetime_s=3601)


@pytest.mark.parametrize(
    ("status", "error"),
    [
        (429, BoxBusy),
        (503, BoxBusy),
        (500, BoxUnavailable),
        (502, BoxUnavailable),
        (403, BoxRefused),
        (401, BoxRefused),
    ],
)
def test_a_provider_that_fails_is_told_apart_from_one_that_refuses(
    boxes: Boxes, server: LocalServer, status: int, error: type[BoxError]
) -> None:
    server.fault("status", CREATE, status=status, times=5)

    with pytest.raises(error) as caught:
        opened(boxes)

    assert type(caught.value) is error


def test_a_busy_moment_passes_unnoticed(boxes: Boxes, server: LocalServer) -> None:
    server.fault("status", CREATE, status=429, times=2)

    opened(boxes)


def test_a_lost_answer_leaves_no_box(server: LocalServer, boxes: Boxes) -> None:
    server.fault("lost_reply", CREATE, milliseconds=4_000)
    hasty = Boxes(server.settings(request_timeout_s=0.5))
    made = len(server.ledger()["created"])

    with pytest.raises(BoxUnavailable):
        opened(hasty)

    assert len(server.ledger()["created"]) == made + 1
    assert boxes.listed() == []


def test_a_box_made_after_we_gave_up_is_reaped(server: LocalServer, boxes: Boxes) -> None:
    server.fault("delay", CREATE, milliseconds=1_500)
    hasty = Boxes(server.settings(request_timeout_s=0.4))
    made = len(server.ledger()["created"])
    with pytest.raises(BoxUnavailable):
        opened(hasty)
    assert until(lambda: len(server.ledger()["created"]) > made)

    assert len(reap_overdue(boxes, grace_s=-60)) == 1
    assert boxes.listed() == []


def test_an_answer_that_is_not_the_providers_is_an_unavailable_box(boxes: Boxes, server: LocalServer) -> None:
    server.fault("status", CREATE, status=201)

    with pytest.raises(BoxUnavailable):
        opened(boxes)


def test_a_reader_that_stopped_reading_holds_no_box_open(boxes: Boxes, server: LocalServer) -> None:
    with boxes.open("test", tags={}, lifetime_s=60) as box:
        flood = {"process": {"cmd": "bash", "args": ["-c", "yes | tee /dev/stderr"]}}
        with wire.started(server, box, flood):
            time.sleep(1)  # long enough to fill every buffer between the command and us
            begun = time.monotonic()
            assert boxes.kill(box.id)
            assert time.monotonic() - begun < 5


def test_boxes_open_side_by_side_from_many_threads(boxes: Boxes) -> None:
    def work(number: int) -> str:
        with boxes.open("test", tags={}, lifetime_s=60) as box:
            box.put("n", str(number).encode())
            return box.run(["cat", "n"], timeout_s=30).stdout

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(work, range(24))) == [str(number) for number in range(24)]


def test_more_boxes_than_the_provider_allows_is_busy(boxes: Boxes) -> None:
    with contextlib.ExitStack() as stack:
        for _ in range(20):
            stack.enter_context(boxes.open("test", tags={}, lifetime_s=60))
        with pytest.raises(BoxBusy, match="20"):
            opened(boxes)


def test_the_reaper_ends_the_boxes_of_dead_workers_of_this_install_and_no_other(boxes: Boxes) -> None:
    def opened_by(**tags: str) -> str:
        return stack.enter_context(boxes.tagged(**tags).open("test", tags={}, lifetime_s=60)).id

    with contextlib.ExitStack() as stack:
        dead = opened_by(install="a", worker="1")
        others = [opened_by(install="a", worker="2"), opened_by(install="b", worker="1"), opened_by(install="a")]

        assert reap_orphans(boxes, "a", lambda workers: set(workers) & {"1", "7"}) == [dead]
        assert sorted(each.id for each in boxes.listed()) == sorted(others)


def test_no_server_is_an_unavailable_box_and_not_a_crash(own_server: LocalServer) -> None:
    boxes = own_server.boxes()
    own_server.stop()

    with pytest.raises(BoxUnavailable):
        opened(boxes)


def test_a_server_that_dies_under_an_open_box_loses_it(own_server: LocalServer) -> None:
    with own_server.boxes().open("test", tags={}, lifetime_s=60) as box:
        own_server.kill()
        with pytest.raises(BoxLost):
            box.run(["true"], timeout_s=5)


def test_what_a_killed_server_left_is_swept_by_the_next(own_server: LocalServer) -> None:
    with own_server.boxes().open("test", tags={}, lifetime_s=300) as box, busy(box, own_server):
        box.put("secret", b"x")

        own_server.kill()
        own_server.start()

        assert until(lambda: own_server.jails() == [])
        assert own_server.folders() == []


def test_a_stopped_server_leaves_nothing(own_server: LocalServer) -> None:
    with own_server.boxes().open("test", tags={}, lifetime_s=300) as box, busy(box, own_server):
        assert own_server.stop() == 0
        assert own_server.jails() == []
        assert own_server.folders() == []


def test_a_second_server_in_the_same_folder_is_refused_in_words(server: LocalServer) -> None:
    ran = subprocess.run(server.argv(), capture_output=True, text=True, timeout=30, check=False)

    assert ran.returncode == 78
    assert "another box server is using" in ran.stderr


def test_where_nothing_confines_the_server_refuses_and_says_what_to_type(own_server: LocalServer) -> None:
    own_server.stop()
    python, _, _, _, *flags = own_server.argv()
    hide = "import runpy, sys; sys.modules['sandlock'] = None; runpy.run_module('sandbox.server', run_name='__main__')"

    ran = subprocess.run(
        [*WITHOUT_NAMESPACES, python, "-c", hide, *flags], capture_output=True, text=True, timeout=30, check=False
    )

    assert ran.returncode == 78
    assert "No script is run" in ran.stderr and "sysctl -w user.max_user_namespaces" in ran.stderr


def test_the_environment_neither_redirects_hosted_boxes_nor_stands_before_our_own_server(server: LocalServer) -> None:
    script = (
        "import sys; from sandbox.client import Boxes, BoxSettings\n"
        "try: Boxes(BoxSettings('key'))\n"
        "except Exception as refused: print(refused)\n"
        "with Boxes(BoxSettings(*sys.stdin.read().split())).open('test', tags={}, lifetime_s=60) as box: print(box.id)"
    )
    nowhere = "http://127.0.0.1:9"
    env = {**os.environ, "HTTP_PROXY": nowhere, "http_proxy": nowhere, "ALL_PROXY": nowhere, "E2B_SANDBOX_URL": nowhere}

    ran = subprocess.run(
        [sys.executable, "-c", script],
        input=f"{server.key} {server.url} {server.url}",
        env=env,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )

    refused, box_id = ran.stdout.splitlines()
    assert "E2B_SANDBOX_URL is set" in refused
    assert box_id.startswith("i"), ran.stderr


def test_settings_do_not_show_the_key() -> None:
    assert "secret" not in repr(BoxSettings("secret"))


def test_a_server_of_tests_that_are_killed_ends_too(tmp_path: Path) -> None:
    script = (
        "import os, signal, sys; from pathlib import Path; from tests.box.local_server import LocalServer\n"
        "print(LocalServer(Path(sys.argv[1])).process.pid, flush=True); os.kill(os.getpid(), signal.SIGKILL)"
    )
    killed = subprocess.run(
        [sys.executable, "-c", script, tmp_path], cwd=ROOT, capture_output=True, text=True, timeout=60, check=False
    )
    server = int(killed.stdout)

    assert until(lambda: not psutil.pid_exists(server) or psutil.Process(server).status() == psutil.STATUS_ZOMBIE)
