"""Lines that look like records of some log, whichever it is: what is counted must not be taken for the rest of one."""

from __future__ import annotations

import re

from .stamps import STAMPS

_LEVEL_WORDS = r"(?:TRACE|DEBUG|INFO|NOTICE|WARN(?:ING)?|ERR(?:OR)?|SEVERE|CRIT(?:ICAL)?|FATAL|ALERT|EMERG(?:ENCY)?)"
_MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*"
# Not indented, and: a date or clock of any form, a mark-up element, key=value pairs.
_LIKE_A_RECORD = re.compile(
    rf"[\[(<\"']?(?:\d{{1,4}}[-./]\d{{1,2}}[-./]\d{{2,4}}\b|\d{{1,2}}:\d{{2}}\b|\d{{8}}[T_ -]?\d{{4}}"
    rf"|(?i:{_MONTH})\.? \d{{1,2}}\b|\d{{1,2}} (?i:{_MONTH})\b)"
    r"|<\w+[ >/]|[\w.]+=\S+ +[\w.]+=|\w+=[^\s=]+\s*$"
)
_LEVEL_NEAR_ITS_HEAD = re.compile(rf"(?:\S+ +){{0,3}}[\[(<|\"']?{_LEVEL_WORDS}(?![\w.])")


def looks_like_a_record(line: str) -> bool:
    """Whether it is a record of some kind, also by a level in its head.

    What is taken for the rest of the record above is not counted, so in doubt a line is a record of another kind.
    """
    return begins_otherwise(line) or bool(_LEVEL_NEAR_ITS_HEAD.match(line))


def holds_another(line: str) -> bool:
    """Whether a record stands behind a lone carriage return: then it was a line end, and the record would be lost."""
    return any(looks_like_a_record(part) for part in line.split("\r")[1:])


def begins_otherwise(line: str) -> bool:
    """True for JSON, and for a line that begins with a time stamp, known or not, with mark-up or with key=value."""
    if (line.startswith("{") and line.endswith("}")) or (line.startswith(("[{", '["')) and line.endswith("]")):
        return True
    return any(stamp.pattern.match(line) for stamp in STAMPS) or bool(_LIKE_A_RECORD.match(line))
