"""What a script never needs and the kernel should not be asked for: system calls, by number on each processor.

Numbers are those of Linux' own tables (arch/x86/entry/syscalls/syscall_64.tbl and include/uapi/asm-generic/unistd.h).
A list of refusals and not of permissions: scripts load libraries that we did not write, and one unforeseen call must
not end a report. What is refused is what reaches far into the kernel, what makes memory no limit sees, and what would
look into other processes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

EPERM = 1
ENOSYS = 38


@dataclass(frozen=True)
class Machine:
    """A processor as seccomp tells it: `audit` is AUDIT_ARCH_*, `has_x32` that calls exist twice, see generate.py."""

    name: str
    audit: int
    has_x32: bool = False


X86_64 = Machine("x86_64", 0xC000003E, has_x32=True)
AARCH64 = Machine("aarch64", 0xC00000B7)
MACHINES = (X86_64, AARCH64)

Numbers = tuple[int | None, int | None]  # on x86_64, on aarch64; None where it does not exist

REFUSED: Mapping[str, Numbers] = {
    # rings and programs that run inside the kernel, the source of most of its recent holes
    "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    "bpf": (321, 280),
    "userfaultfd": (323, 282),
    "perf_event_open": (298, 241),
    # looking into other processes
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "kcmp": (312, 272),
    "pidfd_getfd": (438, 438),
    # keys are not namespaced
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
    # other namespaces, other roots, other mounts
    "unshare": (272, 97),
    "setns": (308, 268),
    "chroot": (161, 51),
    "pivot_root": (155, 41),
    "mount": (165, 40),
    "umount2": (166, 39),
    "move_mount": (429, 429),
    "open_tree": (428, 428),
    "fsopen": (430, 430),
    "fsconfig": (431, 431),
    "fsmount": (432, 432),
    "fspick": (433, 433),
    "mount_setattr": (442, 442),
    # files by handle pass by the mounts
    "name_to_handle_at": (303, 264),
    "open_by_handle_at": (304, 265),
    "fanotify_init": (300, 262),
    "fanotify_mark": (301, 263),
    # the machine itself
    "init_module": (175, 105),
    "finit_module": (313, 273),
    "delete_module": (176, 106),
    "kexec_load": (246, 104),
    "kexec_file_load": (320, 294),
    "reboot": (169, 142),
    "swapon": (167, 224),
    "swapoff": (168, 225),
    "acct": (163, 89),
    "quotactl": (179, 60),
    "quotactl_fd": (443, 443),
    "syslog": (103, 116),
    "settimeofday": (164, 170),
    "clock_settime": (227, 112),
    "adjtimex": (159, 171),
    "clock_adjtime": (305, 266),
    "sethostname": (170, 161),
    "setdomainname": (171, 162),
    "vhangup": (153, 58),
    "iopl": (172, None),
    "ioperm": (173, None),
    "modify_ldt": (154, None),
    "uselib": (134, None),
    "personality": (135, 92),
    # memory that belongs to no process, which neither a process' limit nor the watchdog sees
    "shmget": (29, 194),
    "semget": (64, 190),
    "msgget": (68, 186),
    "mq_open": (240, 180),
    "memfd_secret": (447, 447),
    "memfd_create": (319, 279),
    # counted for an account of the host, which a box shares where it has no uid of its own
    "inotify_init": (253, None),
    "inotify_init1": (294, 26),
}

# Looked at more closely: how they are called decides.
CLONE: Numbers = (56, 220)
CLONE3: Numbers = (435, 435)
SOCKET: Numbers = (41, 198)
SOCKETPAIR: Numbers = (53, 199)
IOCTL: Numbers = (16, 29)
SETRLIMIT: Numbers = (160, 164)
PRLIMIT: Numbers = (302, 261)
MMAP: Numbers = (9, 222)

# MAP_TYPE and MAP_ANONYMOUS, and what they are for memory that processes share: it lives on whole while one page of it
# is mapped, where neither a process' limit nor the watchdog sees it. What multiprocessing shares lies in files.
MAP_KIND, SHARED_ANONYMOUS = 0x2F, 0x21

# RLIMIT_CORE: with 0 a crash would be written into the host's own store of cores, see limits.py.
CORE_LIMIT = 4

# CLONE_NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET and NEWNS.
NEW_NAMESPACE_FLAGS = 0x02000000 | 0x04000000 | 0x08000000 | 0x10000000 | 0x20000000 | 0x40000000 | 0x00020000

# AF_UNIX, AF_INET, AF_INET6, which lead nowhere in a box's own network namespace, and AF_NETLINK, with which libc
# lists its dead loopback. AF_VSOCK for one is refused because no network namespace holds it: it leads to the host.
FAMILIES = (1, 2, 10, 16)

# TIOCSTI and TIOCLINUX put letters into a terminal's input.
TERMINAL_REQUESTS = (0x5412, 0x541C)
