"""What the database itself cannot know: the key that seals the history, and where it ended when it was last written to.

Both lie outside it, so that whoever can write to the database can neither add an entry nor cut the newest ones off
without being found out.
"""

import fcntl
import hashlib
import hmac
import json
import os
import secrets
import tempfile
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from bot.domain.errors import StandbyError

KEY_FILE, HEAD_FILE = "history.key", "history.head"
KEY_BYTES = 32
WAIT_S = 2.0


class SealProblem(StandbyError):
    """The key cannot be read or made; the text says where it would be and what to do."""


@dataclass(frozen=True)
class Head:
    """The newest entry of the history as it was committed."""

    id: int
    hash: str


@dataclass(frozen=True)
class Seal:
    """`key` is empty where nothing is sealed; `head_file` is where the newest entry is noted, None for nowhere."""

    key: bytes = b""
    head_file: Path | None = None

    def of(self, entry_hash: str) -> str:
        """The seal of an entry with that hash: 64 hex digits; empty without a key."""
        return hmac.new(self.key, entry_hash.encode(), hashlib.sha256).hexdigest() if self.key else ""

    def fits(self, entry_hash: str, seal: str) -> bool:
        return hmac.compare_digest(self.of(entry_hash).encode(), seal.encode())

    def note(self, head: Head) -> None:
        """Note the newest entry, after its commit. Where that fails an older note stands, which finds longer cuts."""
        if self.head_file is None:
            return
        with suppress(OSError):
            # With a key of the settings, a database and kept files elsewhere, nobody else makes the folder.
            self.head_file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            with self.head_file.with_suffix(".lock").open("a") as lock:
                fcntl.flock(lock, fcntl.LOCK_EX)
                before = self.noted()
                if before is None or before.id < head.id:
                    _write_whole(self.head_file, json.dumps({"id": head.id, "hash": head.hash}))

    def noted(self) -> Head | None:
        """What was noted last; None where nothing was, or it cannot be read."""
        try:
            kept = json.loads(self.head_file.read_text(encoding="utf-8")) if self.head_file else None
            return Head(int(kept["id"]), str(kept["hash"])) if kept else None
        except (OSError, ValueError, KeyError, TypeError):
            return None


def seal_in(folder: Path, key: str = "", *, makes_key: bool = True) -> Seal:
    """The seal of a data folder: `key` where the settings have one, else that of its file, made at the first start.

    Without `makes_key` and without a file there is no seal. Raises SealProblem.
    """
    head_file = folder / HEAD_FILE
    if key:
        return Seal(key.encode(), head_file)
    path = folder / KEY_FILE
    try:
        if not path.exists():
            if not makes_key:
                return Seal()
            _make(path)
        return Seal(_read(path), head_file)
    except OSError as error:
        raise SealProblem(
            f"The key that seals the history cannot be kept at {path} ({error.strerror}). "
            "Make the folder writable for this user, or set STANDBY_HISTORY_KEY."
        ) from error


def _make(path: Path) -> None:
    """A new key, readable by us alone. Of several processes that start at once, one makes it and all read that one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, made = tempfile.mkstemp(dir=path.parent, prefix=".history")  # mode 0600
    with os.fdopen(handle, "w") as file:
        file.write(secrets.token_hex(KEY_BYTES))
        file.flush()
        os.fsync(file.fileno())
    try:
        with suppress(FileExistsError):
            os.link(made, path)
    finally:
        Path(made).unlink()


def _read(path: Path) -> bytes:
    if path.stat().st_mode & 0o077:
        raise SealProblem(
            f"{path} can be read by others, so it seals nothing. `chmod 600 {path}`; if somebody may have read it, "
            "check the history with `standby verify` first."
        )
    until = time.monotonic() + WAIT_S
    while len(key := path.read_bytes().strip()) < KEY_BYTES:
        if time.monotonic() > until:
            raise SealProblem(f"{path} holds no key. Restore it from a backup, or set STANDBY_HISTORY_KEY.")
        time.sleep(0.05)
    return key


def _write_whole(path: Path, text: str) -> None:
    """So that whoever reads finds the old words or the new ones."""
    handle, made = tempfile.mkstemp(dir=path.parent, prefix=".history")
    with os.fdopen(handle, "w") as file:
        file.write(text)
    Path(made).replace(path)
