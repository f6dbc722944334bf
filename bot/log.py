"""Structured logs: one line per event on standard error, with the fields that tell which slot or task it is about."""

import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import structlog

log: structlog.stdlib.BoundLogger = structlog.get_logger("standby")


@contextmanager
def told_in_logs(**what: object) -> Iterator[None]:
    """Every line that this thread writes meanwhile says what it is about."""
    with structlog.contextvars.bound_contextvars(**what):
        yield


def set_up(part: str) -> None:
    """Log as `part` from now on; libraries are heard from warnings up."""
    logging.basicConfig(level=logging.WARNING, stream=sys.stderr, format="%(asctime)s %(name)s %(message)s")
    # A tick that comes while the last one is still at work is skipped on purpose.
    logging.getLogger("apscheduler").setLevel(logging.ERROR)
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,
            structlog.processors.LogfmtRenderer(key_order=["timestamp", "level", "event"], bool_as_flag=False),
        ],
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
    )
    structlog.contextvars.bind_contextvars(part=part)
