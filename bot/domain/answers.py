"""Names of form fields that Standby itself reads, and what is wrong with what was written into them."""

import re

from bot.domain.recurrence import when_of
from bot.domain.rhythm import is_once
from bot.domain.unread_words import cadence_of, quoted, unread
from library.addresses import is_address

SCHEDULE = "schedule"
DESTINATION = "destination:"  # followed by the name that is asked about
EXAMPLES = (
    "For example: every Monday at 07:00; weekdays at 9 am; on the 1st of every month at noon; "
    "last day of every month; every other Wednesday at 16:30; Mondays and Thursdays at 7, Oslo time."
)
ADDRESS = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")


def problem(field: str, value: str, default_time: str) -> str:
    """Why a value cannot be used, for the person who wrote it; empty when it can."""
    if field.startswith(DESTINATION):
        rest = re.sub(r"[\s,;<>]+", "", ADDRESS.sub("", value))
        found = ADDRESS.findall(value)
        if not found or rest or not all(is_address(one) for one in found):
            return f"“{value[:60]}” is not a list of e-mail addresses. Write them with commas between."
    if field == SCHEDULE and not is_once(value):
        return _not_a_schedule(value, default_time)
    return ""


def _not_a_schedule(value: str, default_time: str) -> str:
    when = when_of(value, default_time)
    if when is None:
        return f"I cannot read “{value[:60]}” as a time that comes back. {EXAMPLES}"
    if other := unread(value, cadence=cadence_of(when)).changing:
        return f"Write only when it should run: {quoted(other)} says something else. Say that in the thread. {EXAMPLES}"
    return ""
