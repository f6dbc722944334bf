"""The manifest: plan.toml as typed values, read strictly and written always the same way."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from library.manifest_schedule import Schedule
from library.toml_text import TomlValue


class ManifestError(ValueError):
    """plan.toml does not say what a manifest must say, so the plan cannot be used. The message names the key."""


class Rung(StrEnum):
    AD_HOC = "ad hoc"  # answered at once, nothing is kept
    PLAN_FIRST = "plan first"  # five lines, then acted on
    PLAN_AS_CODE = "plan as code"  # a script written for this task
    EXISTING_SCRIPT = "existing script"  # a proven script from the library, only parameters are new


@dataclass(frozen=True)
class ChannelSource:
    """Files posted in a channel in (previous slot, this slot]."""

    channel: str


@dataclass(frozen=True)
class FilesSource:
    """Files at addresses that settings allow: https, s3, gs, sftp, or a folder of the runner's machine.

    Each may say the slot's days (`{slot:%G-W%V}`, `{since}`, `{until}`) and, but for https, `*` and `?`.
    """

    files: tuple[str, ...]
    only_new: bool = False  # whether what an earlier report was made from is left out, by name and content
    after: str = ""  # of `only_new`: the moment, in ISO form, up to which what is there is left out too; "" for none


@dataclass(frozen=True)
class QuerySource:
    """The rows that one question to a database gives, as one Parquet file. Settings know the database by name."""

    connection: str
    query: str  # one SELECT; {slot}, {since} and {until} are the slot's moments
    file: str  # what the file is called in the box


Source = ChannelSource | FilesSource | QuerySource


@dataclass(frozen=True)
class ChannelDestination:
    channel: str


@dataclass(frozen=True)
class EmailDestination:
    name: str  # what people call it, such as "lab list"
    addresses: tuple[str, ...]  # what that name meant when the plan was approved


Destination = ChannelDestination | EmailDestination


@dataclass(frozen=True)
class DeclaredCheck:
    name: str  # also the name of the surprise it raises
    says: str


@dataclass(frozen=True)
class DeclaredIntermediate:
    """Something the script counts or holds that never enters the conversation."""

    name: str
    unit: str


@dataclass(frozen=True)
class LikeliestSurprise:
    name: str
    drift: str  # the id of the mechanical change that must make it raise
    why: str


@dataclass(frozen=True)
class Limits:
    time_s: int = 300
    memory_mb: int = 1024


@dataclass(frozen=True)
class OneSlot:
    """A version that counts for one slot alone, without these files; every other slot runs the version before."""

    due_at: str  # ISO, UTC
    leave_out: tuple[str, ...]


@dataclass(frozen=True)
class Manifest:
    name: str  # of the routine
    title: str
    rung: Rung
    why: str
    script: str  # the library script it came from, "" if none
    schedule: Schedule | None  # None: it runs only when somebody asks
    source: Source
    destinations: tuple[Destination, ...]
    checks: tuple[DeclaredCheck, ...]
    intermediates: tuple[DeclaredIntermediate, ...]
    surprise: LikeliestSurprise
    limits: Limits = field(default_factory=Limits)
    parameters: Mapping[str, TomlValue] = field(default_factory=dict)
    only: OneSlot | None = None  # None: it becomes the current version
