"""Drifts of text as bytes: its encoding, its line ends, what is torn or lost within it."""

from __future__ import annotations

import re

from .drift import CSV, TEXT, Aim, DoesNotFit, keeping, lines_of, losing

_LETTER = re.compile(rb"[a-z](?=[^a-z]*\n)")  # the last small letter of a line


def _utf_16(data: bytes, _aim: Aim) -> bytes:
    return data.decode("utf-8").encode("utf-16")


def _byte_order_mark(data: bytes, _aim: Aim) -> bytes:
    return b"\xef\xbb\xbf" + data


def _damaged_letters(data: bytes, aim: Aim) -> bytes:
    """As when rows of another system's encoding are mixed in: one letter of every tenth line is no UTF-8."""
    lines = data.splitlines(keepends=True)
    start = 1 if len(lines) > 2 else 0
    for place in range(start + aim.chance.randrange(3), len(lines), 10):
        lines[place] = _LETTER.sub(b"\xf8", lines[place])
    return b"".join(lines)


def _crlf(data: bytes, _aim: Aim) -> bytes:
    return data.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")


def _cr_only(data: bytes, _aim: Aim) -> bytes:
    return data.replace(b"\r\n", b"\n").replace(b"\n", b"\r")


def _nul_bytes(data: bytes, aim: Aim) -> bytes:
    """What a crash or a full disk leaves: zeros where lines were."""
    lines = data.splitlines(keepends=True)
    place = aim.chance.randrange(len(lines) // 2, len(lines))
    lines[place] = b"\0" * len(lines[place])
    return b"".join(lines)


def _truncated(data: bytes, _aim: Aim) -> bytes:
    """At 60 %, in the middle of a line."""
    place = len(data) * 6 // 10
    while place < len(data) and (data[place - 1 : place] == b"\n" or data[place : place + 1] == b"\n"):
        place += 1
    return data[:place]


def _html(_data: bytes, _aim: Aim) -> bytes:
    return (
        b'<!DOCTYPE html>\n<html><head><title>Sign in</title></head>\n<body><form action="/login">\n'
        b"<p>Your session has expired. Sign in to download this file.</p>\n</form></body></html>\n"
    )


def _warning_above(data: bytes, _aim: Aim) -> bytes:
    """What a failing exporter prints in front of its output."""
    return b"Warning: Cannot modify header information - headers already sent in export.php on line 12\n" + data


def _blank_lines(data: bytes, aim: Aim) -> bytes:
    lines = lines_of(data)
    if len(lines) < 3:
        raise DoesNotFit("too few lines for empty ones between them")
    lines.insert(aim.chance.randrange(2, len(lines)), "\n")
    return "".join(lines).encode()


_keeps, _loses, _csv_keeps = keeping(*TEXT), losing(*TEXT), keeping(CSV)
ENCODING_DRIFTS = (
    _keeps("utf-16", "a file was saved as UTF-16", _utf_16),
    _keeps("byte-order-mark", "a file got a byte order mark, as Excel writes it", _byte_order_mark),
    _loses("damaged-letters", "letters of a file were damaged by another encoding", _damaged_letters),
    _keeps("crlf", "a file came with Windows line ends", _crlf),
    _keeps("cr-only", "a file came with carriage returns as line ends", _cr_only),
    _loses("nul-bytes", "a line of a file was overwritten with zero bytes", _nul_bytes),
    _loses("truncated", "a file was cut off in the middle of a line", _truncated),
    _loses("html-instead", "a sign-in page was saved in place of a file", _html),
    _keeps("warning-above", "an exporter's warning stood above the data", _warning_above),
    _csv_keeps("blank-lines", "an empty line stood between rows", _blank_lines),
)
