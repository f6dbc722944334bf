"""Fills a script's parameters from facts about files: for a first plan, and again for a repair after a surprise."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from difflib import get_close_matches
from fnmatch import fnmatchcase

from library.catalog import ParameterSpec, ParameterType, Script
from library.facts import FileFacts, name_pattern
from library.file_days import per_slot
from library.fill_dates import dates, dates_in_words, newest
from library.fill_logs import log_readers
from library.fill_open import open_rows
from library.fill_tables import table_readers
from library.filling import Choice, Filled, Filling, Question, Window, plain_choices
from library.said import said_number
from library.toml_text import TomlValue


def fill(
    script: Script,
    files: Sequence[FileFacts],
    answers: Mapping[str, str] | None = None,
    before: Mapping[str, TomlValue] | None = None,
    window: Window | None = None,
    said: str = "",
) -> Filled:
    """Parameters by type, from facts only; what the facts do not decide becomes a Question, never a guess.

    `answers` are by Question.key. `before` are the parameters of the version being repaired: whatever in them still
    fits these files stays as it is, so that the difference between versions is the repair and nothing else. `window` is
    that of the slot the files are for: of the next one for a first plan, of the halted one for a repair. `said` is the
    request, in which a number may stand in words that a parameter goes by.
    """
    return fill_each(script.parameters, files, answers, before, window, said)


def fill_each(
    specs: Sequence[ParameterSpec],
    files: Sequence[FileFacts],
    answers: Mapping[str, str] | None = None,
    before: Mapping[str, TomlValue] | None = None,
    window: Window | None = None,
    said: str = "",
) -> Filled:
    """The same for parameters of no script of the library. Dates are told by readers, so those stand before them."""
    agreed = dict(before or {})
    left_out = [_texts(agreed.get(spec.name)) for spec in specs if spec.type is ParameterType.LEFT_OUT]
    by_name = tuple(sorted(files, key=lambda one: one.name))
    names = tuple(name for names in left_out for name in names)
    filling = Filling(by_name, dict(answers or {}), agreed, names, window=window, said=said)
    filled = {spec.name: _FILLERS[spec.type](spec, filling) for spec in specs}
    parameters = {name: value for name, value in filled.items() if value is not None}
    used = [one for one in by_name if name_pattern(one.name) not in filling.left_out()]
    words = {"dates": dates_in_words(parameters.get("dates"), used, filling.spans)}
    notes = tuple(dict.fromkeys(filling.notes))
    return Filled(
        parameters,
        tuple(filling.questions),
        notes,
        newest(filling.spans),
        tuple(filling.problems),
        tuple(filling.taken),
        tuple(filling.phrases),
        words,
    )


def _file_patterns(spec: ParameterSpec, filling: Filling) -> TomlValue:
    """A repair keeps the names that were agreed: whether one is missing or has another name is for a person to say."""
    seen = [one.name for one in filling.files]
    agreed = filling.before.get(spec.name)
    before = agreed if isinstance(agreed, Mapping) else dict.fromkeys(_texts(agreed), 1)
    kept = {_renamed(pattern, list(before), seen, filling): count for pattern, count in before.items()}
    counts = kept or per_slot(seen, filling.window)
    return {pattern: count for pattern, count in sorted(counts.items()) if pattern not in filling.left_out()}


def _renamed(pattern: str, agreed: list[str], seen: list[str], filling: Filling) -> str:
    """The pattern, or the one of a new file of a like name that a person said is the same."""
    new = [name for name in seen if not any(fnmatchcase(name, one) for one in agreed)]
    alike = get_close_matches(pattern, new, n=3, cutoff=0.8)
    if not alike or any(fnmatchcase(name, pattern) for name in seen):
        return pattern
    ask = f"{pattern} is missing, and {' and '.join(alike)} is new. Is it the same file under another name?"
    same = [Choice(name_pattern(name), f"Yes, {name} is it") for name in alike]
    return filling.answer(f"renamed:{pattern}", ask, (*same, Choice(pattern, "No, it is missing"))) or pattern


def _left_out(_spec: ParameterSpec, filling: Filling) -> TomlValue:
    return filling.left_out()


def _texts(value: TomlValue | None) -> list[str]:
    return [str(one) for one in value] if isinstance(value, Sequence) and not isinstance(value, str) else []


def _given_or_asked(spec: ParameterSpec, filling: Filling) -> TomlValue | None:
    """An earlier value, the answer, what the request says, or the default; asked only where there is none of them."""
    if spec.name not in filling.answers and (number := _said(spec, filling)) is not None:
        return number
    if spec.name in filling.answers or spec.default is None:
        answer = filling.answer(spec.name, spec.ask, plain_choices(*spec.choices))
        return _typed(spec, answer, filling) if answer else None
    return filling.before.get(spec.name, spec.default)


def _said(spec: ParameterSpec, filling: Filling) -> int | float | None:
    """The number that the request gives this parameter; none once an earlier version has one."""
    if spec.name in filling.before:
        return None
    columns = [name for one in filling.files if one.csv for name in one.csv.header]
    written, words = said_number(spec.says, filling.said, columns)
    number = _number(written)
    if number is not None:
        filling.phrases.append(words)
        filling.taken.append(f"{spec.name} is {number:g} (“{' '.join(words.split())}”)")
    return number


def _typed(spec: ParameterSpec, answer: str, filling: Filling) -> TomlValue | None:
    if spec.type is ParameterType.LEVELS:
        return [word.strip().upper() for word in answer.split(",") if word.strip()]
    if spec.type is ParameterType.NUMBER:
        number = _number(answer)
        if number is None:
            filling.questions.append(
                Question(spec.name, f"{spec.ask} “{answer[:40]}” is no number; write 6.9 or 1200.")
            )
        return number
    return answer


def _number(answer: str) -> int | float | None:
    """A number as people write it, also with a decimal comma; None for any other, and for 1,234, which may be two."""
    plain = re.sub(r"[\s'\u00a0\u202f]", "", answer.replace("−", "-"))
    if re.fullmatch(r"-?[0-9]+,[0-9]+", plain) and not re.fullmatch(r"-?[1-9][0-9]{0,2},[0-9]{3}", plain):
        plain = plain.replace(",", ".")
    if not re.fullmatch(r"-?[0-9]{1,15}(\.[0-9]{1,15})?", plain):
        return None
    return float(plain) if "." in plain else int(plain)


_FILLERS: Mapping[ParameterType, Callable[[ParameterSpec, Filling], TomlValue | None]] = {
    ParameterType.LOG_READERS: log_readers,
    ParameterType.TABLE_READERS: table_readers,
    ParameterType.DATES: dates,
    ParameterType.FILE_PATTERNS: _file_patterns,
    ParameterType.LEFT_OUT: _left_out,
    ParameterType.OPEN_ROWS: open_rows,
    ParameterType.LEVELS: _given_or_asked,
    ParameterType.CHOICE: _given_or_asked,
    ParameterType.TEXT: _given_or_asked,
    ParameterType.NUMBER: _given_or_asked,
}
