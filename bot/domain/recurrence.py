"""How often a request wants to come back: its words as a cron line or a rule, or None where they leave a doubt.

A doubt costs one question; a wrong guess costs a report on the wrong day. So what neither can say (until March,
except Fridays) is None too, and never the nearest thing that they can say.
"""

import re
from collections.abc import Sequence

from bot.domain.clock_words import DAY_NAME, DAY_PART, TimesSaid, part_of_day, times_in
from bot.domain.cron import WEEKDAYS
from bot.domain.rule_words import rule_in
from bot.domain.spoken_words import place_in, spelled

_NAME = re.compile(rf"\b{DAY_NAME}")
_TO = r"\s*(?:-|to|through|thru|until|till)\s*"
_RANGE = re.compile(rf"\b({DAY_NAME}){_TO}({DAY_NAME})")
_ITEM = rf"{DAY_NAME}(?:{_TO}{DAY_NAME})?"
_DAYS = rf"{_ITEM}(?:(?:\s*(?:,|/|&|\+|\band\b)){{1,2}}\s*(?:(?:on|every|each)\s+)?{_ITEM})*"
_PLURAL = r"(?:mon|tues|wednes|thurs|fri|satur|sun)days\b(?!['’])"
_ORDINAL = r"(?:\d{1,2}(?:st|nd|rd|th)|first|fifteenth)\b"
_ORDINALS = rf"{_ORDINAL}(?:\s*(?:,|&|\band\b)\s*(?:the\s+)?{_ORDINAL}){{0,9}}"
_SPELLED = {"first": 1, "fifteenth": 15}
_MONTH = (
    r"(?:january|february|march|april|may|june|july|august|september|october|november|december"
    r"|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)"
)
_COUNT = r"(?:\d+(?:st|nd|rd|th)?|other|alternate|second|third|fourth|fifth|few|couple(?: of)?|two|three|four|five|six)"
_WORKDAY = r"(?:week\s?day|work\s?day|working day|business day)"

# What cron cannot say, or what can be meant in two ways.
_EVERY_OTHER = rf"\b(?:every|each)\s+{_COUNT}\s+(?:{DAY_NAME}|days?|weeks?|months?|quarters?|{_WORKDAY}s?|{DAY_PART})\b"
_SEVERAL_TIMES = r"\b(?:twice|thrice|\w+ times)\s+(?:a|an|per|each|every|daily|weekly|monthly)\b|\bonce every \w*\d"
_TWO_WEEKLY = r"\b(?:bi|semi|tri)-?(?:daily|weekly|monthly|annual\w*)\b|\bfortnight\w*"
_NTH_DAY = rf"\b(?:{_COUNT}|first|last)\s+(?:{DAY_NAME}|{_WORKDAY}|week)\s+(?:of|in)\s+(?:the|each|every|a)\b"
_NTH_DAY_MONTHLY = (
    rf"\b(?:first|1st|last)\s+(?:{DAY_NAME}|{_WORKDAY})\b\s+(?:monthly|(?:every|each)\s+month)"
    rf"|\bmonthly,?\s+(?:on\s+)?(?:the\s+)?(?:(?:{_COUNT}|first|last)\s+)?{DAY_NAME}"
)
_MONTHS_END = (
    r"\blast\s+day\s+(?:of|in)\b|\bend of (?:the|each|every) (?:day|week|month|quarter|year)\b|\bmonth[- ]end\b"
)
_EXCEPT = (
    r"\b(?:except|excluding|but|not|skip(?:ping)?|apart from|other than)\s+(?:for\s+|not\s+)?(?:on\s+)?(?:the\s+)?"
    rf"(?:{DAY_NAME}|weekends?|(?:\w+ )?holidays?|every\b|each\b|{_MONTH}\b)"
)
_FOR_A_WHILE = (
    r"\b(?:until|till|starting|beginning|commencing|as of)\s+(?:(?:on|from|in|the)\s+){0,2}"
    rf"(?:next|tomorrow|{DAY_NAME}|{_MONTH}\b|\d+(?:st|nd|rd|th)?\s+(?:of\s+)?{_MONTH}\b|\d{{4}}-|the end|end of)"
    r"|\bfor the next\b"
)
_SEASONS = r"\b(?:every|each|on)\s+weekends?\b|\b(?:every|each)\s+(?:year|spring|summer|autumn|winter)\b"
# A wish that it should not, or no longer, come back; and a weekday with its date, which is one day.
_NOT = r"\b(?:do not|don['’]t|never|no longer|stop)\b[^.;!?]*\b(?:every|each|daily|weekly|monthly|hourly)\b"
_DATED = rf"\b(?:every|each)\s+{DAY_NAME}\s+(?:the\s+)?\d{{1,2}}(?:st|nd|rd|th)\b"
# Times that are told in words or as a span.
_SPOKEN_TIME = r"\b(?:half|quarter)\s+(?:past|to|after|before)\b|(?<![\d-])\d{1,2}\s*-\s*\d{1,2}\b(?!\s*-)"
_HOURLY_WITHIN = r"\bhourly\s+(?:on|every|each|from|between|during)\b"
_DOUBTS = (
    _EVERY_OTHER, _SEVERAL_TIMES, _TWO_WEEKLY, _NTH_DAY, _NTH_DAY_MONTHLY, _MONTHS_END, _EXCEPT, _FOR_A_WHILE, _SEASONS,
    _HOURLY_WITHIN, _NOT, _DATED, _SPOKEN_TIME,
)  # fmt: skip
_DOUBTFUL = re.compile("|".join(_DOUBTS))

_ALONE = re.compile(
    r"(?:(?:and|also|please|then|just|but|rather|can you|could you) )*"
    r"(?:(?:run|send|post|do|make|have|move|start)(?: it| this| that| the report)? )?(?:(?:at|to|for) )?"
    r"(\d{1,2}(?:[:.h]\d{2})(?: ?[ap]m)?|\d{1,2} ?[ap]m|(?<=at )\d{1,2})(?: o['’]?clock| sharp| instead| please| then)*"
)
_TIMES = {"twice": 2, "two": 2, "thrice": 3, "three": 3, "four": 4, "five": 5}
_TIMES_A_WEEK = re.compile(
    r"\b(twice|thrice|(?:two|three|four|five) times) (?:a|per|each|every) week\s*[,:(]?\s*(?:(?:on|every|each)\s+)?"
    rf"({_DAYS})\)?"
)
_STEP = re.compile(r"\bevery\s+(\d{1,2}|two|three|four|six|ten|fifteen|thirty)\s*-?\s*(min(?:ute)?s?|h(?:ou)?rs?)\b")
_NUMBERS = {"two": 2, "three": 3, "four": 4, "six": 6, "ten": 10, "fifteen": 15, "thirty": 30}
_OF_MONTH = re.compile(
    rf"\b(?:(?:every|each|on(?:\s+the)?)\s+)(?:the\s+)?({_ORDINALS})(?:\s+day)?\s+of\s+(?:the|every|each|a)\s+month\b"
    rf"|({_ORDINALS})(?:\s+day)?\s+of\s+(?:every|each)\s+month\b"
    r"|\b(?:(?:every|each)\s+month|monthly|once (?:a|per) month),?\s+on\s+(?:the\s+|day\s+)?"
    rf"({_ORDINALS}|\d{{1,2}}\b(?![:.]\d))"
    r"|\bday\s+(\d{1,2})\s+of\s+(?:every|each|the)\s+month\b"
)
# Forms of days that recur; a day that is only mentioned ("next Monday", "Monday's files") is none.
_RECURRING = re.compile(
    rf"\b(?:every|each)\s+(?:single\s+)?(?:and\s+every\s+)?(?:week,?\s+(?:on\s+)?)?({_DAYS})"
    rf"|\b(?:weekly|once (?:a|per) week),?\s+(?:on\s+)?({_DAYS})"
    rf"|(?<!last )(?<!this )(?<!next )(?<!past )(?<!of )(?<!since )\b((?={_PLURAL}){_DAYS})"
    rf"|\b({DAY_NAME})\s+(?:mornings|afternoons|evenings|nights)\b"
    rf"|(?:^\s*|\bon\s+)({DAY_NAME}{_TO}{DAY_NAME})"
    rf"|\b({DAY_NAME}{_TO}{DAY_NAME}),?\s+(?:at\s+)?\d{{1,2}}(?::\d{{2}}|\s*[ap]m\b)"
)
_SAID = {
    "weekday": re.compile(rf"\b(?:every|each|on|all)\s+{_WORKDAY}s?\b|\b(?:on\s+)?(?:weekdays|workdays)\b(?!['’])"),
    "day": re.compile(rf"\b(?:every|each)\s+(?:single\s+)?(?:day|{DAY_PART})\b(?!['’])|\bonce (?:a|per) day\b"),
    "week": re.compile(r"\b(?:every|each)\s+week\b(?!['’])|\bonce (?:a|per) week\b"),
    "month": re.compile(r"\b(?:every|each)\s+month\b(?!['’])|\bonce (?:a|per) month\b"),
    "quarter": re.compile(r"\b(?:every|each)\s+quarter\b(?!['’]| of\b| hour| past| to\b)|\bonce (?:a|per) quarter\b"),
    "hour": re.compile(r"\b(?:every|each)\s+hour\b(?!['’])|\bonce (?:an|per) hour\b"),
}
# An adjective counts only where nothing stronger is said: "every Monday compile the daily counts".
_ADJECTIVES = {
    "daily": "day",
    "nightly": "day",
    "weekly": "week",
    "monthly": "month",
    "quarterly": "quarter",
    "hourly": "hour",
}


def when_of(text: str, default_time: str) -> str | None:
    """The cron line or rule that the words mean for certain, else None.

    `default_time` (HH:MM) is for days without a time.
    """
    said = _each_named(plain(text))
    if found := rule_in(said):
        return _ruled(*found, said, default_time)
    if _DOUBTFUL.search(said):
        return None
    times = times_in(said)
    days = _days(said)
    if step := _STEP.search(said):
        return _stepped(step, times, days, said)
    kinds = _kinds(said, days)
    if len(kinds) != 1 or times.is_unclear:
        return None
    kind = kinds.pop()
    if kind == "hour":
        return None if times.hours else "0 * * * *"
    at = _at(times, part_of_day(said), default_time)
    return None if at is None else _line(kind, at, days, said)


def _ruled(rule: str, rest: str, said: str, default_time: str) -> str | None:
    """A rule with its times, unless the rest of the words says a rhythm too."""
    days, times = _days(rest), times_in(said)
    others = {kind for kind, words in _SAID.items() if words.search(rest)}
    if days or days is None or others or times.is_unclear or any(p.search(rest) for p in (_DOUBTFUL, _STEP, _OF_MONTH)):
        return None
    at = _at(times, part_of_day(said), default_time)
    if at is None:
        return None
    minute, hours = at
    return f"{rule} at " + ",".join(f"{int(hour):02d}:{int(minute):02d}" for hour in hours.split(","))


def time_alone(parts: Sequence[str]) -> str:
    """HH:MM where one part is nothing but a time (“at 08:30 instead”) and no part says a rhythm; else empty."""
    whole = plain(" , ".join(parts))
    if _DOUBTFUL.search(whole) or _days(whole) or _kinds(whole, _days(whole)) or _STEP.search(whole):
        return ""
    found = [times_in(f"at {said[1]}") for part in parts if (said := _ALONE.fullmatch(plain(part)))]
    if len(found) != 1 or found[0].is_unclear or len(found[0].hours) != 1:
        return ""
    return f"{found[0].hours[0]:02d}:{found[0].minute:02d}"


def retimed(when: str, at: str) -> str:
    """A cron line or rule with another time; as it was where `at` is empty or it has no one time of the day."""
    hour, _, minute = at.partition(":")
    if not at:
        return when
    if re.match(r"\d+ [\d,]+ ", when):
        return f"{int(minute)} {int(hour)} {when.split(' ', 2)[2]}"
    return re.sub(r" at [\d:,]+$", f" at {at}", when)


def plain(text: str) -> str:
    """Lower case, one space, one kind of dash, spoken times as numbers, and no zone of a place."""
    low = re.sub(r"\s+", " ", text.lower()).strip()
    low = re.sub(r"[\u2010-\u2015]", "-", low)
    low = re.sub(r"\b([ap])\.m\.?(?=\W|$)", r"\1m", low)
    low = re.sub(r"(?:\b12 )?\b(?:noon|midday)\b", "12:00", low)
    low = re.sub(r"(?:\b12 )?\bmidnight\b", "0:00", low)
    return spelled(place_in(low)[1])


def _each_named(said: str) -> str:
    """ "Twice a week, Mondays and Thursdays" is every Monday and Thursday where as many days are named."""
    found = _TIMES_A_WEEK.search(said)
    if found is None or len(_numbers(found[2])) != _TIMES[found[1].split(" ")[0]]:
        return said
    return f"{said[: found.start()]}every {found[2]}{said[found.end() :]}"


def _days(said: str) -> frozenset[int] | None:
    """Recurring weekdays (0 is Monday); empty where none are said, None where two sentences say different ones."""
    found = {_numbers(next(g for g in m.groups() if g)) for m in _RECURRING.finditer(said)}
    if len(found) > 1:
        return None
    return found.pop() if found else frozenset()


def _numbers(days: str) -> frozenset[int]:
    numbers: set[int] = set()
    for first, last in _RANGE.findall(days):
        low, high = _number(first), _number(last)
        numbers.update(n % 7 for n in range(low, high + 1 if low <= high else high + 8))
    return frozenset(numbers | {_number(name) for name in _NAME.findall(days)})


def _number(name: str) -> int:
    return WEEKDAYS.index(name[:3])


def _kinds(said: str, days: frozenset[int] | None) -> set[str]:
    """Every rhythm that is said, with those left out that another one contains."""
    if days is None:
        return set()
    kinds = {kind for kind, words in _SAID.items() if words.search(said)}
    kinds |= {"days"} if days else set()
    kinds |= {"date"} if _OF_MONTH.search(said) else set()
    if not kinds:
        return {kind for word, kind in _ADJECTIVES.items() if re.search(rf"\b{word}\b(?!['’])", said)}
    for narrow, wide in (("days", "week"), ("weekday", "day"), ("weekday", "week"), ("date", "month")):
        if narrow in kinds:
            kinds.discard(wide)
    return kinds


def _at(times: TimesSaid, part: str, default_time: str) -> tuple[str, str] | None:
    """Minute and hour fields; None where only a part of the day is said in which the default does not lie."""
    if times.hours:
        return str(times.minute), ",".join(str(hour) for hour in times.hours)
    hour, minute = (int(number) for number in default_time.split(":"))
    if part and not (part == "morning" and hour < 12):
        return None
    return str(minute), str(hour)


def _line(kind: str, at: tuple[str, str], days: frozenset[int] | None, said: str) -> str | None:
    minute, hour = at
    if kind == "date":
        dates = _dates(said)
        return f"{minute} {hour} {dates} * *" if dates else None
    rest = {
        "days": f"* * {_weekdays(days or frozenset())}",
        "weekday": "* * mon-fri",
        "day": "* * *",
        "week": "* * mon",
        "month": "1 * *",
        "quarter": "1 jan,apr,jul,oct *",
    }
    return f"{minute} {hour} {rest[kind]}"


def _weekdays(days: frozenset[int]) -> str:
    if days == frozenset(range(5)):
        return "mon-fri"
    return "*" if len(days) == 7 else ",".join(WEEKDAYS[day] for day in sorted(days))


def is_lacked_by_some_months(text: str) -> bool:
    """Whether a day of the month is said, such as the 31st, on which a report would be left out in some months."""
    return any(day > 28 for day in _dates_said(plain(text)))


def _dates(said: str) -> str:
    """Days of the month that every month has; empty where one is said that some months lack."""
    found = _dates_said(said)
    return ",".join(map(str, sorted(found))) if found and all(1 <= day <= 28 for day in found) else ""


def _dates_said(said: str) -> set[int]:
    return {
        int(_SPELLED.get(word, 0) or re.sub(r"\D", "", word))
        for match in _OF_MONTH.finditer(said)
        for word in re.findall(rf"{_ORDINAL}|\d{{1,2}}", next(g for g in match.groups() if g))
    }


def _stepped(step: re.Match[str], times: TimesSaid, days: frozenset[int] | None, said: str) -> str | None:
    """ "every 15 minutes", "every 6 hours": only steps that go into an hour or a day without a rest."""
    number = _NUMBERS.get(step[1]) or int(step[1])
    whole = 60 if step[2].startswith("m") else 24
    if days is None or times.hours or times.is_unclear or number == 0 or whole % number or number == whole:
        return None
    if _kinds(said, days) - {"days", "weekday"} - set(_ADJECTIVES.values()):
        return None
    weekdays = "mon-fri" if _SAID["weekday"].search(said) else _weekdays(days) if days else "*"
    return f"*/{number} * * * {weekdays}" if whole == 60 else f"0 */{number} * * {weekdays}"
