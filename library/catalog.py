"""The proven scripts: each a folder with its code, what it is for, and the parameters it needs."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any

from library.facts import FileFacts, FileKind
from library.manifest import (
    DeclaredCheck,
    DeclaredIntermediate,
    Destination,
    LikeliestSurprise,
    Limits,
    Manifest,
    Rung,
    Source,
)
from library.manifest_schedule import Schedule
from library.toml_text import TomlValue

LIBRARY = Path(__file__).parent


class CatalogError(ValueError):
    """A script folder of the library is not complete, so Standby does not start with it. The message names the file."""


class ParameterType(StrEnum):
    LOG_READERS = "log readers"  # how to read each log: {"default": reader, name pattern: reader}
    TABLE_READERS = "table readers"  # how to read each table, with the columns of each role
    DATES = "dates"  # how old, how long and how ragged files may be; after the readers
    FILE_PATTERNS = "file patterns"  # the names of the files seen, dates as stars
    LEFT_OUT = "left out"  # patterns of files that a person said to leave out
    OPEN_ROWS = "open rows"  # by which column rows are open, and what it holds: {column, open, closed}
    LEVELS = "levels"  # names of levels as counted
    CHOICE = "choice"  # one of `choices`
    TEXT = "text"
    NUMBER = "number"


@dataclass(frozen=True)
class ParameterSpec:
    name: str
    type: ParameterType
    ask: str  # the question where it is unclear
    default: TomlValue | None = None
    choices: tuple[str, ...] = ()
    says: tuple[str, ...] = ()  # numbers: how a request says it, `#` where the number stands and `*` where another does
    roles: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # table readers: role -> names it usually has
    texts: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # table readers: the same for names and keys
    dated: tuple[str, ...] = ()  # table readers: usual names of the column that says when an entry was
    by: str = ""  # table readers: of several texts, the role of the column that “by region” of a request names

    any_unit: bool = False  # table readers: no number of theirs is added up, so each may be in a unit of its own

    @property
    def grouping(self) -> str:
        """The role of the column by which rows are put together; empty where there is none."""
        return self.by or (next(iter(self.texts)) if len(self.texts) == 1 else "")


@dataclass(frozen=True)
class Script:
    """One proven script. Its bytes go into a plan unchanged; only parameters and delivery differ."""

    name: str
    title: str
    says: str  # what it does, in one sentence
    words: tuple[str, ...]  # by which a request is recognised: one of them at least; with a space, as it stands
    also: tuple[str, ...]  # words that speak for it beside those, and say nothing alone: two of them at least
    does: tuple[str, ...]  # words for what it does besides what it says; they speak for no script
    grouped: tuple[str, ...]  # words that say enough where a request puts rows together by a column of the files
    kinds: tuple[FileKind, ...]
    parameters: tuple[ParameterSpec, ...]
    checks: tuple[DeclaredCheck, ...]
    intermediates: tuple[DeclaredIntermediate, ...]
    surprises: tuple[tuple[LikeliestSurprise, frozenset[FileKind]], ...]  # likeliest first, with the kinds it befalls
    limits: Limits
    plan: bytes
    report: bytes
    resume: str  # template of resume.md
    folder: Path
    sample_answers: Mapping[str, str] = field(default_factory=dict)  # what a person says in the form about the sample

    @property
    def surprise(self) -> LikeliestSurprise:
        return self.surprises[0][0]

    def surprise_for(self, files: Sequence[FileFacts]) -> LikeliestSurprise:
        """The likeliest surprise that can befall one of these files: a log of JSON lines cannot turn into JSON."""
        kinds = {facts.kind for facts in files}
        return next((surprise for surprise, befalls in self.surprises if befalls & kinds), self.surprise)

    def manifest(
        self,
        *,
        name: str,
        title: str,
        why: str,
        schedule: Schedule | None,
        source: Source,
        destinations: tuple[Destination, ...],
        parameters: Mapping[str, TomlValue],
        files: Sequence[FileFacts] = (),
        words: Mapping[str, str] | None = None,
    ) -> Manifest:
        """The manifest of a plan that is this script with these parameters, for files like these.

        `words` (Filled.words) say in the checks what the files make of them.
        """
        return Manifest(
            name=name,
            title=title,
            rung=Rung.EXISTING_SCRIPT,
            why=why,
            script=self.name,
            schedule=schedule,
            source=source,
            destinations=destinations,
            checks=self.checks_in_words(words or {}),
            intermediates=self.intermediates,
            surprise=self.surprise_for(files),
            limits=self.limits,
            parameters=parameters,
        )

    def checks_in_words(self, words: Mapping[str, str]) -> tuple[DeclaredCheck, ...]:
        """The checks as the card says them; `{name}` in a check's words stands for what the files make of it."""

        def said(text: str) -> str:
            for name, what in words.items():
                text = text.replace("{" + name + "}", what)
            return text.replace("{dates}", "no file is byte for byte an earlier one")

        return tuple(DeclaredCheck(check.name, said(check.says)) for check in self.checks)

    def resume_for(self, *, message: str, seen: str, expected: str) -> bytes:
        """resume.md: the first message of the conversation that would resume after the likeliest surprise."""
        values = {
            "title": self.title,
            "surprise": self.surprise.name,
            "why": self.surprise.why,
            "message": message,
            "seen": seen,
            "expected": expected,
        }
        text = self.resume
        for key, value in values.items():
            text = text.replace("{{" + key + "}}", value.replace("{{", "{ {"))
        return text.encode()


def load_catalog(library: Path = LIBRARY) -> dict[str, Script]:
    """All script folders by name. Raises CatalogError."""
    folders = sorted(path.parent for path in library.glob("*/about.toml"))
    return {folder.name: _script(folder) for folder in folders}


def _script(folder: Path) -> Script:
    try:
        about = tomllib.loads((folder / "about.toml").read_text(encoding="utf-8"))
        limits = about["limits"]
        return Script(
            name=folder.name,
            title=about["title"],
            says=about["says"],
            words=tuple(about["words"]),
            also=tuple(about.get("also", ())),
            does=tuple(about.get("does", ())),
            grouped=tuple(about.get("grouped", ())),
            kinds=tuple(FileKind(kind) for kind in about["kinds"]),
            parameters=tuple(_parameter(item) for item in about["parameters"]),
            checks=tuple(DeclaredCheck(item["name"], item["says"]) for item in about["checks"]),
            intermediates=tuple(DeclaredIntermediate(item["name"], item["unit"]) for item in about["intermediates"]),
            surprises=tuple(_surprise(item) for item in about["surprises"]),
            limits=Limits(limits["time_s"], limits["memory_mb"]),
            plan=(folder / "plan.py").read_bytes(),
            report=(folder / "report.md").read_bytes(),
            resume=_resume(folder),
            folder=folder,
            sample_answers=about.get("sample_answers", {}),
        )
    except (KeyError, ValueError, OSError) as error:
        raise CatalogError(f"library/{folder.name} is not complete: {error!r}.") from error


def _resume(folder: Path) -> str:
    """Of its own where the folder has one, else what serves for all."""
    own = folder / "resume.md"
    return (own if own.is_file() else folder.parent / "resume.md").read_text(encoding="utf-8")


def _surprise(item: Mapping[str, Any]) -> tuple[LikeliestSurprise, frozenset[FileKind]]:
    surprise = LikeliestSurprise(item["name"], item["drift"], item["why"])
    return surprise, frozenset(FileKind(kind) for kind in item["kinds"])


def _parameter(item: Mapping[str, Any]) -> ParameterSpec:
    return ParameterSpec(
        name=item["name"],
        type=ParameterType(item["type"]),
        ask=item["ask"],
        default=item.get("default"),
        choices=tuple(item.get("choices", ())),
        says=tuple(item.get("says", ())),
        roles={role: tuple(names) for role, names in item.get("roles", {}).items()},
        texts={role: tuple(names) for role, names in item.get("texts", {}).items()},
        dated=tuple(item.get("dated", ())),
        by=item.get("by", ""),
        any_unit=item.get("any_unit", False),
    )
