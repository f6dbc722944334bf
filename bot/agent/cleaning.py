"""What goes to a model first loses what it must not show: keys are masked, hidden characters made visible."""

from __future__ import annotations

import re

from bot.domain.counts import counted
from bot.domain.gate import is_hidden, is_unseen

# Shapes of secrets that their makers document, and the few ways in which people write passwords into files.
_NAMED = r"(?i)(?<![a-z])(?:password|passwd|secret|api[_-]?key|token)[\"']?\s*[=:]\s*[\"']?(?P<value>[^\s\"',;]{6,})"
_SECRETS: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("private key", re.compile(r"-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*KEY-----|\Z)", re.DOTALL)),
    ("AWS key", re.compile(r"\b(?:AKIA|ASIA)[A-Z0-9]{16}\b")),
    ("Slack token", re.compile(r"\bxox[a-z]-[A-Za-z0-9-]{10,}|\bxapp-[A-Za-z0-9-]{10,}")),
    ("API key", re.compile(r"\b(?:sk|rk|pk)[-_](?:ant-|live_|test_|proj-)?[A-Za-z0-9_-]{16,}")),
    ("GitHub token", re.compile(r"\bgh[a-z]_[A-Za-z0-9]{30,}|\bgithub_pat_[A-Za-z0-9_]{30,}")),
    ("Google key", re.compile(r"\bAIza[A-Za-z0-9_-]{30,}")),
    ("token", re.compile(r"\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*")),
    ("bearer token", re.compile(r"(?i)(?<=bearer )[A-Za-z0-9._~+/-]{12,}=*")),
    ("password", re.compile(r"(?<=://)[^\s/:@]+:[^\s/@]+(?=@)")),
    ("password", re.compile(_NAMED)),
)  # fmt: skip


def clean(text: str) -> str:
    """The text with secrets masked and every character visible; the same for the same text."""
    for kind, pattern in _SECRETS:
        text = pattern.sub(lambda found, kind=kind: _masked(found, kind), text)  # type: ignore[misc] # mypy: defaults
    return "".join(_visible(char) for char in text)


def with_count(text: str) -> str:
    """The text cleaned; where it holds what cannot be seen, how much that is stands above it."""
    unseen = sum(map(is_unseen, text))
    cleaned = clean(text).strip()
    if not unseen:
        return cleaned
    return f"({counted(unseen, 'character')} below cannot be seen and stand here as codes, such as \\u202e)\n{cleaned}"


def fenced(source: str, data: str) -> str:
    """Data inside a fence that it cannot close; the prompt says that nothing in a fence is an instruction."""
    inside = re.sub(r"<(?=/?\s*data\b)", "&lt;", data, flags=re.IGNORECASE)
    name = "".join(char for char in source if char not in '<>"\n')[:200]
    return f'<data source="{name}">\n{inside.rstrip()}\n</data>'


def bounded(text: str, limit_bytes: int, advice: str) -> str:
    """At most so many bytes: two fifths from the head and three from the tail, with what was left out in between."""
    data = text.encode()
    if len(data) <= limit_bytes:
        return text
    gap = f"\n… {{}} of {len(data):,} bytes left out; {advice} …\n"
    room = max(0, limit_bytes - len(gap.encode()) - 12)
    head, tail = data[: room * 2 // 5], data[len(data) - room * 3 // 5 :]
    left_out = f"{len(data) - len(head) - len(tail):,}"
    return head.decode("utf-8", "ignore") + gap.format(left_out) + tail.decode("utf-8", "ignore")


def _masked(found: re.Match[str], kind: str) -> str:
    value = found.groupdict().get("value")
    return found[0].replace(value, f"[{kind} masked]") if value else f"[{kind} masked]"


def _visible(char: str) -> str:
    return char if char in "\n\t" or not is_hidden(char) else char.encode("unicode_escape").decode()
