"""Classes of pollution: what happens to a file, what it should still say, and whether bytes alone can tell."""

from __future__ import annotations

import gzip
import random
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from io import BytesIO

CSV, LOG, JSON, EXCEL = "csv", "log", "json lines", "excel"


@dataclass(frozen=True)
class Pollution:
    """`change` takes the clean bytes and a seeded choice. `alone`: the bytes show it without an earlier agreement."""

    kind: str
    name: str
    change: Callable[[bytes, random.Random], bytes]
    alone: bool = True


def _lines(data: bytes) -> list[bytes]:
    return data.splitlines(keepends=True)


def _row(data: bytes, chance: random.Random, change: Callable[[bytes], bytes]) -> bytes:
    """One row below the header, changed."""
    lines = _lines(data)
    place = chance.randrange(1, len(lines))
    lines[place] = change(lines[place])
    return b"".join(lines)


def _each(data: bytes, change: Callable[[bytes], bytes]) -> bytes:
    return b"".join(change(line) for line in _lines(data))


def _insert(data: bytes, chance: random.Random, line: bytes) -> bytes:
    lines = _lines(data)
    lines.insert(chance.randrange(2, len(lines) - 1), line)
    return b"".join(lines)


def _cell(line: bytes, place: int, change: Callable[[bytes], bytes]) -> bytes:
    cells = line.rstrip(b"\n").split(b",")
    cells[place] = change(cells[place])
    return b",".join(cells) + b"\n"


def _column(data: bytes, place: int, change: Callable[[bytes], bytes], header: bool = False) -> bytes:
    first, *rest = _lines(data)
    return (_cell(first, place, change) if header else first) + b"".join(_cell(one, place, change) for one in rest)


def _zip(data: bytes, names: tuple[str, ...] = ("a",)) -> bytes:
    out = BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name in names:
            archive.writestr(name, data)
    return out.getvalue()


def _moved(line: bytes) -> bytes:
    cells = line.rstrip(b"\n").split(b",")
    return b",".join([*cells[1:], cells[0]]) + b"\n"


def _long_minus(line: bytes) -> bytes:
    return _cell(line, 3, lambda cell: "\u2212".encode() + cell)


def _narrow(cell: bytes) -> bytes:
    return cell[:1] + "\u202f".encode() + cell[1:]


def _quote_within(line: bytes) -> bytes:
    return _cell(line, 2, lambda cell: cell[:2] + b'"' + cell[2:])


def _mixed(data: bytes) -> bytes:
    half = data.find(b"\n", len(data) // 2) + 1
    return data[:half] + data[half:].decode().encode("cp1252")


# Columns of the clean table are day, code, name, amount and share; the clean files are made in judged.py.
_PAGE = b"<!DOCTYPE html>\n<html><body><form>Log in</form></body></html>\n"
_TEXTS = (
    Pollution(CSV, "utf-16", lambda d, _: d.decode().encode("utf-16")),
    Pollution(CSV, "byte order mark", lambda d, _: b"\xef\xbb\xbf" + d),
    Pollution(CSV, "cp1252", lambda d, _: d.decode().encode("cp1252")),
    Pollution(CSV, "utf-16 without its mark", lambda d, _: d.decode().encode("utf-16-le")),
    Pollution(CSV, "utf-8 encoded twice", lambda d, _: d.decode().encode().decode("cp1252").encode()),
    Pollution(CSV, "letters lost", lambda d, c: _row(d, c, lambda line: line.replace("ø".encode(), b"\xef\xbf\xbd"))),
    Pollution(CSV, "control characters", lambda d, c: _row(d, c, lambda line: line.replace(b"-", b"\xc2\x96"))),
    Pollution(CSV, "two encodings", lambda d, _: _mixed(d)),
    Pollution(CSV, "carriage returns with line feeds", lambda d, _: d.replace(b"\n", b"\r\n")),
    Pollution(CSV, "carriage returns alone", lambda d, _: d.replace(b"\n", b"\r")),
    Pollution(CSV, "one lone carriage return", lambda d, c: _row(d, c, lambda line: line[:-1] + b"\r")),
    Pollution(CSV, "NUL bytes", lambda d, c: _insert(d, c, b"\0" * 64)),
    Pollution(CSV, "cut within a line", lambda d, c: d[: -c.randint(2, 12)]),
    Pollution(CSV, "no last line end", lambda d, _: d[:-1]),
    Pollution(CSV, "gzip under its old name", lambda d, _: gzip.compress(d, mtime=0)),
    Pollution(CSV, "gzip cut short", lambda d, _: gzip.compress(d, mtime=0)[:-20]),
    Pollution(CSV, "zip of one file", lambda d, _: _zip(d)),
    Pollution(
        CSV,
        "zip by an unknown method",
        lambda d, _: _zip(d).replace(
            b"PK\x01\x02\x14\x03\x14\x00\x00\x00\x00", b"PK\x01\x02\x14\x03\x14\x00\x00\x00\x09"
        ),
    ),
    Pollution(CSV, "zip of two files", lambda d, _: _zip(d, ("a", "b"))),
    Pollution(CSV, "web page instead", lambda _d, _c: _PAGE),
    Pollution(CSV, "empty", lambda _d, _c: b""),
)
_DIALECTS = (
    Pollution(CSV, "semicolons", lambda d, _: d.replace(b",", b";")),
    Pollution(CSV, "tabs", lambda d, _: d.replace(b",", b"\t")),
    Pollution(CSV, "bars", lambda d, _: d.replace(b",", b"|")),
    Pollution(CSV, "comma and space", lambda d, _: d.replace(b",", b", ")),
    Pollution(CSV, "one row with semicolons", lambda d, c: _row(d, c, lambda line: line.replace(b",", b";"))),
    Pollution(CSV, "a cell too many", lambda d, c: _row(d, c, lambda line: line[:-1] + b",x\n")),
    Pollution(CSV, "a cell too few", lambda d, c: _row(d, c, lambda line: line.replace(b",", b"", 1))),
    Pollution(CSV, "a stray quote", lambda d, c: _row(d, c, lambda line: line.replace(b",", b',"', 1))),
    Pollution(
        CSV,
        "a quote within a cell",
        lambda d, c: _row(d, c, _quote_within),
    ),
    Pollution(
        CSV, "a row in single quotes", lambda d, c: _row(d, c, lambda line: _cell(line, 2, lambda x: b"'" + x + b"'"))
    ),
    Pollution(CSV, "decimal commas", lambda d, _: _column(d, 3, lambda x: b'"' + x.replace(b".", b",") + b'"')),
    Pollution(CSV, "semicolons, decimal commas", lambda d, _: d.replace(b",", b";").replace(b".", b",")),
    Pollution(CSV, "currency marks", lambda d, _: _column(d, 3, lambda x: b"$" + x), alone=False),
    Pollution(CSV, "percent marks", lambda d, _: _column(d, 4, lambda x: x + b" %"), alone=False),
    Pollution(CSV, "thousands marks", lambda d, _: _column(d, 3, lambda x: b'"' + x[:1] + b"," + x[1:] + b'"')),
    Pollution(CSV, "narrow spaces", lambda d, _: _column(d, 3, _narrow), alone=False),
    Pollution(
        CSV, "typographic minus", lambda d, c: _row(d, c, lambda x: _cell(x, 3, lambda y: "\u2212".encode() + y)), False
    ),
    Pollution(CSV, "parentheses for negatives", lambda d, _: _column(d, 3, lambda x: b"(" + x + b")"), False),
)
_ROWS = (
    Pollution(CSV, "column renamed", lambda d, _: d.replace(b"amount", b"amount (NOK)", 1), False),
    Pollution(CSV, "columns moved", lambda d, _: _each(d, _moved), False),
    Pollution(CSV, "column added", lambda d, _: _each(d, lambda x: b"new," + x), False),
    Pollution(CSV, "column dropped", lambda d, _: _each(d, lambda x: x.split(b",", 1)[1]), False),
    Pollution(CSV, "column twice", lambda d, _: d.replace(b"share", b"amount", 1)),
    Pollution(CSV, "header missing", lambda d, _: d.split(b"\n", 1)[1]),
    Pollution(CSV, "header only", lambda d, _: _lines(d)[0], False),
    Pollution(CSV, "header repeated", lambda d, c: _insert(d, c, _lines(d)[0])),
    Pollution(CSV, "row of units", lambda d, _: d.replace(b"\n", b"\n,,,NOK,%\n", 1)),
    Pollution(CSV, "preamble", lambda d, _: b"Sales report\nmade 2026-09-07\n\n" + d),
    Pollution(CSV, "preamble as wide", lambda d, _: b"Sales report,,,,\n,,,,\n" + d),
    Pollution(CSV, "empty line between rows", lambda d, c: _insert(d, c, b"\n")),
    Pollution(CSV, "second table", lambda d, _: d + b"\n" + d),
    Pollution(CSV, "total row", lambda d, _: d + b"Total,,,99999.00,\n"),
    Pollution(CSV, "subtotal rows", lambda d, c: _insert(d, c, b"2026-08-09,,Oslo Total,99.00,\n"), False),
    Pollution(CSV, "grand total of a sheet", lambda d, _: d + b",,Gesamtergebnis,9.00,\n"),
    Pollution(CSV, "footer", lambda d, _: d + b"Exported by ACME: 40 rows\n"),
    Pollution(CSV, "null spelling", lambda d, c: _row(d, c, lambda x: _cell(x, 3, lambda _: b"n/a"))),
    Pollution(CSV, "empty number", lambda d, c: _row(d, c, lambda x: _cell(x, 3, lambda _: b"")), False),
    Pollution(CSV, "leading zeros lost", lambda d, _: _column(d, 1, lambda x: x.lstrip(b"0")), False),
    Pollution(CSV, "scientific ids", lambda d, _: _column(d, 1, lambda _: b"1.23E+11"), False),
    Pollution(CSV, "serial dates", lambda d, _: _column(d, 0, lambda x: b"462%s" % x[-2:]), False),
    Pollution(CSV, "day and month", lambda d, _: _column(d, 0, lambda x: x[8:] + b"/" + x[5:7] + b"/2026"), False),
    Pollution(CSV, "one date in another order", lambda d, c: _row(d, c, lambda x: b"31/08" + x[4:])),
)
_SPELLED = (b"INFO", b"WARN", b"ERROR")


_COLOURED = (b"\x1b[32mINFO\x1b[0m", b"\x1b[33mWARN\x1b[0m", b"\x1b[31mERROR\x1b[0m")
_TRACE = b"timed out\n\tat a.b(C.java:1)\nCaused by: x\n"


def _levels(data: bytes, names: tuple[bytes, bytes, bytes]) -> bytes:
    for old, new in zip(_SPELLED, names, strict=True):
        data = data.replace(b" " + old + b" ", b" " + new + b" ").replace(b'"' + old + b'"', b'"' + new + b'"')
    return data


_BOTH = tuple(
    Pollution(kind, name, change, alone)
    for kind in (LOG, JSON)
    for name, change, alone in (
        ("levels in lower case", lambda d, _: _levels(d, (b"info", b"warn", b"error")), False),
        ("levels renamed", lambda d, _: _levels(d, (b"INFO", b"WARNING", b"SEVERE")), False),
        ("an unknown level", lambda d, _: _levels(d, (b"INFO", b"WARN", b"ODDISH")), True),
        ("levels as numbers", lambda d, _: _levels(d, (b"30", b"40", b"50")), False),
        ("utf-16", lambda d, _: d.decode().encode("utf-16"), True),
        ("byte order mark", lambda d, _: b"\xef\xbb\xbf" + d, True),
        ("carriage returns with line feeds", lambda d, _: d.replace(b"\n", b"\r\n"), True),
        ("NUL bytes", lambda d, c: _insert(d, c, b"\0" * 4_096 + b"\n"), True),
        ("gzip", lambda d, _: gzip.compress(d, mtime=0), True),
        ("cut within a line", lambda d, c: d[: -c.randint(2, 12)], True),
        ("web page instead", lambda _d, _c: _PAGE, True),
        ("words in messages", lambda d, _: d.replace(b"scan done", b"0 ERRORs found"), True),
    )
)
_LOGS = (
    Pollution(
        LOG, "stack traces", lambda d, _: d.replace(b"timed out\n", b"timed out\n\tat a.b(C.java:1)\nCaused by: x\n")
    ),
    Pollution(LOG, "colours", lambda d, _: _levels(d, _COLOURED), False),
    Pollution(LOG, "carriage returns alone", lambda d, _: d.replace(b"\n", b"\r")),
    Pollution(LOG, "carriage returns, one line feed", lambda d, _: d[:-1].replace(b"\n", b"\r") + b"\n"),
    Pollution(LOG, "one lone carriage return", lambda d, c: _row(d, c, lambda line: line[:-1] + b"\r")),
    Pollution(LOG, "empty", lambda _d, _c: b""),
    Pollution(JSON, "empty", lambda _d, _c: b""),
    Pollution(CSV, "blanks at the end of rows", lambda d, _: _each(d, lambda x: x[:-1] + b" \n"), False),
    Pollution(LOG, "prefix of a collector", lambda d, _: _each(d, lambda x: b"2026-09-07T03:00:00Z F " + x), False),
    Pollution(LOG, "other time stamps", lambda d, _: d.replace(b"2026-09-0", b"0"), False),
    Pollution(LOG, "a foreign line", lambda d, c: _insert(d, c, b'{"level": "ERROR"}\n')),
    Pollution(JSON, "key of the level renamed", lambda d, _: d.replace(b'"level"', b'"severity_text"'), False),
    Pollution(JSON, "nested", lambda d, _: _each(d, lambda x: b'{"data": ' + x[:-1] + b"}\n"), False),
    Pollution(JSON, "one array", lambda d, _: b"[" + b",".join(d.splitlines()) + b"]\n"),
    Pollution(JSON, "a damaged line", lambda d, c: _row(d, c, lambda x: x[: len(x) // 2] + b"\n")),
    Pollution(JSON, "a key twice", lambda d, c: _row(d, c, lambda x: b'{"level": "INFO", ' + x[1:])),
    Pollution(JSON, "a level that is a list", lambda d, c: _row(d, c, lambda _: b'{"level": ["ERROR"]}\n')),
)
TEXT_CLASSES: tuple[Pollution, ...] = (*_TEXTS, *_DIALECTS, *_ROWS, *_BOTH, *_LOGS)
