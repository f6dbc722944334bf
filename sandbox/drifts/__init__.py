"""Drifts: mechanical changes that turn healthy input into a surprise. Standard library only: they run inside a box."""

from .drift import DoesNotFit, Drift
from .files import FILE_DRIFTS
from .logs import LOG_DRIFTS
from .tables import TABLE_DRIFTS

DRIFTS: dict[str, Drift] = {drift.id: drift for drift in (*LOG_DRIFTS, *TABLE_DRIFTS, *FILE_DRIFTS)}

__all__ = ["DRIFTS", "DoesNotFit", "Drift"]
