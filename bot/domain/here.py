"""Whether an address leads to this very computer."""

from urllib.parse import urlsplit

LOOPBACK = ("127.0.0.1", "localhost", "::1")


def is_loopback(url: str) -> bool:
    return urlsplit(url).hostname in LOOPBACK
