"""What a plan states of its slots: checked where it is put together, and every term in words for the card."""

from datetime import datetime, timedelta

from bot.domain.calendars import region_words
from bot.domain.counts import counted
from bot.domain.errors import RequestProblem
from bot.domain.rules import first_in_a_week, is_rule
from bot.domain.slots import schedule_from
from library.manifest_schedule import OnHoliday, Overlap, Schedule, SlotTerms

_DAY_MIN = 24 * 60


def planned(when: str, zone: str, terms: SlotTerms, asked_at: datetime, anchor: str = "") -> Schedule:
    """The schedule as a plan states it; weeks are counted from the first one after it was asked for.

    Raises RequestProblem where it never comes, or its terms do not go with its times.
    """
    cron, rule = ("", when) if is_rule(when) else (when, "")
    found = Schedule(cron, zone, rule, anchor or first_in_a_week(when, asked_at.date()), terms)
    schedule = schedule_from(found)
    schedule.check()
    if terms.wait_until and (
        schedule.is_every_hour or any(f"{one:%H:%M}" >= terms.wait_until for one in schedule.times)
    ):
        raise RequestProblem(
            f"Files are to be waited for until {terms.wait_until}, which is not after {schedule.words()}. "
            "Name a later time of the same day."
        )
    return found


def term_sentences(said: Schedule, now: datetime) -> tuple[str, ...]:
    """Every term as the card says it, the usual ones too: whoever approves need not know what is usual."""
    terms = said.terms
    changes = schedule_from(said).clock_changes(now)
    return (*changes, *_wait_words(terms), *_holiday_words(terms), *_late_words(terms))


def _wait_words(terms: SlotTerms) -> list[str]:
    if not terms.wait_until:
        return ["Without any file at its time it halts and says so."]
    count = "a file is" if terms.wait_files == 1 else f"{terms.wait_files} files are"
    return [f"It waits until {count} there, and halts and says so if that is not by {terms.wait_until}."]


def _holiday_words(terms: SlotTerms) -> list[str]:
    if not terms.holidays:
        return ["It runs on public holidays too."]
    where = region_words(terms.holidays)
    if terms.on_holiday is OnHoliday.SHIFT:
        return [f"From a public holiday in {where} it moves to the next day that is worked on."]
    return [f"Not on public holidays in {where}; the next slot covers what was posted meanwhile."]


def _late_words(terms: SlotTerms) -> list[str]:
    overtaken = "is skipped and said" if terms.overlap is Overlap.SKIP else "waits for it"
    catch_up, late = span_words(timedelta(hours=terms.catch_up_h)), span_words(timedelta(minutes=terms.late_min))
    return [
        f"A slot that comes while the one before still runs {overtaken}.",
        f"The last one missed while Standby was down runs late within {catch_up}; others are said and offered.",
        f"A run that cannot begin within {late} is skipped and said.",
    ]


def span_words(span: timedelta) -> str:
    """`2 days`, `36 hours`, `1 hour 12 minutes`: the largest units that say it to the minute."""
    minutes = int(span.total_seconds()) // 60
    if minutes >= 2 * _DAY_MIN and minutes % _DAY_MIN == 0:
        return f"{minutes // _DAY_MIN} days"
    parts = [(minutes // 60, "hour"), (minutes % 60, "minute")]
    said = [counted(count, name) for count, name in parts if count]
    return " ".join(said) or "0 minutes"
