"""What every file of a routine is asked before it is believed: is it there, new, once, and like those before it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from .declare import metric
from .given import Input, inputs, params
from .missing import missing_files
from .moments import moment_in_sql
from .rewritten import name_in_sql
from .state import current
from .surprise import Surprise, check
from .units import check_units, in_sql, unit_columns
from .usual import ENOUGH, are_few, check_usual, earlier_of
from .window import check_dates

NAMES = 40  # different names of a column that are told apart
HOLIDAYS = 1  # days without rows beyond the most that any earlier slot had
EARLY = 0.05  # of the rows of a file that may be older than where it begins: entries that were booked late
MOST_DAYS = 0.8  # of the days that earlier slots had, where these are many and not each has a row


def agreed_files() -> list[Input]:
    """The slot's files. Raises Surprise: NoInput, MissingFile, DuplicateFile, EmptyFile, StaleFile.

    A file is stale where an earlier slot had the same content.
    """
    files = inputs(leave_out=params["leave_out"])
    check("NoInput", bool(files), "no file was posted for this report", expected="at least one file")
    missing = missing_files()
    check("MissingFile", not missing, f"missing: {', '.join(missing)}", expected="all agreed files")
    seen: dict[str, str] = {}
    for file in files:
        check("EmptyFile", file.size_bytes > 0, f"{file.name} is empty", expected="a header and rows", file=file.name)
        twin = seen.setdefault(file.sha256, file.name)
        check("DuplicateFile", twin == file.name, f"{file.name} and {twin} have the same content", file=file.name)
        _refuse_known(file)
    return files


def _refuse_known(file: Input) -> None:
    for past in reversed(current().slot.history):
        twin = next((name for name, sha256 in past.inputs.items() if sha256 == file.sha256), "")
        words = f"{file.name} is, byte for byte, {twin} of the report of {past.due_at:%Y-%m-%d}"
        seen = f"sha256 {file.sha256[:16]}"
        check("StaleFile", not twin, words, seen=seen, expected="a new file", file=file.name)


def check_steady(
    file: Input,
    rows: Any,
    *,
    numbers: Sequence[str] = (),
    names: Sequence[str] = (),
    equal_share: float = 0.05,
    any_age: bool = False,
    one_unit: bool = True,
) -> None:
    """Asks a table of read_table or read_csv everything that does not depend on what is computed from it.

    `numbers` must all be there; `names` are columns whose values are known after some slots; of the rows, at most
    `equal_share` may be equal to another; with `any_age` old rows belong to it; without `one_unit` its numbers may be
    in several currencies or units, since none are added up. Raises Surprise: EmptyFile, RowsTwice, OddNumber,
    MixedUnits, UnusualNumber, MissingDay, NewName, OddDate, StaleFile, OutsideWindow.
    """
    dated = rows.dated
    of_units = unit_columns(rows, numbers) if numbers and one_unit else []
    count, equal, hours, undated, *about = rows.sql(_question(rows, numbers, names, of_units), numbers=numbers)[0]
    check("EmptyFile", count > 0, f"{file.name} has no rows", expected="rows below the header", file=file.name)
    words = f"{equal:,} of {count:,} rows of {file.name} are equal to another row"
    check("RowsTwice", equal <= max(1, count * equal_share), words, expected="each row once", file=file.name)
    for place, name in enumerate(numbers):
        gaps = about[3 * place + 1]
        check(
            "OddNumber", not gaps, f"rows of {file.name} without their {name}: {gaps:,}", expected=name, file=file.name
        )
    check_units(file, rows, of_units, about[3 * len(numbers) + len(names) :], numbers if one_unit else ())
    words = f"rows of {file.name} without a {dated} as agreed: {undated:,}"
    check("OddDate", not undated, words, expected=dated, file=file.name)
    check_dates(file, rows.span, any_age=any_age)
    if hours and not any_age:
        current().begins[file.name] = _begin(hours)
    _check_numbers(file, count, numbers, about)
    check_days(file, len({hour.date() for hour in hours or ()}))
    for name, found in zip(names, about[3 * len(numbers) : 3 * len(numbers) + len(names)], strict=True):
        _check_names(file, name, found or [])


def _question(rows: Any, numbers: Sequence[str], names: Sequence[str], of_units: Sequence[str]) -> str:
    """All in one, since each question reads the file."""
    hour = f"date_trunc('hour', {moment_in_sql(rows)})"
    asked = ["count(*)", "count(*) - (SELECT count(*) FROM (SELECT DISTINCT * FROM rows))", f"histogram({hour})"]
    asked.append(f"count(*) FILTER (WHERE {hour} IS NULL)" if rows.dated else "0")
    for name in map(name_in_sql, numbers):
        commonest = f"(SELECT max(times) FROM (SELECT count(*) AS times FROM rows GROUP BY {name}))"
        asked += [f"sum({name})", f"count(*) FILTER (WHERE {name} IS NULL)", commonest]
    for name in map(name_in_sql, names):
        counted = f"SELECT CAST({name} AS VARCHAR) AS name, count(*) AS times FROM rows GROUP BY 1"
        asked.append(f"(SELECT list([name, CAST(times AS VARCHAR)] ORDER BY times DESC, name) FROM ({counted}))")
    asked += in_sql(rows, of_units)
    return f"SELECT {', '.join(asked)} FROM rows"


def _begin(hours: Mapping[datetime, int]) -> datetime:
    """When the rows of a file begin, but for a few old ones."""
    early, upto = EARLY * sum(hours.values()), 0
    for hour in sorted(hours):
        upto += hours[hour]
        if upto > early:
            break
    return hour.replace(tzinfo=UTC)


def _check_numbers(file: Input, count: int, numbers: Sequence[str], about: Sequence[Any]) -> None:
    """Sums hear units, signs and outliers; the commonest value hears what is stuck or filled up with zeros."""
    check_usual("rows", count, file)
    for place, name in enumerate(numbers):
        total, _, commonest = about[3 * place : 3 * place + 3]
        check_usual(name, total, file)
        check_usual(f"most equal {name}", commonest, file)


def check_days(file: Input, days: int) -> None:
    """Days that a file has entries of. Raises Surprise MissingDay where they are fewer than a holiday explains."""
    name = f"days of {file.name}"
    current().note_check("MissingDay", file.name)
    if not are_few():
        return
    metric(name, days)
    earlier = earlier_of(name)
    if len(earlier) < ENOUGH:
        return
    fewest = min(min(earlier) - HOLIDAYS, MOST_DAYS * min(earlier))
    if days < fewest:
        words = f"days that {file.name} has entries of: {days}; no earlier report had fewer than {min(earlier):g}"
        raise Surprise("MissingDay", words, seen=days, expected=f"at least {fewest:g}", file=file.name)


def _check_names(file: Input, column: str, found: Sequence[Sequence[str]]) -> None:
    """Names of one column that no earlier slot had, once there are enough slots to know."""
    current().note_check("NewName", file.name)
    start = f"{column}: "
    earlier = [{name for name in past.metrics if name.startswith(start)} for past in current().slot.history]
    known = set().union(*earlier)
    for name, count in found[:NAMES]:
        metric(f"{start}{name}"[:200], int(count))
        if sum(map(bool, earlier)) >= ENOUGH and f"{start}{name}"[:200] not in known:
            words = f"{file.name} has the {column} {name!r}, which no earlier report had"
            expected = ", ".join(sorted(one.removeprefix(start) for one in known)[:12])
            raise Surprise("NewName", words, seen=name, expected=expected, file=file.name)
