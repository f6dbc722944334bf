"""“Skip spectro-07 this week”: which inputs somebody wants left out of one report, and which files those are."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase

from library.toml_text import TomlValue

_ONCE = (
    r"(?:(?:only|just)\s+)?(?:for\s+)?(?:(?:only|just)\s+)?"
    r"(?:this\s+(?:week|time|once|slot|run|report|day|month|monday|tuesday|wednesday|thursday|friday|saturday|sunday)"
    r"|once|today)(?:\s+only)?"
)
_SAID = re.compile(
    rf"(?:please\s+|can you\s+|could you\s+|let us\s+|let's\s+)*"
    rf"(?:skip|omit|ignore|exclude|drop|leave\s+out|leave|do not count|don['’]t count|run it without|without)\s+"
    rf"(?P<what>.+?)(?:\s+out)?,?\s+{_ONCE}(?:,?\s+please)?",
    re.IGNORECASE,
)
_AND = re.compile(r"\s*(?:,|\band\b|&)\s*", re.IGNORECASE)
_ABOUT = re.compile(r"^(?:the\s+)?(?:files?\s+|logs?\s+|input\s+)?(?:of\s+|from\s+)?(?:the\s+)?", re.IGNORECASE)


class Unmatched(Exception):
    """The words mean no file, or more than one; the text says which there are."""


@dataclass(frozen=True)
class LeavingOut:
    """Names as people say them, for one report alone."""

    words: tuple[str, ...]


def leaving_out(text: str) -> LeavingOut | None:
    """What a reply asks to leave out of one report; None for every other sentence."""
    said = _SAID.fullmatch(" ".join(text.split()).rstrip(".!"))
    if said is None:
        return None
    words = [_ABOUT.sub("", one).strip("`'\"“”") for one in _AND.split(said["what"])]
    return LeavingOut(tuple(one for one in words if one)) if any(words) else None


def files_meant(asked: LeavingOut, names: Sequence[str]) -> tuple[str, ...]:
    """The files of a slot that are meant, each once. Raises Unmatched where a word means none of them, or several."""
    found = [_file(word, names) for word in asked.words]
    return tuple(dict.fromkeys(found))


def _file(word: str, names: Sequence[str]) -> str:
    low = word.lower()
    for fits in (
        lambda name: name.lower() == low,
        lambda name: name.lower().partition(".")[0] == low,
        lambda name: low in name.lower(),
    ):
        found = [name for name in names if fits(name)]
        if len(found) == 1:
            return found[0]
        if found:
            raise Unmatched(f"“{word}” could be {_listed(found)}. Say which one; nothing was changed.")
    raise Unmatched(f"No file of this report is called “{word[:60]}”. There is: {_listed(names)}. Nothing was changed.")


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names[:20]) + (f" and {len(names) - 20} more" if len(names) > 20 else "")


def not_expecting(parameters: Mapping[str, TomlValue], names: Sequence[str]) -> dict[str, TomlValue]:
    """The parameters, where the kit's list of files that must be there no longer names what is left out."""
    expected = parameters.get("expected_files")
    if isinstance(expected, Mapping):
        left = {one: int(str(count)) - sum(fnmatchcase(name, one) for name in names) for one, count in expected.items()}
        return {**parameters, "expected_files": {one: count for one, count in left.items() if count > 0}}
    if not isinstance(expected, list):
        return dict(parameters)
    kept = [one for one in expected if not any(fnmatchcase(name, str(one)) for name in names)]
    return {**parameters, "expected_files": kept}
