"""Ends boxes that outlived their use: the last safety net under every other one."""

from __future__ import annotations

import datetime as dt

from sandbox.client import Boxes


def reap(boxes: Boxes, older_than_s: float) -> list[str]:
    """Ends every box of ours that is older than `older_than_s`; returns their ids. Raises BoxError.

    Age is real time, not Standby's clock: the clock may be moved to try a schedule, and boxes do not age by it.
    Boxes without our tag are somebody else's and are not even listed.
    """
    now = dt.datetime.now(dt.UTC)
    aged = [box for box in boxes.listed() if (now - box.started_at).total_seconds() > older_than_s]
    return [box.id for box in aged if boxes.kill(box.id)]
