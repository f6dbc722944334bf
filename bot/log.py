"""Structured logs: one line per event on standard error, with the fields that tell which slot or task it is about."""

import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import structlog
from structlog.typing import EventDict

from bot.domain.redact import redacted, redacted_all

_PLAIN = (str, int, float, bool, type(None), dict, list, tuple)

log: structlog.stdlib.BoundLogger = structlog.get_logger("standby")


class _Redacting(logging.Formatter):
    """What libraries log, without secrets."""

    def format(self, record: logging.LogRecord) -> str:
        return redacted(super().format(record))


def _without_secrets(_logger: Any, _method: str, event: EventDict) -> EventDict:
    """The last look at an event before it is written: whatever has become text by now."""
    return {key: redacted_all(value if isinstance(value, _PLAIN) else str(value)) for key, value in event.items()}


@contextmanager
def told_in_logs(**what: object) -> Iterator[None]:
    """Every line that this thread writes meanwhile says what it is about."""
    with structlog.contextvars.bound_contextvars(**what):
        yield


def set_up(part: str) -> None:
    """Log as `part` from now on; libraries are heard from warnings up."""
    to_stderr = logging.StreamHandler(sys.stderr)
    to_stderr.setFormatter(_Redacting("%(asctime)s %(name)s %(message)s"))
    logging.basicConfig(level=logging.WARNING, handlers=[to_stderr])
    # A tick that comes while the last one is still at work is skipped on purpose.
    logging.getLogger("apscheduler").setLevel(logging.ERROR)
    structlog.contextvars.bind_contextvars(part=part)


def _to_stderr(*_names: Any) -> structlog.PrintLogger:
    return structlog.PrintLogger(sys.stderr)


# For whoever logs, a command at a terminal too: structlog by itself draws the local values of every frame, secrets too.
structlog.configure(
    processors=[
        structlog.contextvars.merge_contextvars,
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.format_exc_info,
        _without_secrets,
        structlog.processors.LogfmtRenderer(key_order=["timestamp", "level", "event"], bool_as_flag=False),
    ],
    logger_factory=_to_stderr,
)
