"""A script that is no folder of the library but part of a plan: it fills no parameters, it keeps those it has."""

from __future__ import annotations

from library.catalog import LIBRARY, Script
from library.manifest_text import read_manifest


def script_of(name: str, plan: bytes, report: bytes, plan_toml: bytes) -> Script:
    """As one of the library, to be proposed like one. Raises ManifestError."""
    manifest = read_manifest(plan_toml)
    return Script(
        name=name,
        title=manifest.title,
        says=manifest.title,
        words=(),
        also=(),
        does=(),
        grouped=(),
        kinds=(),
        parameters=(),
        checks=manifest.checks,
        intermediates=manifest.intermediates,
        surprises=((manifest.surprise, frozenset()),),
        limits=manifest.limits,
        plan=plan,
        report=report,
        resume=(LIBRARY / "resume.md").read_text(encoding="utf-8"),
        folder=LIBRARY,
    )
