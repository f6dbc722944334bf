"""The system call filter: the checked-in bytes are what the generator makes, and a box really refuses the calls."""

from __future__ import annotations

import json
import textwrap
from pathlib import Path

import pytest

from sandbox.client import Box
from sandbox.server.seccomp import NoFilter, calls, filter_bytes
from sandbox.server.seccomp.generate import program

HEADERS = (Path("/usr/include/x86_64-linux-gnu/asm/unistd_64.h"), Path("/usr/include/asm-generic/unistd.h"))

# Calls each number with zeros; an error other than "not permitted" would mean that the kernel itself looked at it.
ATTEMPTS = """
import ctypes, errno, json, sys
libc = ctypes.CDLL(None, use_errno=True)
said = {}
for name, number in json.loads(sys.argv[1]).items():
    libc.syscall(number, 0, 0, 0, 0, 0, 0)
    said[name] = errno.errorcode.get(ctypes.get_errno())
print(json.dumps(said))
"""


@pytest.mark.parametrize("machine", calls.MACHINES, ids=lambda machine: machine.name)
def test_the_checked_in_filter_is_what_the_generator_makes(machine: calls.Machine) -> None:
    assert filter_bytes(machine.name) == program(machine)


def test_a_processor_without_a_filter_is_refused_in_words() -> None:
    with pytest.raises(NoFilter, match="ppc64le"):
        filter_bytes("ppc64le")


@pytest.mark.parametrize(("column", "header"), list(enumerate(HEADERS)), ids=["x86_64", "aarch64"])
def test_the_numbers_are_the_kernels(column: int, header: Path) -> None:
    if not header.exists():
        pytest.skip("the kernel's headers are not installed here")
    words = [line.split() for line in header.read_text().splitlines() if line.startswith("#define __NR")]
    words = [line for line in words if line[-1].isdecimal()]  # and not another name for a number
    theirs = {line[1].replace("__NR3264_", "__NR_").removeprefix("__NR_"): line[2] for line in words if len(line) > 2}
    ours = calls.REFUSED | {"clone": calls.CLONE, "clone3": calls.CLONE3, "socket": calls.SOCKET}
    ours |= {"setrlimit": calls.SETRLIMIT, "prlimit64": calls.PRLIMIT, "mmap": calls.MMAP}
    ours |= {"socketpair": calls.SOCKETPAIR, "ioctl": calls.IOCTL}

    assert {name: theirs.get(name) for name, numbers in ours.items() if numbers[column] is not None} == {
        name: str(numbers[column]) for name, numbers in ours.items() if numbers[column] is not None
    }


def test_every_refused_call_is_refused_in_a_box(box: Box) -> None:
    column = 0 if "x86" in box.run(["uname", "-m"], timeout_s=20).stdout else 1
    numbers = {name: pair[column] for name, pair in calls.REFUSED.items() if pair[column] is not None}

    ended = box.run(["python", "-c", ATTEMPTS, json.dumps(numbers)], timeout_s=20)

    assert json.loads(ended.stdout) == dict.fromkeys(numbers, "EPERM")


# AF_VSOCK leads to the host of a virtual machine; the others are doors into the kernel that no network needs.
@pytest.mark.parametrize("family", [40, 38, 17, 31, 29, 30, 44, 15, 2000])
def test_a_socket_of_another_family_is_refused(box: Box, family: int) -> None:
    script = f"import socket; socket.socket({family}, socket.SOCK_DGRAM)"

    assert "PermissionError" in box.run(["python", "-c", script], timeout_s=20).stderr


@pytest.mark.parametrize("flag", ["NEWUSER", "NEWNET", "NEWPID", "NEWNS"])
def test_no_process_is_made_in_a_namespace_of_its_own(box: Box, flag: str) -> None:
    number = {"NEWUSER": 0x10000000, "NEWNET": 0x40000000, "NEWPID": 0x20000000, "NEWNS": 0x20000}[flag]
    script = f"""
        import ctypes, errno, os
        libc = ctypes.CDLL(None, use_errno=True)
        for call in ({calls.CLONE[0]}, {calls.CLONE3[0]}) if os.uname().machine == "x86_64" else (220, 435):
            print(libc.syscall(call, {number} | 17, 0, 0, 0, 0), errno.errorcode[ctypes.get_errno()])
    """

    assert box.run(["python", "-c", textwrap.dedent(script)], timeout_s=20).stdout == "-1 EPERM\n-1 ENOSYS\n"


def test_what_crashes_leaves_no_core_with_the_host_and_no_script_may_change_that(box: Box) -> None:
    told = box.run(["grep", "core file", "/proc/self/limits"], timeout_s=20).stdout
    script = "import resource; resource.setrlimit(resource.RLIMIT_CORE, (0, 0))"

    assert told.split()[4:6] == ["1", "1"]
    assert "ValueError" in box.run(["python", "-c", script], timeout_s=20).stderr


def test_threads_processes_and_semaphores_work_under_the_filter(box: Box) -> None:
    script = """
        import multiprocessing, threading, subprocess
        from multiprocessing.pool import Pool, ThreadPool
        if __name__ == "__main__":
            with Pool(2) as pool, ThreadPool(2) as threads:
                print(sum(pool.map(abs, [-1, -2])), sum(threads.map(abs, [-3])))
            print(subprocess.check_output(["echo", "child"], text=True).strip())
    """
    box.put("work.py", textwrap.dedent(script).encode())

    ended = box.run(["python", "work.py"], timeout_s=60)
    assert (ended.stdout, ended.stderr) == ("3 3\nchild\n", "")


def test_the_jails_own_command_line_tells_no_path_of_the_host(box: Box) -> None:
    told = box.run(["bash", "-c", "tr '\\0' ' ' < /proc/1/cmdline"], timeout_s=20).stdout

    assert "bwrap" in told
    assert "/boxes/" not in told and "--ro-bind" not in told
