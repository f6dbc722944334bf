"""What duckdb is asked about the cells of a plain CSV file: whether they are as row by row they must be."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from .csv_reader import CsvReader
from .plain_bytes import QUOTE
from .rewritten import decimal, name_in_sql, plain_source, text_in_sql
from .totals import LIKE_A_TOTAL

if TYPE_CHECKING:
    from .tables import CsvFile

Size = tuple[int, int]  # of a number column: digits, most of them behind the mark
ODD = "is not as agreed"  # the column of rows whose numbers are none


def cast_source(file: CsvFile, sizes: Mapping[int, Size]) -> str:
    """The file's cells as text, number columns as these types, and whether one of them is no number of its size."""
    reader, chosen, wrong = file.reader, [], ["false"]
    digits = dict(reader.code_widths)
    for place, cell in enumerate(map(name_in_sql, reader.header)):
        if place not in sizes:
            chosen.append(cell)
            continue
        chosen.append(f"TRY_CAST({_with_point(cell, reader.decimal)} AS {decimal(*sizes[place])}) AS {cell}")
        wrong.append(_is_no_number(cell, reader, _number(*sizes[place])))
        if place in digits:
            wrong.append(_is_no_code(cell, digits[place]))
        if place in reader.exact_decimals:
            mark = text_in_sql(reader.decimal)
            point = f"CASE WHEN contains({cell}, {mark}) THEN length({cell}) - instr({cell}, {mark}) ELSE 0 END"
            wrong.append(f"{point} <> {reader.exact_decimals[place]}")
    source = plain_source(file.source.path, reader.header, reader.delimiter, "")
    return f"(SELECT {', '.join(chosen)}, {' OR '.join(wrong)} AS {name_in_sql(ODD)} FROM {source})"


def oddities(reader: CsvReader, numbers: Container[int], suspects: set[bytes]) -> Iterator[str]:
    """How many cells of each other column are not as they must be."""
    digits = dict(reader.code_widths)
    for place, name in enumerate(reader.header):
        if place in numbers:
            continue
        cell = name_in_sql(name)
        wrong = [_is_no_code(cell, digits[place])] if place in digits else []
        wrong += _is_suspect(cell, suspects) if suspects else ()
        if name == dated_name(reader):
            moment = _moment(cell, reader)  # a year of two digits is no year of four to the kit
            wrong.append(f"({moment} IS NULL OR year({moment}) < 1000){_or_null(cell, reader)}")
        if wrong:
            yield f"count(*) FILTER (WHERE {' OR '.join(wrong)})"


def _is_no_code(cell: str, digits: int) -> str:
    return f"({cell} <> '' AND length({cell}) <> {digits})"


def _number(digits: int, behind: int) -> str:
    """A number of at most these digits."""
    point = rf"(\.[0-9]{{1,{behind}}})?" if behind else ""
    return rf"[-+]?[0-9]{{1,{digits - behind}}}{point}"


def _is_no_number(cell: str, reader: CsvReader, pattern: str) -> str:
    wrong = f"NOT regexp_full_match({_with_point(cell, reader.decimal)}, {text_in_sql(pattern)})"
    if reader.decimal == ",":
        wrong = f"({wrong} OR contains({cell}, '.'))"
    return f"({wrong} AND {cell} <> '')" if "" in reader.nulls else wrong


def _is_suspect(cell: str, suspects: set[bytes]) -> Iterator[str]:
    if QUOTE in suspects:
        yield f"({cell} LIKE '''%''' AND length({cell}) > 1)"
    if suspects - {QUOTE}:
        yield f"regexp_matches({cell}, {text_in_sql(LIKE_A_TOTAL)})"


def ends(reader: CsvReader) -> Iterator[str]:
    """Of its dates, in seconds since 1970."""
    moment = _moment(name_in_sql(dated_name(reader)), reader) if reader.dated else "NULL"
    for which in ("min", "max"):
        yield f"epoch({which}({moment}))" if reader.dated else "NULL"


def dated_name(reader: CsvReader) -> str:
    return reader.header[reader.places[reader.dated]] if reader.dated else ""


def _moment(cell: str, reader: CsvReader) -> str:
    """NULL where the kit would find no date. A year of two digits is left to the kit, which knows its century."""
    layout = reader.layout(reader.dated)
    return "NULL" if "%y" in layout else f"try_strptime({cell}, {text_in_sql(layout)})"


def _or_null(cell: str, reader: CsvReader) -> str:
    return f" AND {cell} NOT IN ({', '.join(map(text_in_sql, reader.nulls))})" if reader.nulls else ""


def sizes_in_sql(reader: CsvReader, places: Sequence[int]) -> Iterator[str]:
    """Two answers for each number column: most characters in front of the mark, and behind it."""
    for place in places:
        cell = _with_point(name_in_sql(reader.header[place]), reader.decimal)
        # Of numbers, bytes are characters.
        yield f"max(CASE WHEN contains({cell}, '.') THEN instr({cell}, '.') - 1 ELSE strlen({cell}) END)"
        yield f"max(strlen({cell}) - instr({cell}, '.')) FILTER (WHERE contains({cell}, '.'))"


def _with_point(cell: str, mark: str) -> str:
    return cell if mark == "." else f"replace({cell}, {text_in_sql(mark)}, '.')"
