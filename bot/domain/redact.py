"""Keys, passwords and tokens in whatever Standby writes down or says of an error: masked by the form they have."""

import re
from typing import Any

MASK = "[masked]"
# Forms that are secrets wherever they stand; the prefixes are those that their makers publish for this purpose.
_KEYS = re.compile(
    r"\b(?:"
    r"sk-[A-Za-z0-9_-]{16,}|[srp]k_(?:live|test)_[A-Za-z0-9]{10,}"
    r"|xox[a-z]-[A-Za-z0-9-]{8,}|xapp-[A-Za-z0-9-]{8,}"
    r"|gh[a-z]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,}|glpat-[A-Za-z0-9_-]{16,}"
    r"|(?:AKIA|ASIA)[A-Z0-9]{16}|AIza[A-Za-z0-9_-]{30,}|ya29\.[A-Za-z0-9_-]{16,}"
    r"|e2b_[a-f0-9]{20,}|npm_[A-Za-z0-9]{30,}|pypi-[A-Za-z0-9_-]{30,}|hf_[A-Za-z0-9]{20,}"
    r"|eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*"
    r")"
)
# A name that says what follows it.
_NAMED = re.compile(
    r"(?i)((?:password|passwd|passphrase|pwd|secret|api[_-]?key|access[_-]?key|private[_-]?key|(?:auth|access|refresh)?"
    r"[_-]?token)[\"']?\s*[=:]\s*[\"']?)(?!\[masked\])([^\s\"',;&|}]{6,})"
)
_BEARER = re.compile(r"(?i)\b(bearer|basic)\s+[A-Za-z0-9._~+/=-]{12,}")
_LOGIN = re.compile(r"(?i)\b([a-z][a-z0-9+.-]*://[^\s:/@]{0,80}:)[^\s@/]{1,200}@")
_SIGNED_URL = re.compile(r"(?i)([?&](?:X-Amz-Signature|X-Amz-Security-Token|signature|sig)=)[^&\s\"']+")
_HOOK = re.compile(r"(?i)(hooks\.slack\.com/)[^\s\"'>)]+")
_PEM = re.compile(r"-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*PRIVATE KEY-----|\Z)", re.DOTALL)


def redacted(text: str) -> str:
    """The text with every secret in it replaced by the same word; text without one is returned as it is."""
    text = _PEM.sub(MASK, text)
    text = _LOGIN.sub(rf"\1{MASK}@", text)
    text = _BEARER.sub(rf"\1 {MASK}", text)
    text = _HOOK.sub(rf"\1{MASK}", text)
    text = _SIGNED_URL.sub(rf"\1{MASK}", text)
    text = _KEYS.sub(MASK, text)
    return _NAMED.sub(rf"\1{MASK}", text)


def redacted_all(value: Any) -> Any:
    """A JSON value with every text in it redacted, names of keys included."""
    if isinstance(value, str):
        return redacted(value)
    if isinstance(value, dict):
        return {redacted(str(key)): redacted_all(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [redacted_all(inner) for inner in value]
    return value
