"""Questions about Standby itself, and a script of one's own that is only named: both get words, and change nothing."""

import re

_ASKED = re.compile(
    r"(?:(?:hi|hello|hey|please|so|and|ok|standby)[ ,!.]+)*"
    r"(?:help(?: me)?|\?|what (?:can|do|could) you (?:do|understand|know)|what (?:are you|is this)(?: for)?|who are you"
    r"|how (?:do|can|should) (?:i|we) (?:use|talk to|ask|work with) (?:you|this|it|standby)|how does (?:this|it) work"
    r"|how do you work|what can (?:i|we) (?:ask|say|do|tell)(?: you| here| now)*|what do (?:i|we) do(?: here| now)*"
    r"|what are my options|commands)(?: please| here| for me| for us)*"
)
_SCRIPT = re.compile(r"\b(?:use|run|take|try|with)\b[^.;!?\n]{0,40}?\b([\w-]{1,60}\.py)\b", re.IGNORECASE)


def asks_for_help(text: str) -> bool:
    """Whether the whole of a message asks what Standby can do, and wants nothing yet."""
    said = " ".join(re.sub(r"<@[^>]*>", " ", text).lower().replace("’", "'").split())
    return _ASKED.fullmatch(said.rstrip(" ?!.")) is not None or said == "?"


def script_named(text: str) -> str:
    """The script of their own that somebody wants used, by name; empty where none is named."""
    found = _SCRIPT.search(text)
    return found[1] if found else ""
