"""Running a command: what goes in arrives, what comes out is bounded, and how it ended is told."""

from __future__ import annotations

import pytest

from sandbox.client import Box, Boxes
from sandbox.errors import BoxLost, BoxTimeout
from tests.box import wire
from tests.box.local_server import LocalServer, until

ECHO = "import sys; sys.stdout.write('|'.join(sys.argv[1:]))"


@pytest.mark.parametrize(
    "word", ["two words", "it's", 'a "quote"', "$(id) `id` $HOME", "line\nbreak", "æøå ✓", "*", ""]
)
def test_an_argument_arrives_as_it_was_given(box: Box, word: str) -> None:
    ended = box.run(["python", "-c", ECHO, word, "next"], timeout_s=20)

    assert ended.stdout == f"{word}|next"


def test_the_exit_code_and_both_outputs_are_told(box: Box) -> None:
    ended = box.run(["bash", "-c", "echo out; echo err >&2; exit 7"], timeout_s=20)

    assert (ended.code, ended.stdout, ended.stderr) == (7, "out\n", "err\n")


def test_a_command_starts_at_home_where_files_are_put(box: Box) -> None:
    box.put("plan/plan.py", b"import os; print(os.getcwd())")

    assert box.run(["python", "plan/plan.py"], timeout_s=20).stdout == "/home/user\n"


def test_only_the_given_variables_reach_a_command(box: Box) -> None:
    ended = box.run(["env"], timeout_s=20, env={"SLOT": "2026-11-30"})

    assert "SLOT=2026-11-30" in ended.stdout
    assert LocalServer.SECRET not in ended.stdout
    assert "STANDBY" not in ended.stdout


def test_output_without_end_is_kept_within_its_bound(box: Box) -> None:
    script = "import sys; print('first'); sys.stdout.write('x' * 40_000_000); print('\\nlast')"

    ended = box.run(["python", "-c", script], timeout_s=60, output_limit_bytes=2_000)

    assert ended.stdout.startswith("first\n") and ended.stdout.endswith("\nlast\n")
    assert "bytes left out]" in ended.stdout
    assert len(ended.stdout) < 2_100


def test_output_that_is_no_text_is_shown_and_does_no_harm(box: Box) -> None:
    assert box.run(["printf", r"a\xffb"], timeout_s=20).stdout == "a\N{REPLACEMENT CHARACTER}b"


def test_a_command_that_outlives_its_time_ends_its_box(boxes: Boxes, server: LocalServer) -> None:
    with boxes.open("test", tags={}, lifetime_s=60) as box, pytest.raises(BoxTimeout, match="within 1 s"):
        box.run(["bash", "-c", "echo started; sleep 600"], timeout_s=1)

    assert box.id in server.ledger()["killed"]
    assert until(lambda: server.jails() == [])


def test_nothing_a_command_started_lives_on_after_it(box: Box, server: LocalServer) -> None:
    script = "setsid sleep 600 & (setsid bash -c 'sleep 600 & sleep 600' &) ; nohup sleep 600 & echo started"

    ended = box.run(["bash", "-c", script], timeout_s=20)

    assert ended.stdout == "started\n"
    assert ended.seconds < 10
    assert until(lambda: server.jails() == [])


def test_a_box_that_ends_under_a_command_is_lost_and_no_exit(boxes: Boxes, server: LocalServer) -> None:
    with boxes.open("test", tags={}, lifetime_s=1) as box, pytest.raises(BoxLost):
        box.run(["sleep", "600"], timeout_s=30)

    assert until(lambda: server.jails() == [])


def test_a_line_that_breaks_under_a_command_is_a_lost_box(box: Box, server: LocalServer) -> None:
    server.fault("cut", "/process.Process/Start", parts=2)

    with pytest.raises(BoxLost):
        box.run(["bash", "-c", "for i in 1 2 3 4 5; do echo $i; sleep 0.2; done"], timeout_s=20)


def test_a_broken_line_to_a_box_that_is_gone_is_a_lost_box(box: Box, server: LocalServer) -> None:
    server.fault("cut", "/process.Process/Start", parts=2)
    server.fault("status", "/health", method="GET", status=502, message="The sandbox was not found")

    with pytest.raises(BoxLost):
        box.run(["bash", "-c", "for i in 1 2 3 4 5; do echo $i; sleep 0.2; done"], timeout_s=20)


def test_a_variable_that_would_reach_the_launcher_is_refused(box: Box, server: LocalServer) -> None:
    answer = wire.start(server, box, {"process": {"cmd": "true", "envs": {"LD_PRELOAD": "/home/user/x.so"}}})

    assert "LD_PRELOAD" in answer
