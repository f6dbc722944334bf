"""Which number a question like “why 41?” is about."""

import re
from decimal import Decimal, InvalidOperation

MOST_WORDS = 10
_ASKS = re.compile(r"^(?:but |so |and )?(?:why|whence|where|how|what)\b", re.IGNORECASE)
_NUMBER = re.compile(r"(?<![\w.,:/#-])[-−]?\d(?:[\d.,' \u00a0\u202f]*\d)?(?![\w:/]|[.,-]\d)")
# A number of these says when, or how many are looked at; nobody asks where it comes from.
_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    r"|nov(?:ember)?|dec(?:ember)?)\b"
)
_TIMED = re.compile(
    r"\b(?:since|until|till|before|after|between|from|in|on|for|during|last|past|first|top|next|version|line)"
    r"\s+(?:the\s+)?\d[\d.,]*(?:st|nd|rd|th)?\b(?!\s+errors?\b)"
    rf"|\b\d[\d.,]*(?:st|nd|rd|th)?\s+(?:of\s+)?{_MONTH}|\b{_MONTH}\s+\d{{1,2}}\b",
    re.IGNORECASE,
)


def number_asked(text: str) -> str:
    """The number as it was written; empty where a sentence is no question about exactly one number."""
    said = " ".join(text.split())
    found = _NUMBER.findall(said)
    if not _ASKS.match(said) or len(said.split()) > MOST_WORDS or len(found) != 1 or _TIMED.search(said):
        return ""
    return str(found[0])


def value_of(written: str) -> Decimal | None:
    """The value of a number as people and reports write it: `1,234`, `1 234`, `12.50`; None where it is none."""
    plain = re.sub(r"[\s'\u00a0\u202f]", "", written.replace("−", "-"))
    if re.fullmatch(r"-?\d{1,3}(?:,\d{3})+(?:\.\d+)?", plain):
        plain = plain.replace(",", "")
    elif plain.count(",") == 1 and "." not in plain:
        plain = plain.replace(",", ".")  # a decimal comma
    try:
        return Decimal(plain)
    except InvalidOperation:
        return None


def is_shown_as(value: float, written: Decimal) -> bool:
    """Whether a value, rounded to as many places as were written, is what was written."""
    places = max(0, -int(written.as_tuple().exponent))
    try:
        return Decimal(repr(value)).quantize(Decimal(1).scaleb(-places)) == written
    except InvalidOperation:
        return False
