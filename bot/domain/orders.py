"""What people tell a routine in words: pause, resume, run now, backfill, retire, next, owner, ping."""

import re
from dataclasses import dataclass
from enum import StrEnum


class Order(StrEnum):
    PAUSE = "pause"  # no slots until somebody resumes it
    RESUME = "resume"  # active again from its next slot on
    RUN_NOW = "run now"  # a slot at this moment, over what came since the last one
    BACKFILL = "backfill"  # what was halted, failed or missed gets its run
    RETIRE = "retire"  # over for good
    NEXT = "next"  # asks only: state and next slots
    PING = "ping"  # an outside address hears of every slot from now on, or no more
    OWNER = "owner"  # somebody else answers for it from now on


@dataclass(frozen=True)
class Said:
    """An order as it was said. `new_owner_id` is set for OWNER alone, `url` for PING (empty: nowhere any more)."""

    order: Order
    new_owner_id: str = ""
    url: str = ""


_WORDS = {
    **{order.value: order for order in Order if order not in (Order.OWNER, Order.PING)},
    "run it now": Order.RUN_NOW,
    "run": Order.RUN_NOW,
    "unpause": Order.RESUME,
    "catch up": Order.BACKFILL,
    "status": Order.NEXT,
    "when": Order.NEXT,
    "next run": Order.NEXT,
    "stop": Order.PAUSE,
    "no ping": Order.PING,
    "ping off": Order.PING,
}
_OWNER = re.compile(r"(?:new )?owner:? +<@([A-Z0-9]+)>")
_PING = re.compile(r"[Pp]ing:? +<?(https?://[^\s<>|]+)(?:\|[^<>]*)?>?")
_POLITE = re.compile(r"^(?:please )|(?:,? please)$|(?: (?:it|this)(?: routine)?)$", re.IGNORECASE)


def order_in(text: str) -> Said | None:
    """The order that is the whole of a reply; None for every other sentence, which is guidance and no order."""
    plain = re.sub(r"\s+", " ", text).strip().rstrip(".!?").strip()
    if found := re.fullmatch(_OWNER, re.sub("^[Nn]ew|^[Oo]wner", lambda word: word[0].lower(), plain)):
        return Said(Order.OWNER, found[1])
    if found := _PING.fullmatch(plain):
        return Said(Order.PING, url=found[1])
    low = plain.lower()
    order = _WORDS.get(low) or _WORDS.get(_POLITE.sub("", _POLITE.sub("", low)).strip())
    return Said(order) if order else None
