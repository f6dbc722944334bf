"""What every file of a routine is asked before it is believed: is it there, new, once, and like those before it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from .declare import metric
from .given import Input, inputs, params
from .missing import missing_files
from .rewritten import name_in_sql, text_in_sql
from .state import current
from .surprise import Surprise, check
from .usual import check_usual
from .window import Span

ENOUGH = 4  # earlier slots from which something may be called usual
FILES = 20  # whose numbers are compared one by one; of more, only what a script compares over all of them
NAMES = 40  # different names of a column that are told apart
HOLIDAYS = 1  # days without rows beyond the most that any earlier slot had
MOST_DAYS = 0.8  # of the days that earlier slots had, where these are many and not each has a row
LATE = timedelta(days=1)  # a zone that is not written, and whatever is exported some hours before it is posted
QUIET = timedelta(days=2)  # so long before the newest file another may end


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
        if len(files) <= FILES:
            _refuse_known(file)
    return files


def _refuse_known(file: Input) -> None:
    name, content = f"content of {file.name}"[:200], int(file.sha256[:12], 16)
    metric(name, content)
    for past in current().slot.history:
        words = f"{file.name} is what it was in the report of {past.due_at:%Y-%m-%d}"
        check("StaleFile", past.metrics.get(name) != content, words, expected="a new file", file=file.name)


def check_steady(
    file: Input,
    rows: Any,
    *,
    numbers: Sequence[str] = (),
    names: Sequence[str] = (),
    equal_share: float = 0.05,
    any_age: bool = False,
) -> None:
    """Asks a table of read_csv everything that does not depend on what is computed from it.

    `numbers` must all be there; `names` are columns whose values are known after some slots; of the rows, at most
    `equal_share` may be equal to another; with `any_age` old rows belong to it. Raises Surprise: EmptyFile, RowsTwice,
    OddNumber, UnusualNumber, MissingDay, NewName, OddDate, StaleFile, OutsideWindow.
    """
    dated = next(iter(rows.reader.dates), "")
    question = _question(numbers, names, dated, rows.reader.dates.get(dated, ""))
    count, equal, days, odd, first, last, *about = rows.sql(question, numbers=numbers)[0]
    check("EmptyFile", count > 0, f"{file.name} has no rows", expected="rows below the header", file=file.name)
    words = f"{equal:,} of {count:,} rows of {file.name} are equal to another row"
    check("RowsTwice", equal <= max(1, count * equal_share), words, expected="each row once", file=file.name)
    for place, name in enumerate(numbers):
        gaps = about[3 * place + 1]
        check("OddNumber", not gaps, f"{gaps:,} rows of {file.name} lack their {name}", expected=name, file=file.name)
    check("OddDate", not odd, f"{odd:,} rows of {file.name} have no {dated} as agreed", expected=dated, file=file.name)
    if dated:
        check_dates(file, first, last, any_age=any_age)
    if len(inputs()) <= FILES:
        _check_numbers(file, count, numbers, about)
        check_days(file, days)
    for name, found in zip(names, about[3 * len(numbers) :], strict=True):
        _check_names(file, name, found or [])


def check_dates(file: Input, first: datetime | None, last: datetime | None, *, any_age: bool = False) -> None:
    """From the first to the last time in a file. Raises Surprise: StaleFile, OutsideWindow; None is no time."""
    state = current()
    for name in ("StaleFile", "OutsideWindow"):
        state.note_check(name, file.name)
    slot = state.slot
    if first is None or last is None or slot.since >= slot.until:
        return
    first, last = _aware(first), _aware(last)
    state.spans[file.name] = Span(first, last)
    seen = f"from {first:%Y-%m-%d %H:%M} to {last:%Y-%m-%d %H:%M}"
    expected = f"times from {slot.since:%Y-%m-%d %H:%M} to {slot.until:%Y-%m-%d %H:%M} UTC"
    if last <= slot.since - LATE:
        words = f"{file.name} ends on {last:%Y-%m-%d}: it is older than this report"
        raise Surprise("StaleFile", words, seen=seen, expected=expected, file=file.name)
    if last > slot.until + LATE or (first < slot.since - LATE and not any_age):
        words = f"{file.name} has entries of another time than this report's"
        raise Surprise("OutsideWindow", words, seen=seen, expected=expected, file=file.name)


def check_ends() -> None:
    """Over all files of check_dates: raises Surprise EndsEarly for one that ends long before the newest."""
    spans = current().spans
    current().note_check("EndsEarly", "")
    newest = max((span.last_at for span in spans.values()), default=None)
    for name, span in sorted(spans.items()):
        last = span.last_at
        if newest is not None and newest - last > QUIET:
            words = f"{name} ends on {last:%Y-%m-%d %H:%M}, long before the newest file, as if it were cut"
            raise Surprise("EndsEarly", words, seen=f"{last:%Y-%m-%d}", expected=f"{newest:%Y-%m-%d}", file=name)


def _question(numbers: Sequence[str], names: Sequence[str], dated: str, layout: str) -> str:
    """All in one, since each question reads the file."""
    moment = f"try_strptime({name_in_sql(dated)}, {text_in_sql(layout)})" if dated else "CAST(NULL AS TIMESTAMP)"
    asked = ["count(*)", "count(*) - (SELECT count(*) FROM (SELECT DISTINCT * FROM rows))"]
    asked += [f"count(DISTINCT CAST({moment} AS DATE))", f"count(*) FILTER (WHERE {moment} IS NULL)" if dated else "0"]
    asked += [f"min({moment})", f"max({moment})"]
    for name in map(name_in_sql, numbers):
        commonest = f"(SELECT max(times) FROM (SELECT count(*) AS times FROM rows GROUP BY {name}))"
        asked += [f"sum({name})", f"count(*) FILTER (WHERE {name} IS NULL)", commonest]
    for name in map(name_in_sql, names):
        counted = f"SELECT CAST({name} AS VARCHAR) AS name, count(*) AS times FROM rows GROUP BY 1"
        asked.append(f"(SELECT list([name, CAST(times AS VARCHAR)] ORDER BY times DESC, name) FROM ({counted}))")
    return f"SELECT {', '.join(asked)} FROM rows"


def _check_numbers(file: Input, count: int, numbers: Sequence[str], about: Sequence[Any]) -> None:
    """Sums hear units, signs and outliers; the commonest value hears what is stuck or filled up with zeros."""
    check_usual(f"rows of {file.name}", count)
    for place, name in enumerate(numbers):
        total, _, commonest = about[3 * place : 3 * place + 3]
        check_usual(f"{name} of {file.name}", total)
        check_usual(f"most equal {name} of {file.name}", commonest)


def check_days(file: Input, days: int) -> None:
    """Days that a file has entries of. Raises Surprise MissingDay where they are fewer than a holiday explains."""
    name = f"days of {file.name}"
    metric(name, days)
    current().note_check("MissingDay", file.name)
    earlier = [past.metrics[name] for past in current().slot.history if name in past.metrics]
    if len(earlier) < ENOUGH:
        return
    fewest = min(min(earlier) - HOLIDAYS, MOST_DAYS * min(earlier))
    if days < fewest:
        words = f"{file.name} has entries of {days} days; no earlier report had fewer than {min(earlier):g}"
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


def _aware(moment: datetime) -> datetime:
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
