"""Writes the filters: `python -m sandbox.server.seccomp.generate`. They are small BPF programs, read top to bottom.

A program looks at one call at a time (struct seccomp_data) and says what becomes of it:

    another processor's calling convention  -> the process is killed; its numbers would mean something else
    x32, the second set of numbers          -> "no such call"
    clone3                                  -> "no such call"; its flags lie in memory, where a filter cannot look,
                                               and libc then uses clone
    clone with a new namespace              -> "not permitted"
    socket, socketpair of other families    -> "not permitted"
    ioctl that types into a terminal        -> "not permitted"
    another limit for cores                 -> "not permitted"
    mmap of memory that is shared           -> "not permitted"
    a call on the list of refusals          -> "not permitted"
    anything else                           -> allowed
"""

from __future__ import annotations

import struct
from collections.abc import Iterator

from sandbox.server.seccomp import FOLDER, calls
from sandbox.server.seccomp.calls import Machine, Numbers

# struct seccomp_data { int nr; u32 arch; u64 instruction_pointer; u64 args[6]; }, little endian
_NUMBER, _ARCH, _FIRST_ARGUMENT, _SECOND_ARGUMENT, _FOURTH_ARGUMENT = 0, 4, 16, 24, 40
# BPF_LD|BPF_W|BPF_ABS, BPF_JMP|BPF_JEQ|BPF_K, BPF_JMP|BPF_JGE|BPF_K, BPF_JMP|BPF_JSET|BPF_K, BPF_RET|BPF_K,
# BPF_ALU|BPF_AND|BPF_K
_LOAD, _IF_EQUAL, _IF_AT_LEAST, _IF_ANY_BIT, _RETURN, _AND = 0x20, 0x15, 0x35, 0x45, 0x06, 0x54
_ALLOW, _KILL, _ERRNO = 0x7FFF0000, 0x80000000, 0x00050000
_X32_BIT = 0x40000000

Step = tuple[int, int, int, int]  # code, skip when true, skip when false, value


def program(machine: Machine) -> bytes:
    """The filter for one processor, as an array of struct sock_filter."""
    return b"".join(struct.pack("<HBBI", *step) for step in _steps(machine))


def _steps(machine: Machine) -> Iterator[Step]:
    yield (_LOAD, 0, 0, _ARCH)
    yield from _unless(_IF_EQUAL, machine.audit, _KILL)
    yield (_LOAD, 0, 0, _NUMBER)
    if machine.has_x32:
        yield from _when(_IF_AT_LEAST, _X32_BIT, _refuse(calls.ENOSYS))
    yield from _when(_IF_EQUAL, _of(calls.CLONE3, machine), _refuse(calls.ENOSYS))
    for numbers in calls.REFUSED.values():
        if (number := _of(numbers, machine)) is not None:
            yield from _when(_IF_EQUAL, number, _refuse(calls.EPERM))
    flags = [(_IF_ANY_BIT, calls.NEW_NAMESPACE_FLAGS)]
    yield from _argument(_of(calls.CLONE, machine), _FIRST_ARGUMENT, flags, found=calls.EPERM)
    families = [(_IF_EQUAL, family) for family in calls.FAMILIES]
    for numbers in (calls.SOCKET, calls.SOCKETPAIR):
        yield from _argument(_of(numbers, machine), _FIRST_ARGUMENT, families, other=calls.EPERM)
    requests = [(_IF_EQUAL, request) for request in calls.TERMINAL_REQUESTS]
    yield from _argument(_of(calls.IOCTL, machine), _SECOND_ARGUMENT, requests, found=calls.EPERM)
    core = [(_IF_EQUAL, calls.CORE_LIMIT)]
    yield from _argument(_of(calls.SETRLIMIT, machine), _FIRST_ARGUMENT, core, found=calls.EPERM)
    yield from _argument(_of(calls.PRLIMIT, machine), _SECOND_ARGUMENT, core, found=calls.EPERM)
    shared = [(_IF_EQUAL, calls.SHARED_ANONYMOUS)]
    number = _of(calls.MMAP, machine)
    yield from _argument(number, _FOURTH_ARGUMENT, shared, found=calls.EPERM, bits=calls.MAP_KIND)
    yield (_RETURN, 0, 0, _ALLOW)


def _argument(
    number: int | None,
    offset: int,
    tests: list[tuple[int, int]],
    *,
    found: int = 0,
    other: int = 0,
    bits: int = 0xFFFFFFFF,
) -> Iterator[Step]:
    """For the call `number`, its argument decides: an error when a test is true (`found`) or when none is (`other`).

    `bits` are those of the argument that are looked at.
    """
    assert number is not None
    yield (_IF_EQUAL, 0, 2 * len(tests) + 3, number)
    yield (_LOAD, 0, 0, offset)
    yield (_AND, 0, 0, bits)
    for code, value in tests:
        yield from _when(code, value, _refuse(found))
    yield (_RETURN, 0, 0, _refuse(other))


def _when(code: int, value: int | None, verdict: int) -> Iterator[Step]:
    assert value is not None
    yield (code, 0, 1, value)
    yield (_RETURN, 0, 0, verdict)


def _unless(code: int, value: int, verdict: int) -> Iterator[Step]:
    yield (code, 1, 0, value)
    yield (_RETURN, 0, 0, verdict)


def _refuse(error: int) -> int:
    """No error is the permission."""
    return _ERRNO | error if error else _ALLOW


def _of(numbers: Numbers, machine: Machine) -> int | None:
    return numbers[calls.MACHINES.index(machine)]


def main() -> None:
    for machine in calls.MACHINES:
        (FOLDER / f"{machine.name}.bpf").write_bytes(program(machine))


if __name__ == "__main__":
    main()
