"""What the process's environment would do to the e2b SDK behind our back, and keeping it from that."""

from __future__ import annotations

import os
import urllib.parse

from sandbox.errors import BoxRefused

_PROXY_VARIABLES = ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy")
_LOOPBACK = ("127.0.0.1", "localhost", "::1")


def refuse_redirection() -> None:
    """The SDK reads this variable even when told everything else; it would send a hosted box's token elsewhere.

    Raises BoxRefused.
    """
    if os.environ.get("E2B_SANDBOX_URL"):
        raise BoxRefused("E2B_SANDBOX_URL is set and would redirect hosted boxes. Unset it.")


def reach_loopback_directly(url: str) -> None:
    """The SDK's transport sends even 127.0.0.1 through HTTP_PROXY, and only NO_PROXY keeps it from that.

    So this one host is added to NO_PROXY of the process; that can only make a connection more direct.
    """
    host = urllib.parse.urlsplit(url).hostname
    if host not in _LOOPBACK or not any(map(os.environ.get, _PROXY_VARIABLES)):
        return
    kept = [part for part in (os.environ.get("NO_PROXY") or os.environ.get("no_proxy") or "").split(",") if part]
    if host not in kept:
        os.environ["NO_PROXY"] = os.environ["no_proxy"] = ",".join([*kept, host])
