"""Parts are started in order, started again when they crash, and gone when the supervisor stops."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import psutil
import pytest

from bot.processes.environment import plain
from bot.processes.log_file import LogFile
from bot.processes.parts import ProcessPart, Program
from bot.processes.supervisor import ONE_REQUEST_S, PartDidNotStart, StopAsked, Supervisor

SUPERVISED = """
import os, sys
from pathlib import Path
from tests.processes.test_supervisor import make_part
from bot.processes.supervisor import Supervisor
supervisor = Supervisor(print)
supervisor.start(make_part(Path(sys.argv[1]), "steady"))
print("pid", supervisor.parts[0].pid, flush=True)
supervisor.watch()
"""


def make_part(logs: Path, what: str, *arguments: str, name: str = "part") -> ProcessPart:
    # The part is found from the checkout, as the installed parts are found in their package.
    environment = plain(os.environ) | {"PYTHONPATH": str(Path(__file__).parents[2])}
    program = Program(
        name, "tests.processes.small_part", environment, ready="part ready", arguments=lambda: [what, *arguments]
    )
    return ProcessPart(program, logs)


@dataclass
class Run:
    """A supervisor and what it said."""

    said: list[str] = field(default_factory=list)
    supervisor: Supervisor = field(init=False)

    def __post_init__(self) -> None:
        self.supervisor = Supervisor(self.said.append)

    @contextmanager
    def watched(self) -> Iterator[None]:
        thread = threading.Thread(target=self.supervisor.watch)
        thread.start()
        try:
            yield
        finally:
            self.supervisor.ask_to_stop()
            thread.join()

    def has_said(self, words: str) -> bool:
        return any(words in line for line in self.said)


@pytest.fixture
def run() -> Iterator[Run]:
    run = Run()
    yield run
    run.supervisor.stop()


def soon(holds: Callable[[], bool], within_s: float = 20.0) -> bool:
    deadline = time.monotonic() + within_s
    while not holds():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True


def is_gone(pid: int) -> bool:
    try:
        return psutil.Process(pid).status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True


def test_a_part_runs_in_a_session_of_its_own_and_finishes_when_asked(run: Run, tmp_path: Path) -> None:
    part = make_part(tmp_path, "steady")
    run.supervisor.start(part)
    pid = part.pid
    assert os.getsid(pid) == pid
    run.supervisor.stop()
    assert is_gone(pid) and "finished what it held" in part.log.since_start()


def test_a_part_that_does_not_start_is_told_with_its_last_words(run: Run, tmp_path: Path) -> None:
    with pytest.raises(PartDidNotStart, match=r"(?s)part did not start \(exit code 1\).*no such table: slots") as told:
        run.supervisor.start(make_part(tmp_path, "broken"))
    assert str(tmp_path / "part.log") in str(told.value)


def test_a_part_that_lacks_a_setting_says_so_without_a_traceback(run: Run, tmp_path: Path) -> None:
    with pytest.raises(PartDidNotStart, match=r"(?s)exit code 78.*STANDBY_SMTP_PORT input should be") as told:
        run.supervisor.start(make_part(tmp_path, "misconfigured"))
    assert "Traceback" not in str(told.value)


def test_a_crashed_part_is_started_again_and_said(run: Run, tmp_path: Path) -> None:
    run.supervisor.start(make_part(tmp_path, "unlucky_once", str(tmp_path / "flag")))
    with run.watched():
        assert soon(lambda: run.has_said("part runs again."))
    assert run.has_said("part stopped unexpectedly (exit code 1): RuntimeError: the disk has run away")


def test_a_killed_part_is_started_again_and_the_signal_named(run: Run, tmp_path: Path) -> None:
    part = make_part(tmp_path, "steady")
    run.supervisor.start(part)
    first = part.pid
    with run.watched():
        os.kill(first, signal.SIGKILL)
        assert soon(lambda: run.has_said("part runs again."))
    assert run.has_said("part stopped unexpectedly (signal SIGKILL): it was ended from outside") and part.pid != first


@pytest.mark.slow  # five starts, each waited for
def test_a_part_that_crashes_five_times_in_a_minute_is_told_with_its_last_lines(run: Run, tmp_path: Path) -> None:
    run.supervisor.start(make_part(tmp_path, "unlucky"))
    with run.watched():
        assert soon(lambda: run.has_said("would again"), within_s=40)
    assert run.has_said("the next try is in 60 s") and run.has_said("standby doctor")


def test_a_part_that_says_it_cannot_work_here_is_not_tried_again_at_once(run: Run, tmp_path: Path) -> None:
    run.supervisor.start(make_part(tmp_path, "refusing"))
    with run.watched():
        assert soon(lambda: run.has_said("there is no jail on this computer"))
    assert run.has_said("the next try is in 60 s")


def test_what_a_part_started_is_gone_with_it(run: Run, tmp_path: Path) -> None:
    part = make_part(tmp_path, "parent")
    run.supervisor.start(part)
    children = psutil.Process(part.pid).children(recursive=True)
    assert len(children) == 2
    run.supervisor.stop()
    assert soon(lambda: all(is_gone(child.pid) for child in children))


def test_a_second_request_to_stop_waits_for_nobody(run: Run, tmp_path: Path) -> None:
    part = make_part(tmp_path, "stubborn")
    run.supervisor.start(part)
    pid = part.pid
    run.supervisor.ask_to_stop()
    run.supervisor.ask_to_stop()  # the same Ctrl-C, passed on by whoever started us
    stopping = threading.Thread(target=run.supervisor.stop)
    stopping.start()
    time.sleep(ONE_REQUEST_S + 0.2)
    assert stopping.is_alive() and not is_gone(pid)
    run.supervisor.ask_to_stop()
    stopping.join(5)
    assert is_gone(pid)
    assert run.has_said("part did not finish what it held and was ended.")


def test_parts_stop_in_the_opposite_order(run: Run, tmp_path: Path) -> None:
    first, second = make_part(tmp_path, "steady", name="first"), make_part(tmp_path, "steady", name="second")
    run.supervisor.start(first)
    run.supervisor.start(second)
    run.supervisor.stop()
    ended = [part.log.path.stat().st_mtime_ns for part in (second, first)]
    assert ended == sorted(ended)


def test_a_stop_asked_while_starting_is_heard(run: Run, tmp_path: Path) -> None:
    run.supervisor.ask_to_stop()
    with pytest.raises(StopAsked):
        run.supervisor.start(make_part(tmp_path, "steady"))


def test_after_kill_9_of_the_supervisor_its_parts_end_by_themselves(tmp_path: Path) -> None:
    command = [sys.executable, "-c", SUPERVISED, str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=Path(__file__).parents[2]) as supervisor:
        assert supervisor.stdout is not None
        pid = int(supervisor.stdout.readline().split()[1])
        supervisor.kill()
    assert soon(lambda: is_gone(pid))
    log = (tmp_path / "part.log").read_text()
    assert "the supervisor is gone: stopping" in log and "finished what it held" in log


def test_a_log_stays_bounded_while_its_part_writes(run: Run, tmp_path: Path) -> None:
    part = make_part(tmp_path, "talker")
    part.log = LogFile(tmp_path / "part.log", limit_bytes=200_000)
    run.supervisor.start(part)
    with run.watched():
        assert soon((tmp_path / "part.log.1").exists)
        time.sleep(1)
    assert (tmp_path / "part.log").stat().st_size < 1_000_000
    assert (tmp_path / "part.log").read_bytes()[:4] != b"\0\0\0\0", "it goes on at the beginning, without a hole"
