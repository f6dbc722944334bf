"""Troubles that tests switch on: each is armed for a number of times and taken when its moment comes."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any


class FaultKind(StrEnum):
    """What can go wrong between the app and the workspace. `target` narrows it where the comment says so."""

    RATE_LIMITED = "rate_limited"  # HTTP 429 with Retry-After: `seconds`; target: a method
    LOST_REPLY = "lost_reply"  # the work is done, then the connection is cut; target: a method
    SERVER_ERROR = "server_error"  # HTTP 500 before any work; target: a method
    DELAY = "delay"  # the answer comes `seconds` late; target: a method
    DUPLICATE_EVENT = "duplicate_event"  # delivered twice under one event id; target: an event type
    DUPLICATE_MESSAGE = "duplicate_message"  # delivered twice under two event ids; target: an event type
    MENTION_WITHOUT_FILES = "mention_without_files"  # app_mention lacks the files that its message has
    MENTION_ABSENT = "mention_absent"  # app_mention does not come, only the message
    FILE_STUB = "file_stub"  # a message event carries file ids only (`file_access: check_file_info`)
    LOGIN_PAGE = "login_page"  # a download answers a login page with HTTP 200; target: a file name
    SHORT_DOWNLOAD = "short_download"  # a download ends in the middle; target: a file name
    REFUSE_SOCKET = "refuse_socket"  # the WebSocket handshake is refused and its ticket burnt
    MAIL_REFUSED = "mail_refused"  # SMTP answers `reply` (default 450) to a recipient; target: an address
    MAIL_TOO_LARGE = "mail_too_large"  # SMTP answers 552 once it has read the mail
    MAIL_SLOW = "mail_slow"  # SMTP takes `seconds` to accept the data
    MAIL_LOST_REPLY = "mail_lost_reply"  # the mail is accepted, then the connection is cut before the reply


@dataclass
class Fault:
    """One armed trouble."""

    kind: FaultKind
    target: str = ""
    times: int = 1
    seconds: float = 1.0
    reply: str = ""

    def fits(self, kind: FaultKind, target: str) -> bool:
        return self.kind == kind and self.times > 0 and self.target in ("", target)


@dataclass
class Faults:
    """The armed troubles, in the order in which they were armed."""

    armed: list[Fault] = field(default_factory=list)

    def arm(self, spec: dict[str, Any]) -> Fault:
        """Arm one from its JSON form. Raises ValueError or TypeError for what is no fault."""
        fault = Fault(**{**spec, "kind": FaultKind(spec["kind"])})
        self.armed.append(fault)
        return fault

    def take(self, kind: FaultKind, target: str = "") -> Fault | None:
        """Use up one armed fault of this kind that fits the target, if there is one."""
        for fault in self.armed:
            if fault.fits(kind, target):
                fault.times -= 1
                self.armed = [one for one in self.armed if one.times > 0]
                return fault
        return None
