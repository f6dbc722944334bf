"""Boxes, local or hosted: the only door to the e2b SDK. One code path for laptop and production."""

from __future__ import annotations

import contextlib
import copy
import datetime as dt
import json
import shlex
import time
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, BinaryIO

import e2b
import httpx
from connectrpc.errors import ConnectError

from sandbox import errors
from sandbox.output import BoundedText
from sandbox.proof import Proof, prove_sealed
from sandbox.surroundings import reach_loopback_directly, refuse_redirection
from sandbox.tags import OURS

HOSTED_API = "https://api.e2b.app"
_UNKNOWN_OUTCOME = (errors.BoxUnavailable, errors.BoxLost)
# All families the SDK raises; these share no base. The last two are what it makes of an answer that is not E2B's.
_SDK_ERRORS = (
    e2b.SandboxException,
    e2b.AuthenticationException,
    e2b.ServiceBusyException,
    httpx.HTTPError,
    ConnectError,
    ConnectionError,
    TimeoutError,
    json.JSONDecodeError,
    KeyError,
)


@dataclass(frozen=True)
class BoxSettings:
    """Which provider, and with which key. Without addresses it is hosted E2B; one address serves for both.

    `lifetime_s` is the longest life a box may be given: the provider's own ceiling (3,600 on E2B's free plan).
    `request_timeout_s` bounds one request; the SDK doubles it, as its transport counts reading and writing as one.
    """

    api_key: str = field(repr=False)
    api_url: str | None = None
    sandbox_url: str | None = None
    template: str = "base"
    lifetime_s: int = 3600
    request_timeout_s: float = 30.0


@dataclass(frozen=True)
class Exit:
    """How a command ended. `code` is -1 when it was killed; both outputs are bounded."""

    code: int
    stdout: str
    stderr: str
    seconds: float


@dataclass(frozen=True)
class OpenBox:
    """A box as the provider lists it."""

    id: str
    tags: Mapping[str, str]
    started_at: dt.datetime
    end_at: dt.datetime


class Boxes:
    """A provider of boxes. Safe to share between threads; not across fork, which the SDK does not survive."""

    def __init__(self, settings: BoxSettings, tags: Mapping[str, str] | None = None) -> None:
        """`tags` go on every box that is opened here, beside its own."""
        if settings.api_url is None:
            refuse_redirection()
        else:
            reach_loopback_directly(settings.api_url)
        self.settings = settings
        self.tags: Mapping[str, str] = tags or {}
        # Everything explicit, so that no E2B_* variable of the process decides where our key goes.
        self._sdk = e2b.E2B(
            api_key=settings.api_key,
            api_url=settings.api_url or HOSTED_API,
            sandbox_url=settings.sandbox_url or settings.api_url,
            domain="e2b.app",
            debug=False,
            http_version="2",
            request_timeout=settings.request_timeout_s,
        )

    @contextlib.contextmanager
    def open(self, purpose: str, *, tags: Mapping[str, str], lifetime_s: int) -> Iterator[Box]:
        """A new box for `purpose`, without network, gone when the block ends and after `lifetime_s` at the latest.

        Raises BoxUnavailable, BoxBusy, BoxRefused. When it is unknown whether the provider made a box whose
        answer was lost, the box is looked for and ended; what cannot be found is the reaper's.
        """
        if not 0 < lifetime_s <= self.settings.lifetime_s:
            raise errors.BoxRefused(
                f"A box was asked to live {lifetime_s} s, but the provider allows {self.settings.lifetime_s} s. "
                "Lower the plan's time limit or raise the lifetime in the box settings."
            )
        box = self._create({**tags, **self.tags, **OURS, "purpose": purpose, "lifetime_s": str(lifetime_s)}, lifetime_s)
        try:
            yield box
        finally:
            # Failing to end it must not hide how the work went: its lifetime and the reaper end it too.
            with contextlib.suppress(errors.BoxError):
                self.kill(box.id)

    def tagged(self, **tags: str) -> Boxes:
        """The same provider over the same connections, with these tags on what is opened there."""
        same = copy.copy(self)
        same.tags = {**self.tags, **tags}
        return same

    def listed(self, tags: Mapping[str, str] = OURS) -> list[OpenBox]:
        """All boxes that carry `tags`, from every page of the provider's list. Raises BoxError."""
        query = e2b.SandboxQuery(metadata=dict(tags))
        found: list[OpenBox] = []
        with translated(opening=True):
            pages = self._sdk.Sandbox.list(query=query)
            while pages.has_next:
                found += [
                    OpenBox(each.sandbox_id, dict(each.metadata or {}), each.started_at, each.end_at)
                    for each in pages.next_items()
                ]
        return found

    def kill(self, box_id: str) -> bool:
        """Ends a box; False when it was gone already. Raises BoxError."""
        with translated():
            return bool(self._sdk.Sandbox.kill(box_id))

    def prove_sealed(self) -> list[Proof]:
        """Opens a box and shows that it is one: no network, no host files, the libraries there. For doctor."""
        with self.open("self-check", tags={}, lifetime_s=120) as box:
            return prove_sealed(box)

    def _create(self, tags: Mapping[str, str], lifetime_s: int) -> Box:
        key = str(uuid.uuid4())
        try:
            with translated(opening=True):
                sandbox = self._sdk.Sandbox.create(
                    template=self.settings.template,
                    timeout=lifetime_s,
                    metadata={**tags, "create": key},
                    allow_internet_access=False,
                    network={"allow_public_traffic": False},
                    lifecycle={"on_timeout": "kill"},
                    idempotency_key=key,
                )
        except _UNKNOWN_OUTCOME:
            self._end_orphans(key)
            raise
        return Box(sandbox)

    def _end_orphans(self, key: str) -> None:
        """A box whose answer never reached us is found by the key it was made under."""
        with contextlib.suppress(errors.BoxError):
            for orphan in self.listed({**OURS, "create": key}):
                self.kill(orphan.id)


class Box:
    """An open box. Paths are relative to its home. Not for several threads at once."""

    def __init__(self, sandbox: e2b.Sandbox) -> None:
        self._sandbox = sandbox
        self.id: str = sandbox.sandbox_id

    def put(self, path: str, data: bytes | BinaryIO) -> None:
        """Writes a file, with the folders above it; an open file is streamed, never read whole. BoxFull, BoxLost."""
        with translated(path):
            # octet-stream: the path travels in the query, where any name survives; a form mangles quotes
            self._sandbox.files.write(path, data, use_octet_stream=True)

    def put_all(self, files: Mapping[str, bytes]) -> None:
        """Writes small files in one request; the paths are ours, as a form mangles quotes. Raises BoxFull, BoxLost."""
        entries: Any = [{"path": path, "data": data} for path, data in files.items()]
        with translated("our files"):
            self._sandbox.files.write_files(entries, use_octet_stream=False)

    def get(self, path: str, limit_bytes: int) -> bytes:
        """A file's bytes. Raises BoxFileMissing, BoxFileTooLarge, BoxLost."""
        return b"".join(self._chunks(path, limit_bytes))

    def get_stream(self, path: str, into: BinaryIO, limit_bytes: int) -> int:
        """Copies a file into `into` with constant memory; returns its size. Raises as `get` does."""
        return sum(into.write(chunk) for chunk in self._chunks(path, limit_bytes))

    def run(
        self,
        argv: Sequence[str],
        *,
        timeout_s: float,
        env: Mapping[str, str] | None = None,
        output_limit_bytes: int = 65_536,
        said: Callable[[str], None] | None = None,
    ) -> Exit:
        """Runs a command in the box's home; `said` gets what it prints. Raises BoxTimeout, BoxLost, BoxRefused."""
        stdout, stderr = BoundedText(output_limit_bytes, said), BoundedText(output_limit_bytes)
        started = time.monotonic()
        with translated(f"command {argv[0]!r}"):
            code = self._exit_code(argv, timeout_s, dict(env or {}), stdout, stderr)
        if code is not None:
            return Exit(code, stdout.text(), stderr.text(), time.monotonic() - started)
        # The provider signals only the command itself when its time is up; what it started would live on.
        with contextlib.suppress(errors.BoxError), translated():
            self._sandbox.kill()
        raise errors.BoxTimeout(
            f"{argv[0]} did not end within {timeout_s:g} s, so its box was ended. Last it said: "
            f"{(stderr.text() or stdout.text())[-500:].strip() or 'nothing'}"
        )

    def _exit_code(
        self, argv: Sequence[str], timeout_s: float, env: dict[str, str], stdout: BoundedText, stderr: BoundedText
    ) -> int | None:
        """None when its time was up."""
        deadline = time.monotonic() + timeout_s
        try:
            self._sandbox.commands.run(
                shlex.join(argv),
                envs=env,
                timeout=timeout_s,
                on_stdout=stdout.add,
                on_stderr=stderr.add,
                retain_output=False,
            )
        except e2b.CommandExitException as end:
            return int(end.exit_code)
        except e2b.TimeoutException as error:
            # the SDK's name for several things; a stream that a proxy cancelled early is a lost box
            if type(error) is e2b.TimeoutException and time.monotonic() >= deadline - 0.5:
                return None
            raise
        return 0

    def _chunks(self, path: str, limit_bytes: int) -> Iterator[bytes]:
        taken = 0
        with translated(path), self._sandbox.files.read(path, format="stream") as stream:
            for chunk in stream:
                taken += len(chunk)
                if taken > limit_bytes:
                    raise errors.BoxFileTooLarge(f"{path} is larger than the {limit_bytes:,} bytes that are taken.")
                yield chunk


@contextlib.contextmanager
def translated(what: str = "the box", *, opening: bool = False) -> Iterator[None]:
    """Turns whatever the SDK raises into our tree; `opening` when no box of ours is at stake yet."""
    try:
        yield
    except _SDK_ERRORS as error:
        raise _ours(error, what, opening) from error
    except Exception as error:
        if type(error) is not Exception:  # "ended without an end event" and the like come as bare Exception
            raise
        raise _ours(error, what, opening) from error


def _ours(error: Any, what: str, opening: bool) -> errors.BoxError:
    status, text = getattr(error, "status_code", None), str(error)
    match error:
        case e2b.AuthenticationException():
            return errors.BoxRefused(
                f"The provider of boxes does not accept the key: {text}. Check STANDBY_BOX_API_KEY."
            )
        case e2b.RateLimitException() | e2b.ServiceBusyException():
            return errors.BoxBusy(f"The provider has no free box just now: {text}")
        case e2b.NotEnoughSpaceException():
            return errors.BoxFull(f"There is no room for {what}: {text}")
        case e2b.FileNotFoundException():
            return errors.BoxFileMissing(f"{what} is not in the box.")
        case e2b.InvalidArgumentException():
            return _refused(what, text)
        case e2b.SandboxNotRunningException() | e2b.SandboxUnreachableException() | e2b.SandboxNotFoundException():
            return errors.BoxLost(f"The box ended while {what} was under way: {text}")
        case e2b.SandboxException() if opening and status is not None and 400 <= status < 500:
            return errors.BoxRefused(f"The provider refuses to open a box: {text}")
    if opening:
        return errors.BoxUnavailable(f"No box could be opened: {text or type(error).__name__}")
    return errors.BoxLost(f"The line to the box broke at {what}: {text or type(error).__name__}")


def _refused(what: str, text: str) -> errors.BoxError:
    if any(words in text for words in ("no regular file", "is a directory", "cannot be read")):
        return errors.BoxFileMissing(f"{what} is no file that can be read: {text}")
    return errors.BoxRefused(f"The provider refuses {what}: {text}")
