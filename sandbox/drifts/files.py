"""Drifts of whole files, whatever is in them."""

from __future__ import annotations

import gzip

from .drift import ANY, Drift, Drifted


def _empty(name: str, _data: bytes, _seed: int) -> Drifted:
    return name, b""


def _gzipped(name: str, data: bytes, _seed: int) -> Drifted:
    """Under its old name; without a time in the archive, so that it is always the same."""
    return name, gzip.compress(data, mtime=0)


FILE_DRIFTS = (
    Drift("file-empty", "the file arrived empty", ANY, False, _empty, opens_archives=False),
    Drift(
        "file-gzipped",
        "the file arrived packed with gzip under its old name",
        ANY,
        True,
        _gzipped,
        opens_archives=False,
    ),
)
