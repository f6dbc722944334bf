"""What counts as one mail address, wherever one is written: in a plan, in the settings, in a form."""

from __future__ import annotations

import re

# An atom before the @ (RFC 5322, 3.2.3) and a host name behind it: no quotes, comments, routes or lists, which mail
# programs read in different ways.
_ATOM = r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+"
_LABEL = r"[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?"
_ADDRESS = re.compile(rf"{_ATOM}(?:\.{_ATOM})*@{_LABEL}(?:\.{_LABEL})*")
_LONGEST = 254  # RFC 5321, 4.5.3.1.3, without the angle brackets


def is_address(text: str) -> bool:
    """Whether this is exactly one address that every mail server reads alike."""
    return len(text) <= _LONGEST and _ADDRESS.fullmatch(text) is not None
