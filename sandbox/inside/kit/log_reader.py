"""How one log is read, as plan.toml has it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from .stamps import BY_NAME


@dataclass(frozen=True)
class LogReader:
    """How to read one log, as plan.toml has it. `levels` maps each level as written to the name it is counted under."""

    format: str  # "text", "json" (one object per line) or "logfmt" (key=value pairs)
    levels: Mapping[str, str]
    stamp: str = "none"  # text: a name of kit.stamps, at the head of each record
    level_word: int = 1  # text: the level is this word after the stamp, counted from 1
    level_key: str = ""  # json, logfmt: the key of the level, dots for nested ones
    message_key: str = ""  # json, logfmt
    time_key: str = ""  # json, logfmt
    zone: str = "UTC"  # of stamps that name none
    compression: str = "none"
    encoding: str = "utf-8"
    line_end: str = "lf"
    empty: bool = False  # whether it may have no lines
    quotes: bool = False  # text: whether a line may hold a record of its own, as in a log that quotes others
    final_newline: bool = True  # whether the last line must have a line end

    def __post_init__(self) -> None:
        if self.format not in ("text", "json", "logfmt"):
            raise ValueError(f'format = "{self.format}" is not known; it is "text", "json" or "logfmt".')
        if self.stamp != "none" and self.stamp not in BY_NAME:
            raise ValueError(f'stamp = "{self.stamp}" is not known; it is one of none, {", ".join(BY_NAME)}.')

    @property
    def is_dated(self) -> bool:
        """Whether its records say their date; a stamp without a year does not."""
        if self.format == "text":
            return self.stamp != "none" and BY_NAME[self.stamp].moment is not None
        return bool(self.time_key)

    @property
    def expectation(self) -> str:
        known = ", ".join(self.levels)
        if self.format != "text":
            lines = "JSON lines" if self.format == "json" else "lines of key=value pairs"
            return f'{lines} with a level ({known}) under the key "{self.level_key}"'
        start = "" if self.stamp == "none" else f" after a time stamp like {BY_NAME[self.stamp].example}"
        return f"text lines whose word {self.level_word}{start} is a level ({known})"
