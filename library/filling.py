"""What filling a script's parameters comes to: values, and questions where the files do not decide."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from library.facts import CsvFacts, FileFacts, name_pattern
from library.toml_text import TomlValue

LEAVE_OUT = "leave it out"
AS_IT_IS = "read it as it is"
NONE_ALONE = "none of them alone"  # no column by itself is what is asked for
COLUMN = "column:"  # how the key of a question about a column begins; the columns of its table end it
FILE = "file:"  # key of the question whether a file is left out, followed by its name pattern


@dataclass(frozen=True)
class Choice:
    value: str
    label: str


@dataclass(frozen=True)
class Question:
    """One thing only a person can decide. Answers come back under `key`; without choices it is free text."""

    key: str
    ask: str
    choices: tuple[Choice, ...] = ()


@dataclass(frozen=True)
class Filled:
    """Parameters for plan.toml. They are complete only where `questions` is empty."""

    parameters: Mapping[str, TomlValue]
    questions: tuple[Question, ...] = ()
    notes: tuple[str, ...] = ()  # what is unusual about how a file is read, in plain sentences
    newest_at: datetime | None = None  # of all entries that tell their date; aware
    problems: tuple[str, ...] = ()  # why this script cannot do it at all, in plain sentences
    taken: tuple[str, ...] = ()  # what was read in the words of the request, and in which
    phrases: tuple[str, ...] = ()  # these words alone, as they stand there
    words: Mapping[str, str] = field(default_factory=dict)  # for the says of checks: name -> what the files make of it


@dataclass(frozen=True)
class Window:
    """The window (since, until] of the slot that the files are for."""

    since: datetime
    until: datetime
    is_any_age: bool = False  # asked once: the files are what they are, however old
    newest_before: datetime | None = None  # entry of the report before, once there are enough reports to compare with
    usual_overlap: float = 0.0  # days by which the tables of earlier reports began before it


@dataclass
class Filling:
    """What is known while filling: the files, the answers so far, the parameters of the version before, the slot."""

    files: tuple[FileFacts, ...]
    answers: Mapping[str, str]
    before: Mapping[str, TomlValue]
    agreed_left_out: tuple[str, ...] = ()
    questions: list[Question] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    window: Window | None = None
    said: str = ""  # the request in its own words
    taken: list[str] = field(default_factory=list)
    phrases: list[str] = field(default_factory=list)
    spans: dict[str, tuple[str, str]] = field(default_factory=dict)  # of each file whose reader tells dates

    def answer(self, key: str, ask: str, choices: tuple[Choice, ...] = ()) -> str:
        """The answer under this key; "" and a question if there is none yet."""
        given = self.answers.get(key, "")
        if not given or (choices and given not in [choice.value for choice in choices]):
            if key not in [question.key for question in self.questions]:
                self.questions.append(Question(key, ask, choices))
            return ""
        return given

    def left_out(self) -> list[str]:
        """Patterns of the files of which a person said to leave them out, now or in the version before."""
        now = [key.removeprefix(FILE) for key in self.answers if key.startswith(FILE)]
        said = [name for name in now if self.answers[FILE + name] == LEAVE_OUT]
        said += [name_pattern(one.name) for one in self.files if self._is_unwanted(one)]
        return sorted({*self.agreed_left_out, *said})

    def _is_unwanted(self, facts: FileFacts) -> bool:
        """Whether somebody who was asked for a column of such a file said to leave it out."""
        asked = [key for key, value in self.answers.items() if value == LEAVE_OUT and key.startswith(COLUMN)]
        return facts.csv is not None and any(key.endswith(f":{header_key(facts.csv)}") for key in asked)

    def unrelated(self, facts: FileFacts) -> tuple[Choice, ...]:
        """That a file may be left out which has other columns than the others; nothing where it is all there is."""
        mine = header_key(facts.csv) if facts.csv else ""
        alike = [one.name for one in self.files if one.csv and header_key(one.csv) == mine]
        if len(alike) == len(self.files):
            return ()
        what = facts.name if len(alike) == 1 else f"{facts.name} and {len(alike) - 1} more with these columns"
        return (Choice(LEAVE_OUT, f"Leave {what} out every time"),)

    def ask_to_leave_out(self, facts: FileFacts, why: str) -> None:
        """A file that cannot be used: it stays a question until a person decides; it is never dropped silently."""
        ask = f"{facts.name} cannot be used: {why}. What should happen with it?"
        self.answer(FILE + name_pattern(facts.name), ask, (leave_out(facts),))


def header_key(table: CsvFacts) -> str:
    """By which questions about a table's columns are one for all tables with these columns."""
    return ",".join(table.header)[:200]


def leave_out(facts: FileFacts) -> Choice:
    return Choice(LEAVE_OUT, f"Leave {facts.name} out every time")


def plain_choices(*values: str) -> tuple[Choice, ...]:
    return tuple(Choice(value, value) for value in values)
