"""What every log of a routine is asked before its counts are believed, and whether what it tells of went silent."""

from __future__ import annotations

from datetime import timedelta

from .declare import metric
from .given import Input
from .logs import LogFile
from .state import current
from .steady import check_days
from .surprise import Surprise, check
from .usual import ENOUGH, are_few, check_usual, earlier_of
from .window import Span, check_dates

DAY = timedelta(days=1)  # a zone that is not written, or a late record at midnight
LATE_SHARE = 0.01  # of the records; where several programs write into one log, some come a moment late
LEAST = 3  # so many in every earlier slot are no chance


def check_log(file: Input, log: LogFile) -> None:
    """Asks a log that was read to its end everything that does not depend on what is counted in it.

    Raises Surprise: OddFile, UnknownLevel, GrammarShare, OutOfOrder, OddTime, OddDate, StaleFile, OutsideWindow,
    MissingDay, UnusualNumber.
    """
    rows, expected = log.evidence or log.first_lines, log.reader.expectation
    # A healthy instrument has no errors, but every log has lines with some level.
    words = f"{file.name} is {file.size} but none of its lines has a level I know"
    first = log.first_lines[0] if log.first_lines else ""
    check("OddFile", log.records > 0, words, seen=first, expected=expected, file=file.name, rows=log.first_lines)
    words, odd = f"{file.name} has lines with a level I do not know", log.unknown_levels
    levels = ", ".join(log.reader.levels)
    check("UnknownLevel", not odd, words, seen=log.evidence_text, expected=levels, file=file.name, rows=rows)
    words = f"{log.unexplained_lines:,} of {log.lines:,} lines of {file.name} are no record and continue none"
    is_plain = log.explained_share == 1
    check("GrammarShare", is_plain, words, seen=log.evidence_text, expected=expected, file=file.name, rows=rows)
    _check_order(file, log, log.ends)
    check_dates(file, log.span)
    check_days(file, len(log.days.records))
    check_usual("lines", log.lines, file)


def _check_order(file: Input, log: LogFile, span: Span | None) -> None:
    """Some programs write in no order; whose log always was in order has something wrong where it is not."""
    share, name = log.days.late / log.records, f"share of late records of {file.name}"
    for one in ("OutOfOrder", "OddTime"):
        current().note_check(one, file.name)
    if span is None:
        return
    if are_few():
        metric(name, round(share, 4))
    earlier = earlier_of(name)
    if share > LATE_SHARE and len(earlier) >= ENOUGH and max(earlier) <= LATE_SHARE:
        words = f"{log.days.late:,} of {log.records:,} records of {file.name} are older than one above them"
        raise Surprise("OutOfOrder", words, seen=f"{100 * share:.1f} %", expected="oldest first", file=file.name)
    # A clock that was reset for a while shows in records that are far from those of the log's ends.
    first, last = (f"{end:%Y-%m-%d}" for end in (span.first_at - DAY, span.last_at + DAY))
    odd = ", ".join(sorted(day for day in log.days.records if not first <= day <= last)[:5])
    if odd and share <= LATE_SHARE:
        words = f"{file.name} has records of {odd} between those of its first and last day"
        raise Surprise("OddTime", words, seen=odd, expected=f"from {first} to {last}", file=file.name)


def check_silence(name: str, count: int) -> None:
    """Raises Surprise Silence where nothing was counted and every earlier slot had some. Also declares the metric."""
    current().note_check("Silence", "")
    metric(name, count)
    earlier = earlier_of(name)
    if count == 0 and len(earlier) >= ENOUGH and min(earlier) >= LEAST:
        words = f"{name}: none at all, and none of the last {len(earlier)} reports had fewer than {min(earlier):g}"
        raise Surprise("Silence", words, seen=0, expected=f"about {min(earlier):g} or more")
