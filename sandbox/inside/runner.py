"""Runs the approved bytes once and writes outcome.json: `python runner.py DIGEST`, in the folder that holds plan/."""

from __future__ import annotations

import contextlib
import ctypes
import hashlib
import json
import os
import shutil
import signal
import stat
import subprocess
import sys
import threading
import time
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any, BinaryIO

from plan_folder import PlanFolder, PlanFolderError, digest_of, read_tree

REFUSED = 70  # exit code: the bytes here are not the approved ones, nothing ran
LOG_LIMIT_BYTES = 64 * 1024
DOCUMENT_LIMIT_BYTES = 16_000_000
ATTACHMENTS_LIMIT_BYTES = 1_000_000_000  # of all together: they are read to the end
PR_SET_DUMPABLE = 4
PR_SET_CHILD_SUBREAPER = 36
STRAYS_S = 10.0
OURS = ("runner.py", "child.py", "plan_folder.py")  # and kit/: what decides how a plan runs
CHILD = ("-P", "-s", "-B", "-X", "utf8")  # no script folder, no user's packages, nothing written, UTF-8


class Refused(Exception):
    """What lies in plan/ or beside it is not what was approved."""


class AttachmentError(Exception):
    """What a script attached cannot be read as a file."""


def main() -> int:
    home = os.open(".", os.O_RDONLY | os.O_DIRECTORY)
    _clear()
    stand_apart()
    try:
        folder = _approved(sys.argv[1])
    except (Refused, PlanFolderError, OSError) as error:
        print(error, file=sys.stderr)
        return REFUSED
    outcome = _attempt(folder)
    os.fchmod(home, 0o755)  # a script may take the permissions from its own folder
    with _new_file("outcome.json") as file:
        file.write(outcome.encode())
    return 0


def _clear() -> None:
    """Each run starts from nothing, also the second one in the same box: no outcome of an earlier one is left."""
    for name in ("outcome.json", "script.log"):
        _put_aside(name)
    for name in ("outputs", "scratch"):
        shutil.rmtree(name, ignore_errors=True)
        _put_aside(name)
        Path(name).mkdir()


def _new_file(name: str) -> BinaryIO:
    """Whatever a script put there (a folder, a pipe, a link) is neither followed nor waited for."""
    _put_aside(name)
    return os.fdopen(os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o644), "wb")


def _put_aside(name: str) -> None:
    """Renamed, which works for whatever it is; a folder may be too deep to be removed."""
    with contextlib.suppress(FileNotFoundError):
        Path(name).rename(f".aside-{os.urandom(8).hex()}")


def _approved(digest: str) -> PlanFolder:
    """The plan folder as it is on disk now; from here on only these bytes in memory are used."""
    folder = PlanFolder.read(Path("plan"))
    if folder.digest != digest:
        raise Refused(f"the plan in the box has digest {folder.digest}, approved was {digest}")
    kit = json.loads(folder.files["box.json"])["kit"]
    ours = _our_files()
    if digest_of(ours) != kit:
        raise Refused(f"the kit in the box has digest {digest_of(ours)}, approved was {kit}")
    return folder


def _our_files() -> dict[str, bytes]:
    own = {name: Path(name).read_bytes() for name in OURS if Path(name).is_file()}
    return own | {f"kit/{name}": data for name, data in read_tree(Path("kit")).items()}


def _attempt(folder: PlanFolder) -> str:
    """The outcome as JSON. Whatever a script declares, it is the script's doing and no failure of the box."""
    started = time.monotonic()
    limits = tomllib.loads(folder.files["plan.toml"].decode("utf-8"))["limits"]
    child = Child(_letter(folder, limits), float(limits["time_s"]))
    try:
        outcome = child.outcome()
        if outcome["kind"] == "report":
            outcome["seconds"] = round(time.monotonic() - started, 3)
            outcome["attachments"] = _all_measured(outcome["attachments"])
        return json.dumps(_storable(outcome), allow_nan=False)
    except AttachmentError as error:
        crash = child.crash("AttachmentError", f"An attachment could not be read: {error}.")
    except (ValueError, TypeError, LookupError, RecursionError) as error:
        crash = child.crash("OutputUnreadable", f"What the script declared cannot be read: {error!r:.500}.")
    return json.dumps(_storable(crash))


def _letter(folder: PlanFolder, limits: dict[str, Any]) -> bytes:
    texts = {"source": "plan.py", "plan_toml": "plan.toml", "report_md": "report.md"}
    letter: dict[str, Any] = {key: folder.files[name].decode("utf-8") for key, name in texts.items()}
    letter["slot_json"] = Path("slot.json").read_text(encoding="utf-8")
    letter["memory_mb"] = limits["memory_mb"]
    return json.dumps(letter).encode()


class Child:
    """The script's process: its words go to script.log, its document comes by a pipe of its own."""

    def __init__(self, letter: bytes, time_s: float) -> None:
        self._letter = letter
        self._time_s = time_s
        self._document = b""
        self._words = b""

    def outcome(self) -> dict[str, Any]:
        log = _new_file("script.log")
        reading, writing = os.pipe()
        process = subprocess.Popen(
            [sys.executable, *CHILD, "child.py", str(writing)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            pass_fds=[writing],
            env=environment(),
            start_new_session=True,
        )
        os.close(writing)
        assert process.stdin is not None and process.stdout is not None
        readers = [_thread(self._keep_words, process.stdout), _thread(self._keep_document, os.fdopen(reading, "rb"))]
        with contextlib.suppress(BrokenPipeError), process.stdin as stdin:
            stdin.write(self._letter)
        in_time = _ended_in_time(process, self._time_s)
        for thread in readers:
            thread.join(timeout=5)  # a grandchild may hold the pipes open; its words are not waited for
        with log:
            log.write(self._words)
        return self._judged(process.returncode, in_time)

    def _keep_document(self, pipe: BinaryIO) -> None:
        self._document = pipe.read(DOCUMENT_LIMIT_BYTES + 1)

    def _keep_words(self, pipe: BinaryIO) -> None:
        """The first 64 KB; the rest is read and dropped, so that a loud script is not held up."""
        while piece := pipe.read1(65_536):  # type: ignore[attr-defined]  # a buffered pipe has it, BinaryIO does not say so
            self._words += piece[: LOG_LIMIT_BYTES - len(self._words)]

    def _judged(self, code: int, in_time: bool) -> dict[str, Any]:
        """Only a whole document of a process that ended by itself counts."""
        if not in_time:
            return self.crash("TimeLimit", f"The script was stopped after {self._time_s:g} s, its limit.")
        if len(self._document) > DOCUMENT_LIMIT_BYTES:
            return self.crash("OutputLimit", f"The script declared more than {DOCUMENT_LIMIT_BYTES:,} bytes of output.")
        if code != 0 or not self._document:
            return self.crash("EndedEarly", f"{_how_it_ended(code)}. Its last words: {self._last_words()}")
        outcome: dict[str, Any] = json.loads(self._document)
        return outcome

    def crash(self, error: str, message: str) -> dict[str, Any]:
        return {"kind": "crash", "error": error, "message": message, "traceback": self._last_words(), "line": 0}

    def _last_words(self) -> str:
        return self._words[-1_000:].decode("utf-8", "replace").strip()


def _ended_in_time(process: subprocess.Popen[bytes], time_s: float) -> bool:
    try:
        process.wait(timeout=time_s)
        return True
    except subprocess.TimeoutExpired:
        return False
    finally:
        # Whatever the script started in its session ends with it.
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        end_strays()


def stand_apart() -> None:
    """On Linux, where boxes are: what the script starts and leaves behind, in whatever session, becomes our child;
    and our memory is closed to it, in which it could write an outcome."""
    with contextlib.suppress(OSError, AttributeError):
        libc = ctypes.CDLL(None)
        libc.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
        libc.prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)


def end_strays() -> None:
    """Nothing of a script outlives it: else it could still write while the outcome is measured and judged."""
    deadline = time.monotonic() + STRAYS_S
    while (strays := _children()) and time.monotonic() < deadline:
        for pid in strays:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
        with contextlib.suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        time.sleep(0.002)


def _children() -> list[int]:
    """Orphans come to us one generation at a time, so our own children are enough, asked for until there are none."""
    found: list[int] = []
    for task in Path("/proc/self/task").glob("*/children"):
        with contextlib.suppress(OSError):
            found += [int(pid) for pid in task.read_text(encoding="ascii").split()]
    return found


def _thread(work: Callable[[Any], None], pipe: Any) -> threading.Thread:
    thread = threading.Thread(target=work, args=(pipe,), daemon=True)
    thread.start()
    return thread


def environment() -> dict[str, str]:
    """Nothing from outside but where programs are; equal hashes, so that two runs order sets alike."""
    return {
        "PATH": os.environ.get("PATH", "/usr/bin:/bin"),
        "HOME": str(Path("scratch").absolute()),
        "TMPDIR": str(Path("scratch").absolute()),
        "TZ": "UTC",
        "LANG": "C.UTF-8",
        "PYTHONHASHSEED": "0",
        "MPLBACKEND": "Agg",
        "POLARS_MAX_THREADS": "2",
        "OMP_NUM_THREADS": "2",
    }


def _all_measured(declared: list[dict[str, str]]) -> list[dict[str, Any]]:
    left = ATTACHMENTS_LIMIT_BYTES
    measured = []
    for one in declared:
        try:
            measured.append(_measured(one, left))
        except OSError as error:
            raise AttachmentError(str(error)) from error
        left -= measured[-1]["bytes"]
    return measured


def _measured(declared: dict[str, str], limit_bytes: int) -> dict[str, Any]:
    """Size and digest of an attachment, opened without following a link."""
    descriptor = os.open(declared["path"], os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    with os.fdopen(descriptor, "rb") as stream:
        info = os.fstat(descriptor)
        if not stat.S_ISREG(info.st_mode):
            raise AttachmentError(f"{declared['path']} is no ordinary file")
        if info.st_size > limit_bytes:
            raise AttachmentError(f"all of them have more than {ATTACHMENTS_LIMIT_BYTES:,} bytes")
        return {**declared, "bytes": info.st_size, "sha256": hashlib.file_digest(stream, "sha256").hexdigest()}


def _storable(value: Any) -> Any:
    """The same with NUL characters and lone surrogates written out, since no database keeps them as text."""
    if isinstance(value, str):
        return value.replace("\0", "\\0").encode("utf-8", "backslashreplace").decode("utf-8")
    if isinstance(value, list):
        return [_storable(one) for one in value]
    if isinstance(value, dict):
        return {_storable(key): _storable(one) for key, one in value.items()}
    return value


def _how_it_ended(code: int) -> str:
    if code < 0:
        return f"The script was killed by {signal.Signals(-code).name} before it could report"
    return f"The script's process ended with code {code} and without a report"


if __name__ == "__main__":
    sys.exit(main())
