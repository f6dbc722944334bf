"""Check on each named source: whether it is there, and takes the login that settings have for it. Reads no file."""

from __future__ import annotations

from itertools import islice

import psycopg

from bot.processes.checks import Finding
from bot.settings import Settings
from bot.source_settings import SourceSettings
from bot.sources.errors import SourceError
from bot.sources.opening import in_place, is_web, opened
from bot.sources.query import connected

PART = "sources"
LOOKED_AT = 1_000
QUERY_S = 10
ROOT = {"file": "/", "sftp": "/", "s3": "", "gs": ""}  # what a place calls its top
STRONG = "answers, though to a superuser"
ADVICE = (
    "Give Standby a database user who can only read; the session refuses to write, and a superuser's power remains."
)


def sources(settings: Settings) -> Finding:
    """Every source of STANDBY_SOURCES, tried one after the other."""
    if not settings.sources:
        return Finding(PART, True, "none: data comes from files that people post")
    # A doctor's patience is short; what hangs for longer than this would hang a run too.
    quick = settings.model_copy(update={"source_silence_s": min(5.0, settings.source_silence_s)})
    well, ill = [], []
    for name, source in settings.sources.items():
        try:
            well.append(f"{name} {_seen(quick, source)}")
        except SourceError as error:
            ill.append(f"{name}: {error}")
        except psycopg.Error as error:
            said = source.masked(str(error).strip().split("\n")[-1])
            ill.append(f"{name}: {source.root} does not take the login of {source.user or 'nobody'} ({said}).")
    if ill:
        says = "; ".join([f"{len(ill)} of {len(settings.sources)} cannot be read", *well])
        return Finding(PART, False, says, " ".join(ill))
    todo = ADVICE if any(one.endswith(STRONG) for one in well) else ""
    return Finding(PART, True, "; ".join(well), todo)


def _seen(settings: Settings, source: SourceSettings) -> str:
    """What is there, in a few words. Raises SourceError and psycopg.Error."""
    if source.scheme == "postgresql":
        with connected(source, QUERY_S) as connection:
            row = connection.execute("SELECT current_setting('is_superuser')").fetchone()
        return STRONG if row is not None and row[0] == "on" else "answers"
    with opened(settings, source.root) as place:
        if is_web(source.root):
            place.entry(source.root)
            return "answers"
        count = sum(
            1 for _ in islice(place.entries(in_place(source.root).rstrip("/") or ROOT[source.scheme]), LOOKED_AT)
        )
    more = " or more" if count == LOOKED_AT else ""
    return f"has {count}{more} " + ("entry" if count == 1 else "entries")
