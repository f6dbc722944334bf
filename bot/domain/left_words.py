"""What is said where somebody who has to be there is gone; of such a sentence alone the names are ours."""

import re
from typing import Final

OWNER_LEFT: Final = (
    "The account of its owner <@{}> is deactivated, so nobody answers for it. "
    "Say “owner @Somebody” in its thread, then “resume”."
)
APPROVER_LEFT: Final = (
    "The account of <@{}>, who approved it, is deactivated. "
    "Another approver who says “resume” in its thread stands for it."
)
_SAID = [
    re.compile(re.escape(words).replace(re.escape("{}"), "([UW][A-Z0-9]{2,20})"))
    for words in (OWNER_LEFT, APPROVER_LEFT)
]


def who_left(said: str) -> tuple[str, ...]:
    """The user ids that such sentences name; none of any other words, which may be of data."""
    return tuple(found for words in _SAID for found in words.findall(said))
