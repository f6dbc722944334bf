"""Becomes PostgreSQL: gives up root, asks to be stopped when the starter dies, then replaces itself.

Run as a file with `python -I -S`, because between fork and exec of a threaded process none of this is safe.
"""

import ctypes
import os
import signal
import sys

PR_SET_PDEATHSIG = 1  # linux/prctl.h


def stop_with(parent: int) -> None:
    """Asks Linux for SIGINT, PostgreSQL's fast shutdown, when `parent` dies; elsewhere the next start cleans up."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, int(signal.SIGINT), 0, 0, 0)
    if os.getppid() != parent:
        sys.exit("the process that started this one is gone")


def main(uid: int, gid: int, parent: int, argv: list[str]) -> None:
    """`uid` -1 stays the user it is; `parent` 0 outlives its starter."""
    if uid >= 0:
        os.setgroups([])
        os.setgid(gid)
        os.setuid(uid)
    if parent:  # after the change of user, which would clear the wish
        stop_with(parent)
    os.chdir("/")
    os.execv(argv[0], argv)


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), sys.argv[4:])
