"""What people are told of an error that a job could not get over; what it says itself is for the log."""

import errno

from psycopg import OperationalError as DatabaseAway
from sqlalchemy.exc import OperationalError

from bot.domain.errors import StandbyError
from bot.domain.redact import redacted
from sandbox.errors import BoxError

BROKE = (
    "Something in Standby itself broke, which says nothing about your data. Tell whoever runs Standby: the "
    "lines “job_failed” in the logs of its agent and runner say where. `standby up` keeps these in the folder logs of "
    "its data folder; elsewhere they are what these processes print."
)
TRIED_FOR_HOURS = "It was tried for hours: each time Slack asked to wait, or the process that worked on it ended."


def in_words(error: Exception) -> str:
    """A sentence for the thread. Errors of ours are sentences already; any other is for the log alone."""
    if isinstance(error, StandbyError | BoxError):
        return redacted(str(error))
    if isinstance(error, OperationalError | DatabaseAway):
        return "Standby's database could not be reached."
    if isinstance(error, OSError) and error.errno == errno.ENOSPC:
        return "The disk that Standby keeps its files on is full."
    return BROKE
