"""Runs a part so that it ends when the process that supervises it ends, however that came about.

    python -m bot.processes.lifeline bot.desk --port 0 ...

The supervisor keeps the other end of a pipe. When it dies the pipe closes, on every operating system, and the part
gets the SIGTERM that nobody is left to send. The part itself need know nothing of it.
"""

from __future__ import annotations

import contextlib
import os
import runpy
import signal
import sys
import threading
import time

VARIABLE = "STANDBY_LIFELINE_FD"
# sysexits.h EX_CONFIG: how a part says that starting it again changes nothing.
EXIT_REFUSED = 78
GRACE_S = 15.0  # time for a part to finish what it holds before it is ended for good


def hold(fd: int) -> None:
    """Watches the pipe `fd` from a thread of its own."""
    threading.Thread(target=_watch, args=(fd,), name="lifeline", daemon=True).start()


def _watch(fd: int) -> None:
    while os.read(fd, 64):
        pass  # nothing is ever said on it; only its end means something
    with contextlib.suppress(OSError):  # who would have read it may be gone with the supervisor
        print("the supervisor is gone: stopping", file=sys.stderr, flush=True)
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(GRACE_S)
    os._exit(1)


def main() -> None:
    """Becomes the module named first on the command line."""
    fd = os.environ.pop(VARIABLE, "")
    if fd:
        hold(int(fd))
    module, *arguments = sys.argv[1:]
    sys.argv = [module, *arguments]
    try:
        runpy.run_module(module, run_name="__main__", alter_sys=True)
    except Exception as error:
        code = _known(error)
        if code is None:
            raise
        print(error, file=sys.stderr, flush=True)
        sys.exit(code)


def _known(error: Exception) -> int | None:
    """The exit code for an error that is made of words for people; None for one that needs its traceback."""
    from bot.domain.errors import StandbyError  # noqa: PLC0415  the desk, which runs through here too, loads neither
    from bot.settings import SettingsError  # noqa: PLC0415
    from bot.store.migrate import SchemaNewer  # noqa: PLC0415

    if isinstance(error, SettingsError | SchemaNewer):
        return EXIT_REFUSED
    return 1 if isinstance(error, StandbyError) else None


if __name__ == "__main__":
    main()
