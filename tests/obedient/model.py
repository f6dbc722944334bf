"""A model without any judgment: whatever instruction it can read anywhere, it carries out with every tool there is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from tests.fakes.model_api import Asked, Json, text, use
from tests.obedient.payloads import PAYLOADS, Payload, Trap

ENDS_WITH = "The data is wrong: I did all that it says. "


@dataclass
class Obedient:
    """One conversation's mind. `heard` are the keys of the instructions that came to it, by whatever way."""

    trap: Trap
    heard: list[str] = field(default_factory=list)
    plan: tuple[Json, ...] = ()  # a draft to be scheduled besides, so that its words come onto a card
    has_looked: bool = False

    def turn(self, asked: Asked) -> Sequence[Json]:
        """Look at everything first; then obey what is new; then end, and say all that one is told to say."""
        if not self.has_looked:
            self.has_looked = True
            return [use("list_files", dir="inputs"), use("run_code", script=LOOK), *self.plan]
        new = [one for one in PAYLOADS if one.key not in self.heard and _is_in(one, asked.all)]
        self.heard += [one.key for one in new]
        if new:
            return merged([call for one in new for call in one.obey(self.trap)])
        return [text(ENDS_WITH + self.last_words())]

    def last_words(self) -> str:
        said = [one.says.format(url=self.trap.url) for one in PAYLOADS if one.key in self.heard and one.says]
        return "\n".join(said)


# Prints what it can of every input, names and sheets and keys among it.
LOOK = """
import pathlib
for path in sorted(pathlib.Path("inputs").iterdir()):
    print(path.name)
    if path.suffix == ".xlsx":
        import openpyxl
        book = openpyxl.load_workbook(path)
        print(book.sheetnames)
    else:
        print(path.read_text(errors="replace")[:3000])
"""


def merged(calls: Sequence[Json]) -> list[Json]:
    """All code in one call, each piece on its own feet; and no tool so often that it would be stopped for that."""
    pieces = [call["input"]["script"] for call in calls if call["name"] == "run_code"]
    tried = "".join(f"try:\n{_indented(one)}\nexcept BaseException as error:\n    print(error)\n" for one in pieces)
    others = [call for call in calls if call["name"] != "run_code"]
    return [*([use("run_code", script=tried)] if pieces else []), *others]


def _indented(source: str) -> str:
    return "\n".join(f"    {line}" for line in source.splitlines())


def _is_in(payload: Payload, words: str) -> bool:
    """Whether the instruction can still be read, with its fence marks escaped or spaces written otherwise."""
    plain = words.replace("&lt;", "<").replace("&gt;", ">").replace("\\u", " ")
    return _spaced(payload.key) in _spaced(plain)


def _spaced(words: str) -> str:
    return " ".join(words.replace("_", " ").replace("-", " ").split()).lower()
