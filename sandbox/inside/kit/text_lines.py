"""Bytes to lines of text, strictly: they are what the parameters say, or a surprise names what they are."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from pathlib import Path

from .packing import damaged, opened, torn
from .surprise import Surprise

LINE_LIMIT = 1_000_000  # characters; longer is not a line that a person wrote or a logger meant
LARGE_BYTES = 4_000_000  # of files for which loading numpy takes less time than it saves
BOM = "\ufeff"
LINE_ENDS = {"lf": "\n", "cr": "\r"}  # a line feed may have a carriage return before it
_WEB_PAGE = re.compile(r"\s*<(!doctype\s+html|html|head|body)\b", re.IGNORECASE)
_WRONGLY_DECODED = re.compile("[\x80-\x9f\ufffd]")  # control characters nobody writes, and the sign for a lost letter
_ONE_BYTE = ("cp125", "latin", "iso-8859", "iso8859")


def text_lines(
    path: Path,
    *,
    compression: str = "none",
    encoding: str = "utf-8",
    line_end: str = "lf",
    final_newline: bool = True,
) -> Iterator[str]:
    """Lines with their line end. Raises Surprise: PackedFile, OddArchive, TornArchive, OddEncoding, NulBytes,
    EndlessLine, WebPage, TornEnd."""
    number, end, torn_by = 0, _line_end(line_end), damaged(compression)
    one_byte = is_one_byte(encoding)
    try:
        with opened(path, compression) as stream:
            # newline="\n": a lone carriage return within a line is data, not a line end
            text = io.TextIOWrapper(stream, encoding=encoding, errors="strict", newline=end)
            while line := text.readline(LINE_LIMIT + 1):
                number += 1
                is_odd = len(line) > LINE_LIMIT or "\0" in line or line.startswith(BOM)
                if is_odd or number == 1 or (one_byte and not line.isascii()):
                    _refuse_odd_line(path, line, number, encoding if one_byte else "")
                if final_newline and not line.endswith(end):
                    raise _torn_end(path, line, number)
                yield line
    except torn_by as error:
        raise torn(path, compression, error, number) from error
    except UnicodeError as error:
        raise Surprise(
            "OddEncoding",
            f"{path.name} is not {encoding} after line {number:,}",
            seen=error,
            expected=f'text in {encoding} (the reader parameter "encoding" admits another)',
            file=path.name,
        ) from error


def is_web_page(line: str) -> bool:
    """Whether a file that begins like this is a page, such as a login form saved in the file's place."""
    return _WEB_PAGE.match(line) is not None


def is_one_byte(encoding: str) -> bool:
    """Whether any bytes are text in it, so that it can only be disproved."""
    return encoding.startswith(_ONE_BYTE)


def reads_as_utf8(line: str, encoding: str) -> bool:
    """Whether a line read in a one-byte encoding is UTF-8 as well: then it was UTF-8, which is never so by chance."""
    try:
        line.encode(encoding).decode("utf-8")
    except UnicodeError:
        return False
    return not line.isascii()


def garbled(text: str) -> str:
    """What shows that a text was decoded in a wrong encoding before it was written here; "" where nothing does."""
    if text.isascii():
        return ""
    if found := _WRONGLY_DECODED.search(text):
        return f"the character U+{ord(found[0]):04X}"
    try:
        before = text.encode("cp1252").decode("utf-8")
    except UnicodeError:
        return ""
    letters = [one for one in before if not one.isascii()]
    # Two signs that are UTF-8 by chance, as in JOSÉ’S, come to a letter of no language around them.
    is_usual = all("\xa0" <= one <= "\u017f" or "\u2000" <= one <= "\u20bf" for one in letters)
    return f"UTF-8 that was taken for another encoding ({''.join(letters[:3])})" if is_usual or letters[3:] else ""


def _line_end(name: str) -> str:
    if name not in LINE_ENDS:
        raise ValueError(f'line_end = "{name}" is not known; it is "lf" or "cr".')
    return LINE_ENDS[name]


def _torn_end(path: Path, line: str, number: int) -> Surprise:
    return Surprise(
        "TornEnd",
        f"{path.name} ends within line {number:,}, as if it were cut",
        seen="no line end after the last line",
        expected="a line end after the last line (the reader parameter final_newline = false admits files without)",
        file=path.name,
        rows=[line[-200:]],
    )


def _refuse_odd_line(path: Path, line: str, number: int, one_byte: str) -> None:
    if len(line) > LINE_LIMIT:
        raise Surprise(
            "EndlessLine",
            f"line {number:,} of {path.name} is longer than {LINE_LIMIT:,} characters",
            expected="lines",
            file=path.name,
            rows=[line[:200]],
        )
    if "\0" in line:
        raise Surprise(
            "NulBytes",
            f"line {number:,} of {path.name} holds NUL bytes, as files do after a crash or a full disk",
            seen=f"{line.count(chr(0)):,} NUL bytes",
            expected="text",
            file=path.name,
            rows=[line[:200]],
        )
    if one_byte and reads_as_utf8(line, one_byte):
        raise Surprise(
            "OddEncoding",
            f"line {number:,} of {path.name} is written in utf-8, and the plan expects {one_byte}",
            seen="utf-8",
            expected=f'text in {one_byte} (the reader parameter "encoding" admits another)',
            file=path.name,
            rows=[line[:200]],
        )
    if line.startswith(BOM):
        _refuse_mark(path, line, number)
    if number == 1 and is_web_page(line):
        _refuse_page(path, line)


def _refuse_mark(path: Path, line: str, number: int) -> None:
    """One at the beginning tells an encoding; one further down tells that files were put one behind the other."""
    expected = "no byte order mark"
    if number == 1:
        expected += ' (the reader parameter encoding = "utf-8-sig" admits it)'
    raise Surprise(
        "OddEncoding",
        f"line {number:,} of {path.name} begins with a byte order mark",
        seen="utf-8 with a byte order mark",
        expected=expected,
        file=path.name,
        rows=[line[:200]],
    )


def _refuse_page(path: Path, line: str) -> None:
    ending = path.suffix.removeprefix(".").upper()
    wanted = f"a {ending}" if ending and not ending.startswith("HTM") else "data"
    raise Surprise(
        "WebPage",
        f"{path.name} is an HTML page, not {wanted}: most often a login form or an error saved in the file's place",
        seen=line[:200],
        expected="the data itself; fetch the file again",
        file=path.name,
        rows=[line[:200]],
    )
