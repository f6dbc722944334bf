"""The ways the desk says no.

DeskError
├── Refused        Slack's `ok: false` answer to a Web API call
├── NotThere       the control API was asked for something that the desk does not have
└── BadRequest     the control API was asked for something that makes no sense
"""

from __future__ import annotations

from typing import Any


class DeskError(Exception):
    """Anything the desk refuses."""


class Refused(DeskError):
    """A Web API call that Slack would refuse: `error` is Slack's word for it, `detail` what it adds to the answer."""

    def __init__(self, error: str, **detail: Any) -> None:
        super().__init__(error)
        self.error = error
        self.detail = detail


class NotThere(DeskError):
    """No such message, view, person, file or mail. Look at GET /desk/api/state for what there is."""


class BadRequest(DeskError):
    """The request cannot be carried out as written; the text says which part and what is accepted."""
