"""What the desk keeps over a restart: one JSON file, and each mail's bytes beside it.

DATA/workspace.json is `{"format": "desk workspace", "version": 1, "channels", "messages", "files", "response_urls",
"mails"}`, replaced as a whole soon after each change; DATA/mails/N.eml is mail N as it came in. Open forms, the ledger
and "is thinking" lines are forgotten, as are events that the app had not acknowledged.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from datetime import UTC, datetime
from threading import Lock
from time import monotonic
from typing import Any

from bot.desk.changes import Changes
from bot.desk.clock import DeskClock
from bot.desk.mail import Mail, Mailbox, parsed
from bot.desk.shapes import Channel, Json, Message, ResponseUrl, StoredFile, Stream
from bot.desk.state import Workspace

FORMAT, VERSION = "desk workspace", 1
# A kill loses at most what happened within this time, or what a busy workspace of many thousand messages can spare:
# it is written as a whole, which may take so small a part of the desk's time.
KEEP_EVERY_S, MOST_OF_TIME = 0.5, 1 / 20

log = logging.getLogger("desk")


class Snapshot:
    """Keeps one workspace and its mails in the data folder. Runs in the desk's event loop."""

    def __init__(self, workspace: Workspace, mailbox: Mailbox, clock: DeskClock) -> None:
        self._workspace, self._mailbox, self._clock = workspace, mailbox, clock
        self._path = workspace.folder / "workspace.json"
        self._kept = b""
        self._writing = Lock()

    def restore(self) -> None:
        """Take up what was kept. What cannot be read is set aside, which the log says; the desk then begins empty."""
        try:
            self._kept = self._path.read_bytes()
        except FileNotFoundError:
            return
        try:
            self._take_up(json.loads(self._kept))
        except (OSError, ValueError, KeyError, TypeError) as error:
            self._set_aside(error)

    async def follow(self, changes: Changes) -> None:
        """Keep the workspace soon after each change, until cancelled."""
        seen, took_s = changes.count, 0.0
        while True:
            await asyncio.sleep(max(KEEP_EVERY_S, took_s / MOST_OF_TIME))
            if changes.count == seen:
                continue
            seen, began = changes.count, monotonic()
            written = self._written()
            took_s = monotonic() - began
            try:
                await asyncio.to_thread(self._replace, written)
            except OSError as error:
                log.error("%s cannot be written (%s): until it can, a restart forgets what is new", self._path, error)
                seen -= 1

    def save(self) -> None:
        """Keep the workspace now. Raises OSError."""
        self._replace(self._written())

    def _written(self) -> bytes:
        workspace = self._workspace
        kept = {
            "format": FORMAT,
            "version": VERSION,
            "channels": list(workspace.channels.values()),
            "messages": [one for said in workspace.messages.values() for one in said.values()],
            "files": list(workspace.files.values()),
            "response_urls": list(workspace.response_urls.values()),
            "mails": [_envelope(mail) for mail in self._mailbox.mails],
        }
        return json.dumps(kept, default=_plain).encode()

    def _replace(self, written: bytes) -> None:
        with self._writing:
            if written == self._kept:
                return
            partial = self._path.with_suffix(".partial")
            with os.fdopen(os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
                file.write(written)
                file.flush()
                os.fsync(file.fileno())
            partial.replace(self._path)
            self._kept = written

    def _take_up(self, kept: Json) -> None:
        if (kept["format"], kept["version"]) != (FORMAT, VERSION):
            raise ValueError(f"it is {kept['format']!r}, version {kept['version']}, not version {VERSION}")
        channels = [Channel(**_with_times(one, "created_at")) for one in kept["channels"]]
        messages = [_message(one) for one in kept["messages"]]
        files = [_file(one) for one in kept["files"]]
        answers = [ResponseUrl(**_with_times(one, "expires_at")) for one in kept["response_urls"]]
        mails = [self._mail(one) for one in kept["mails"]]
        # Only now that everything could be read.
        workspace = self._workspace
        workspace.channels |= {one.id: one for one in channels}
        for message in messages:
            workspace.messages.setdefault(message.channel, {})[message.ts] = message
            self._clock.stamped(message.ts)
        workspace.files |= {one.id: one for one in files}
        for file in files:
            # The bytes go first when a file is deleted; a kill may have come in between.
            file.deleted = file.deleted or (file.uploaded and not workspace.path_of(file).exists())
        workspace.response_urls |= {one.id: one for one in answers}
        self._mailbox.mails = mails

    def _mail(self, envelope: Json) -> Mail:
        raw = self._mailbox.path_of(envelope["number"]).read_bytes()
        received_at = datetime.fromisoformat(envelope["received_at"])
        return parsed(envelope["number"], received_at, envelope["from"], envelope["to"], raw)

    def _set_aside(self, error: Exception) -> None:
        mark = f"{datetime.now(UTC):%Y%m%dT%H%M%S}"
        aside = self._path.with_name(f"workspace.unreadable-{mark}.json")
        self._path.replace(aside)
        if self._mailbox.folder.exists():
            self._mailbox.folder.replace(self._mailbox.folder.with_name(f"mails.unreadable-{mark}"))
        self._kept = b""
        log.error(
            "What the desk kept cannot be read (%s: %s). It lies in %s now, and the desk starts empty: routines that "
            "were made in the threads before do not find them again.",
            *(type(error).__name__, error, aside),
        )


def _plain(value: object) -> Any:
    if isinstance(value, datetime):
        return value.isoformat()
    if is_dataclass(value):
        return {one.name: getattr(value, one.name) for one in fields(value)}
    raise TypeError(f"{type(value).__name__} has no place in the snapshot")


def _envelope(mail: Mail) -> Json:
    to, received_at = list(mail.envelope_to), mail.received_at
    return {"number": mail.number, "received_at": received_at, "from": mail.envelope_from, "to": to}


def _with_times(record: Mapping[str, Any], *names: str) -> Json:
    return {**record, **{name: datetime.fromisoformat(record[name]) for name in names}}


def _message(record: Mapping[str, Any]) -> Message:
    stream = record["stream"]
    return Message(**{**record, "stream": Stream(**_with_times(stream, "started_at")) if stream else None})


def _file(record: Mapping[str, Any]) -> StoredFile:
    shares = [(channel, ts) for channel, ts in record["shares"]]
    return StoredFile(**{**_with_times(record, "created_at"), "shares": shares})
