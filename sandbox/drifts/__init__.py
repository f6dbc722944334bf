"""Drifts: mechanical changes that turn healthy input into a surprise. They run inside a box, by what a box has.

What a reader of the files and of earlier slots could not know in any way is no drift: a clock that is 37 minutes off,
a zone that was changed by two hours, errors that really became more. No script can be asked to hear these.
"""

import hashlib

from .drift import Aim, DoesNotFit, Drift, Need
from .encodings import ENCODING_DRIFTS
from .files import FILE_DRIFTS
from .log_lines import LINE_DRIFTS
from .logs import LOG_DRIFTS
from .parquet import PARQUET_DRIFTS
from .records import RECORD_DRIFTS
from .tables import TABLE_DRIFTS
from .values import VALUE_DRIFTS
from .workbooks import WORKBOOK_DRIFTS

_ALL = (
    *(LOG_DRIFTS, LINE_DRIFTS, ENCODING_DRIFTS, TABLE_DRIFTS, VALUE_DRIFTS),
    *(WORKBOOK_DRIFTS, RECORD_DRIFTS, PARQUET_DRIFTS, FILE_DRIFTS),
)
DRIFTS: dict[str, Drift] = {drift.id: drift for drifts in _ALL for drift in drifts}


def is_held_out(drift_id: str) -> bool:
    """A third of them, by a hash of the id: for scoring alone, never looked at while a script of ours is written."""
    return hashlib.sha256(drift_id.encode()).digest()[0] % 3 == 0


__all__ = ["DRIFTS", "Aim", "DoesNotFit", "Drift", "Need", "is_held_out"]
