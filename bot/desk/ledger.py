"""What really happened, in order: every Web API call, event, download, upload and mail. Tests and the page read it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from datetime import datetime
from typing import Any, TypeVar

Json = dict[str, Any]

_SECRET_ARGUMENTS = frozenset({"token", "client_secret", "code", "refresh_token"})


@dataclass
class CallEntry:
    """One Web API call and how it was answered. `args` never holds a token."""

    number: int
    at: datetime
    method: str
    args: Json
    ok: bool
    error: str = ""
    status: int = 200
    kind: str = "call"


@dataclass
class EventEntry:
    """One try to deliver one envelope. `acked_at` stays None if the app never acknowledged it."""

    number: int
    at: datetime
    type: str
    envelope_id: str
    event_id: str
    attempt: int
    acked_at: datetime | None = None
    ack_payload: Json | None = None
    kind: str = "event"


@dataclass
class TransferEntry:
    """Bytes of a file that went up or down. `answer` is `ok` or the reason of refusal."""

    number: int
    at: datetime
    file: str
    name: str
    direction: str
    size_bytes: int
    answer: str
    kind: str = "transfer"


@dataclass
class MailEntry:
    """One SMTP transaction: `answer` is the reply's code and words."""

    number: int
    at: datetime
    sender: str
    recipients: list[str]
    subject: str
    answer: str
    kind: str = "mail"


Entry = CallEntry | EventEntry | TransferEntry | MailEntry
E = TypeVar("E", CallEntry, EventEntry, TransferEntry, MailEntry)


@dataclass
class Ledger:
    """The entries, numbered from 1 in the order in which they began."""

    now: Callable[[], datetime]
    entries: list[Entry] = field(default_factory=list)

    def call(self, method: str, args: Json, *, ok: bool, error: str = "", status: int = 200) -> CallEntry:
        kept = {name: value for name, value in args.items() if name not in _SECRET_ARGUMENTS}
        return self._keep(CallEntry(self._next(), self.now(), method, kept, ok, error, status))

    def event(self, type_: str, envelope_id: str, event_id: str, attempt: int) -> EventEntry:
        return self._keep(EventEntry(self._next(), self.now(), type_, envelope_id, event_id, attempt))

    def transfer(self, file: str, name: str, direction: str, size_bytes: int, answer: str) -> TransferEntry:
        return self._keep(TransferEntry(self._next(), self.now(), file, name, direction, size_bytes, answer))

    def mail(self, sender: str, recipients: list[str], subject: str, answer: str) -> MailEntry:
        return self._keep(MailEntry(self._next(), self.now(), sender, recipients, subject, answer))

    def since(self, number: int) -> list[Json]:
        """The entries after `number`, ready for JSON."""
        return [_as_json(entry) for entry in self.entries[max(number, 0) :]]

    def _next(self) -> int:
        return len(self.entries) + 1

    def _keep(self, entry: E) -> E:
        self.entries.append(entry)
        return entry


def _as_json(entry: Entry) -> Json:
    record = asdict(entry)
    return {name: value.isoformat() if isinstance(value, datetime) else value for name, value in record.items()}
