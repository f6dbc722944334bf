"""Secrets in shown lines, masked: what looks like a key, a password or a token never leaves the box in a sample."""

from __future__ import annotations

import re

MASK = "[masked]"
# Forms that are keys wherever they stand: the prefixes are those their makers publish for exactly this purpose.
_KEYS = re.compile(
    r"\b(?:"
    r"sk-[A-Za-z0-9_-]{16,}|sk_live_[A-Za-z0-9]{10,}|rk_live_[A-Za-z0-9]{10,}"
    r"|xox[abposr]-[A-Za-z0-9-]{8,}|xapp-[A-Za-z0-9-]{8,}"
    r"|gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,}|glpat-[A-Za-z0-9_-]{16,}"
    r"|(?:AKIA|ASIA)[A-Z0-9]{16}|AIza[A-Za-z0-9_-]{30,}|ya29\.[A-Za-z0-9_-]{16,}"
    r"|e2b_[a-f0-9]{20,}|npm_[A-Za-z0-9]{30,}|pypi-[A-Za-z0-9_-]{30,}|hf_[A-Za-z0-9]{20,}"
    r"|eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*"
    r")"
)
# A name that says what follows it: password=..., "api_key": "...", Authorization: Bearer ...
_NAMED = re.compile(
    r"(?i)((?:pass(?:word|wd|phrase)?|pwd|secret|api[_-]?key|access[_-]?key|private[_-]?key|client[_-]?secret"
    r"|auth[_-]?token|access[_-]?token|refresh[_-]?token|token|credential|session[_-]?id|cookie|signature)s?"
    r"[\"']?\s*[=:]\s*[\"']?)(?!\[masked\])([^\s\"',;&|}]{4,})"
)
_BEARER = re.compile(r"(?i)\b(bearer|basic)\s+[A-Za-z0-9._~+/=-]{8,}")
_URL_LOGIN = re.compile(r"(?i)\b([a-z][a-z0-9+.-]*://[^\s:/@]{1,80}:)[^\s@/]{1,200}@")
_PEM = re.compile(r"-----(?:BEGIN|END) [A-Z ]*PRIVATE KEY-----")
# The body of a key in PEM: a line of nothing but base64, as long as such lines are.
_BASE64_LINE = re.compile(r"[A-Za-z0-9+/]{60,76}={0,2}")


_NAMES_A_SECRET = re.compile(
    r"(?i)(?:.*[\W_])?(?:pass(?:word|wd|phrase)?|pwd|secret|api[\W_]?key|(?:access|private|secret)[\W_]?key"
    r"|client[\W_]?secret|(?:\w+[\W_])?token|credentials?|cookie)s?"
)


def names_a_secret(column: str) -> bool:
    """Whether what stands in a column of this name is not to be shown, unless it is a number."""
    return _NAMES_A_SECRET.fullmatch(column) is not None


def masked(line: str) -> str:
    """The line with every secret in it replaced; a line that is a part of a private key is masked whole."""
    if _PEM.search(line) or _BASE64_LINE.fullmatch(line.strip()):
        return MASK
    line = _URL_LOGIN.sub(rf"\1{MASK}@", line)
    line = _BEARER.sub(rf"\1 {MASK}", line)
    line = _KEYS.sub(MASK, line)
    return _NAMED.sub(rf"\1{MASK}", line)
