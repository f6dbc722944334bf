"""A log's grammar, found from its first lines, and its levels, counted over all of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from kit.keyed import json_object, logfmt_pairs, value_at
from kit.line_kinds import begins_otherwise, looks_like_a_record
from kit.log_days import iso_day
from kit.log_splitters import level_at
from kit.stamps import BY_NAME, STAMPS, Stamp, any_moment, moment_of
from levels import known_levels

JSON_LINES, LOGFMT = "json lines", "logfmt"
_PARSERS: Mapping[str, Callable[[str], Mapping[str, Any] | None]] = {JSON_LINES: json_object, LOGFMT: logfmt_pairs}
HEAD_LINES = 2_000
LEVEL_WORDS = 8  # places after the stamp that are tried
NAMES = 40  # different levels that are told apart
MOST = 0.5  # share of the first lines that a stamp or a level must fit
_LEVEL_KEYS = ("level", "severity", "lvl", "log.level", "levelname", "loglevel", "log_level", "priority")
_MESSAGE_KEYS = ("message", "msg", "text", "event", "log", "error")
_TIME_KEYS = ("time", "timestamp", "@timestamp", "ts", "date")


@dataclass(frozen=True)
class TextGrammar:
    stamp: str
    level_word: int


@dataclass(frozen=True)
class KeyedGrammar:
    """Of records that are keys and values."""

    form: str  # "json lines" or "logfmt"
    level_key: str
    message_key: str
    time_key: str
    keys: tuple[str, ...]


def keyed_grammar(head: list[str]) -> KeyedGrammar | None:
    """None unless nearly every line is a JSON object, or key=value pairs with a level."""
    filled = [line for line in head if line.strip()]
    for form, parse in _PARSERS.items():
        records = [record for record in map(parse, filled) if record is not None]
        if filled and len(records) >= 0.9 * len(filled):
            grammar = _keys(form, records)
            return grammar if form != LOGFMT or grammar.level_key else None
    return None


def _keys(form: str, records: list[Mapping[str, Any]]) -> KeyedGrammar:
    names = Counter(name for record in records for name in _short_values(record))
    return KeyedGrammar(
        form=form,
        level_key=_level_key(records, names),
        message_key=next((key for key in _MESSAGE_KEYS if key in names), ""),
        time_key=next((key for key in _TIME_KEYS if key in names), ""),
        keys=tuple(name for name, _ in names.most_common(12)),
    )


def text_grammar(head: list[str]) -> TextGrammar | None:
    """None if neither a time stamp nor a level stands where most lines have one."""
    filled = [line for line in head if line.strip() and not line[0].isspace()]
    filled = [line for line in filled if not line.startswith(("[{", '["'))]  # a list of JSON is no log
    stamp = _stamp_of(filled)
    rests = [rest for rest in (after_stamp(line, stamp) for line in filled) if rest is not None]
    word = _level_word(rests)
    return None if stamp is None and not word else TextGrammar(stamp.name if stamp else "none", word)


def count_text(lines: Iterable[str], grammar: TextGrammar) -> dict[str, Any]:
    """One pass over all lines, counting as the kit's reader will."""
    stamp = BY_NAME.get(grammar.stamp)
    counted = _Counted()
    for line in lines:
        rest = after_stamp(line, stamp)
        if rest is None or (stamp is None and (line[:1].isspace() or begins_otherwise(line))):
            counted.note_no_record(looks_like_a_record(line))
        else:
            counted.note_record(level_at(rest, grammar.level_word)[0] if grammar.level_word else "")
            if stamp is not None:
                counted.note_stamp(line[: len(line) - len(rest)])
    first, last = (_iso(stamp, text) for text in (counted.first_stamp, counted.last_stamp))
    return {
        "stamp": grammar.stamp,
        "level_word": grammar.level_word,
        "first_at": first,
        "last_at": last,
    } | counted.facts


def count_keyed(lines: Iterable[str], grammar: KeyedGrammar) -> dict[str, Any]:
    counted, parse = _Counted(), _PARSERS[grammar.form]
    for line in lines:
        record = parse(line)
        level = value_at(record, grammar.level_key) if record is not None and grammar.level_key else ""
        if record is None or not _is_level(level):
            counted.note_no_record(bool(line.strip()))
        else:
            counted.note_record(str(level))
            counted.note_stamp(str(value_at(record, grammar.time_key))[:40] if grammar.time_key else "")
    keys = {"level_key": grammar.level_key, "message_key": grammar.message_key, "keys": list(grammar.keys)}
    moments = [any_moment(text) for text in (counted.first_stamp, counted.last_stamp)]
    first, last = ("" if one is None else one.isoformat() for one in moments)
    keys["time_key"] = grammar.time_key if first and last else ""
    return {**keys, "first_at": first, "last_at": last} | counted.facts


def after_stamp(line: str, stamp: Stamp | None) -> str | None:
    """The text after the stamp; None where the line has none and should. Without a stamp, the line if it is filled."""
    if stamp is None:
        return line if line.strip() else None
    match = stamp.pattern.match(line)
    return None if match is None else line[match.end() :]


class _Counted:
    """Counts of one pass, in bounded memory."""

    def __init__(self) -> None:
        self.levels: Counter[str] = Counter()
        self.records = self.continued = self.unexplained = 0
        self.first_stamp = self.last_stamp = ""

    def note_record(self, level: str) -> None:
        self.records += 1
        if level in self.levels or len(self.levels) < NAMES:
            self.levels[level[:40]] += 1

    def note_no_record(self, is_odd: bool) -> None:
        if is_odd or not self.records:
            self.unexplained += 1
        else:
            self.continued += 1

    def note_stamp(self, text: str) -> None:
        """Of dates that sort, the oldest and the newest, in whatever order they stand; of others those of the ends."""
        if iso_day(text):
            self.first_stamp, self.last_stamp = min(self.first_stamp or text, text), max(self.last_stamp, text)
        else:
            self.first_stamp, self.last_stamp = self.first_stamp or text, text

    @property
    def facts(self) -> dict[str, Any]:
        levels = {name: count for name, count in self.levels.most_common() if name}
        counts = {"records": self.records, "continuation_lines": self.continued, "unexplained_lines": self.unexplained}
        return {"levels": levels, **counts}


def _stamp_of(lines: list[str]) -> Stamp | None:
    """The shape that most lines begin with; continuation lines may outnumber records, so one in five is enough."""
    shares = [(sum(1 for line in lines if stamp.pattern.match(line)), stamp) for stamp in STAMPS]
    count, stamp = max(shares, key=lambda pair: pair[0])
    return stamp if lines and count >= max(1, len(lines) // 5) else None


def _level_word(rests: list[str]) -> int:
    best, place = 0.0, 0
    for word in range(1, LEVEL_WORDS + 1):
        share = _known_share([level_at(rest, word)[0] for rest in rests])
        if share > best:
            best, place = share, word
    return place if best >= MOST else 0


def _level_key(records: list[Mapping[str, Any]], names: Counter[str]) -> str:
    """The key whose values are levels; among equals, the usual name."""
    best, found = 0.0, ""
    usual = [key for key in _LEVEL_KEYS if key in names]
    for key in [*usual, *(name for name, _ in names.most_common(40) if name not in usual)]:
        share = _known_share([_as_level(value_at(record, key)) for record in records])
        if share > best:
            best, found = share, key
    return found if best >= MOST else ""


def _as_level(value: Any) -> str:
    return str(value) if _is_level(value) else ""


def _is_level(value: Any) -> bool:
    """A short name or number that can be shown; what else stands under the key is no level."""
    return isinstance(value, str | int) and not isinstance(value, bool) and str(value).isprintable()


def _known_share(words: list[str]) -> float:
    counts = Counter(words)
    known = known_levels(word for word in counts if word)
    return sum(counts[word] for word in known) / len(words) if words else 0.0


def _short_values(record: Mapping[str, Any]) -> list[str]:
    """Keys with a text or number, one level of nesting written with a dot."""
    names = [key for key, value in record.items() if isinstance(value, str | int)]
    nested = ((key, inner) for key, value in record.items() if isinstance(value, dict) for inner in value.items())
    names += [f"{key}.{name}" for key, (name, value) in nested if isinstance(value, str | int)]
    return [name for name in names if name.isprintable() and len(name) <= 80]


def _iso(stamp: Stamp | None, text: str) -> str:
    moment = moment_of(stamp, text) if stamp is not None and text else None
    return moment.isoformat() if moment is not None else ""
