"""Moments at which a process can be made to die, to show that nothing is lost or doubled when one does.

Off unless the environment names one: STANDBY_STOP_AT="posted" or "delivery claimed:2" for its second pass. Then the
process kills itself with SIGKILL there, so that nothing in it gets to clean up.
"""

import os
import signal
from enum import StrEnum
from threading import Lock


class Point(StrEnum):
    SLOT_MADE = "slot made"  # clock: slot, run and job are written, not committed
    SLOT_KEPT = "slot kept"  # clock: committed
    RUN_CLAIMED = "run claimed"  # runner: the run is RUNNING
    INPUTS_KEPT = "inputs kept"  # the slot's files are ours
    CODE_RAN = "code ran"  # the box gave an outcome, nothing of it is kept
    RUN_ENDED = "run ended"  # outcome, slot and deliveries are committed
    DELIVERY_CLAIMED = "delivery claimed"  # SENDING, nothing sent
    POST_CLAIMED = "post claimed"  # a message of any kind is about to go out
    POSTED = "posted"  # it is out, its ts is not kept
    POST_PROVED = "post proved"  # its ts is kept, what it belongs to does not know
    MAIL_SENT = "mail sent"  # the mail server took it, nothing is recorded
    DELIVERY_ENDED = "delivery ended"  # recorded, the job is not finished
    TOLD = "told"  # a surprise stands in its thread, the job is not finished


_name, _, _nth = os.environ.get("STANDBY_STOP_AT", "").partition(":")
_left = int(_nth or 1)
_lock = Lock()


def passing(point: Point) -> None:
    """Die here if that was asked for."""
    if point == _name:
        _count_down()


def _count_down() -> None:
    global _left  # noqa: PLW0603  one process has one count
    with _lock:
        _left -= 1
        if _left == 0:
            os.kill(os.getpid(), signal.SIGKILL)
