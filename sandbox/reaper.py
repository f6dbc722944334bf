"""Ends boxes that outlived their use: the last safety net under every other one.

Each box is given its lifetime when it is made, and its provider ends it then. This is for the day the provider does
not: what is older than it was meant to become is used by nobody, whoever made it, so ending it can hurt no run.
"""

from __future__ import annotations

import datetime as dt

from sandbox.client import Boxes, OpenBox

GRACE_S = 60.0


def reap(boxes: Boxes, older_than_s: float) -> list[str]:
    """Ends every box of ours that is older than `older_than_s`; returns their ids. Raises BoxError.

    Age is real time, not Standby's clock: the clock may be moved to try a schedule, and boxes do not age by it.
    Boxes without our tag are somebody else's and are not even listed.
    """
    return [box.id for box in boxes.listed() if _age_s(box) > older_than_s and boxes.kill(box.id)]


def reap_overdue(boxes: Boxes, grace_s: float = GRACE_S) -> list[str]:
    """Ends every box of ours that lives on `grace_s` after the end it was made with. Raises BoxError."""
    return [box.id for box in boxes.listed() if _overdue_s(box) > grace_s and boxes.kill(box.id)]


def _overdue_s(box: OpenBox) -> float:
    """A tag that is no number is not of our making; such a box is left to its provider."""
    lifetime = box.tags.get("lifetime_s", "")
    return _age_s(box) - int(lifetime) if lifetime.isdecimal() else 0.0


def _age_s(box: OpenBox) -> float:
    return (dt.datetime.now(dt.UTC) - box.started_at).total_seconds()
