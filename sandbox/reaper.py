"""Ends boxes that nobody uses any more: the last safety net under every other one.

Each box is given its lifetime when it is made, and its provider ends it then. This is for the day the provider does
not; and for a worker that was killed, whose boxes would hold customers' files, and places, for the rest of their life.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Collection
from typing import TYPE_CHECKING

from sandbox.tags import INSTALL, OURS, WORKER

if TYPE_CHECKING:
    from sandbox.client import Boxes, OpenBox

GRACE_S = 60.0


def reap_overdue(boxes: Boxes, grace_s: float = GRACE_S) -> list[str]:
    """Ends every box of ours that lives on `grace_s` after the end it was made with; their ids. Raises BoxError.

    Age is real time, not Standby's clock: the clock may be moved to try a schedule, and boxes do not age by it.
    What is older than it was meant to become is used by nobody, whichever Standby made it, so ending it hurts no run.
    """
    return [box.id for box in boxes.listed() if _overdue_s(box) > grace_s and boxes.kill(box.id)]


def reap_orphans(boxes: Boxes, install: str, dead: Callable[[Collection[str]], Collection[str]]) -> list[str]:
    """Ends every box of this install whose worker is among the `dead`; their ids. Raises BoxError.

    `dead` is asked about workers after their boxes were listed: who lives then has lived when it opened them. Boxes
    of another install, of which we cannot know who lives, are not even listed.
    """
    ours = [box for box in boxes.listed({**OURS, INSTALL: install}) if WORKER in box.tags]
    gone = dead({box.tags[WORKER] for box in ours}) if ours else ()
    return [box.id for box in ours if box.tags[WORKER] in gone and boxes.kill(box.id)]


def _overdue_s(box: OpenBox) -> float:
    """A tag that is no number is not of our making; such a box is left to its provider."""
    lifetime = box.tags.get("lifetime_s", "")
    age_s = (dt.datetime.now(dt.UTC) - box.started_at).total_seconds()
    return age_s - int(lifetime) if lifetime.isdecimal() else 0.0
