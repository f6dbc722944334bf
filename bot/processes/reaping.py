"""The reaper at work: in each process that opens boxes, for as long as it lives."""

from __future__ import annotations

import threading

from bot.log import log
from sandbox.client import Boxes
from sandbox.errors import BoxError
from sandbox.reaper import GRACE_S, reap_overdue

EVERY_S = 300.0


def keep_reaping(boxes: Boxes, every_s: float = EVERY_S, grace_s: float = GRACE_S) -> threading.Event:
    """Ends overdue boxes now and every `every_s`, from a thread that dies with the process; set the event to stop it.

    The clock process cannot do it: it holds no key to boxes. That runner and agent both do is harmless.
    """
    stop = threading.Event()
    threading.Thread(target=_reap_until, args=(stop, boxes, every_s, grace_s), name="reaper", daemon=True).start()
    return stop


def _reap_until(stop: threading.Event, boxes: Boxes, every_s: float, grace_s: float) -> None:
    while not stop.is_set():
        try:
            if ended := reap_overdue(boxes, grace_s):
                log.warning("boxes_reaped", boxes=ended)
        except BoxError as error:
            log.warning("reaper_failed", why=str(error))
        stop.wait(every_s)
