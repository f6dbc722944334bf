"""What people type after /standby: a word and the name of a routine."""

from dataclasses import dataclass
from enum import StrEnum


class Word(StrEnum):
    LIST = "list"  # every routine that the person may see
    SHOW = "show"  # one of them in full
    RUN = "run"  # an order, as by reply
    PAUSE = "pause"  # an order
    RESUME = "resume"  # an order
    HISTORY = "history"  # its slots, newest first
    COST = "cost"  # the bill of one routine, or of all that the person may see
    LIBRARY = "library"  # the proven scripts
    HELP = "help"  # what can be typed


MEANS = {
    Word.LIST: "every routine, when it runs next and how it went",
    Word.SHOW: "one of them in full",
    Word.RUN: "run it now, over what was posted since its last run",
    Word.PAUSE: "no runs until somebody resumes it",
    Word.RESUME: "runs again from its next time on",
    Word.HISTORY: "its runs, newest first",
    Word.COST: "what was paid, beside what a loop of an agent would have; without a name, of all",
    Word.LIBRARY: "the proven scripts that need no model",
    Word.HELP: "this list",
}
NAMELESS = frozenset({Word.LIST, Word.LIBRARY, Word.HELP})


@dataclass(frozen=True)
class Asked:
    """What was typed. `unknown` is the first word where it is none of ours; `page` begins at 0."""

    word: Word
    name: str = ""
    unknown: str = ""
    page: int = 0


def asked(text: str) -> Asked:
    """Read what stands after the command. Nothing, and words that are none of ours, ask for help."""
    first, *rest = text.lower().split() or [""]
    first = first.strip("`'\"“”")
    if first not in set(Word):
        return Asked(Word.HELP, unknown=first)
    page = int(rest.pop()) - 1 if len(rest) > 1 and rest[-1].isdecimal() and len(rest[-1]) < 5 else 0
    return Asked(Word(first), "-".join(rest).strip("`'\"“”"), page=max(0, page))
