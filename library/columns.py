"""Which column of a table plays which role in a script, and which says when an entry was."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence

from library.catalog import ParameterSpec
from library.facts import ColumnFacts, CsvFacts, FileFacts
from library.filling import COLUMN, NONE_ALONE, Choice, Filling, header_key
from library.named import grouped_by, named_in
from library.readers import Reader

_WORD = re.compile(r"[a-zæøåäöüß]+")
# As tables of texts and workbooks have them, and in duckdb's words as Parquet files do.
_WHOLE = r"U?(?:TINY|SMALL|BIG|HUGE)INT|U?INTEGER"
_NUMBER = re.compile(rf"number|empty|{_WHOLE}|DOUBLE|FLOAT|DECIMAL.*")
_NAME = re.compile(rf"text|code.*|number|{_WHOLE}|VARCHAR|UUID|ENUM.*")  # some people write names as plain numbers
_TEXT = re.compile(r"text|VARCHAR|ENUM.*")


def role_columns(spec: ParameterSpec, facts: FileFacts, table: CsvFacts, filling: Filling) -> dict[str, str]:
    """The name of each role's column; none for a role that is still asked about."""
    said = filling.said if len(spec.roles) == 1 else ""  # with two roles nobody could say which of them is meant
    found = {role: _number_column(role, names, facts, table, filling, said) for role, names in spec.roles.items()}
    summed = set(found.values())  # in “the top 5 regions by amount” nobody goes by amounts
    found |= {
        role: _name_column(role, names, facts, table, filling, filling.said if role == spec.grouping else "", summed)
        for role, names in spec.texts.items()
    }
    return {role: name for role, name in found.items() if name}


def has_roles(spec: ParameterSpec, table: CsvFacts) -> bool:
    """Whether there are columns enough of the kinds that its roles need, whatever their names are."""
    numbers = {column.name for column in table.columns if _NUMBER.fullmatch(column.kind)}
    names = {column.name for column in table.columns if _NAME.fullmatch(column.kind)}
    return (
        len(numbers) >= len(spec.roles)
        and len(names) >= len(spec.texts)
        and len(numbers | names) >= len(spec.roles) + len(spec.texts)
    )


def goes_by(names: Sequence[str], header: Sequence[str]) -> bool:
    """Whether a column is called by one of these names, or has one among other words of its own."""
    return any(_usual(names, header))


def _number_column(
    role: str, names: tuple[str, ...], facts: FileFacts, table: CsvFacts, filling: Filling, said: str
) -> str:
    """The one number column whose name is usual for the role, or said in the request; asked where none or several are.

    One question for each header.
    """
    numbers = [column.name for column in table.columns if _NUMBER.fullmatch(column.kind)]
    exact, close = _usual(names, numbers)
    named = named_in(numbers, said)
    asked_for = [name for name in named if f" of {_plainly(name)} " in f" {_plainly(said)} "]
    usual = [name for name in named if name in close]  # “the net amount” is rather that than the amount
    for candidates in (asked_for, usual, exact, close, named):
        if len(candidates) == 1:
            return candidates[0]
    choices = (*_choices(close or numbers or table.header), Choice(NONE_ALONE, "None of them alone"))
    answer = _asked(role, facts, table, filling, choices)
    if answer != NONE_ALONE:
        return answer
    filling.problems.append(
        f"No column of {facts.name} holds the {role} alone, and this script reads one column for it, so nothing was "
        f"computed. Post the file with one column for the {role} (several can be summed in it)."
    )
    return ""


def _plainly(text: str) -> str:
    """Its words as they are spoken: nobody hears the capitals of pH."""
    return " ".join(_WORD.findall(text.lower()))


def _name_column(
    role: str,
    names: tuple[str, ...],
    facts: FileFacts,
    table: CsvFacts,
    filling: Filling,
    said: str,
    summed: Collection[str],
) -> str:
    """The one column that the request goes by, else one whose name is usual for the role, else the one of texts."""
    fitting = [one.name for one in table.columns if _NAME.fullmatch(one.kind) and one.name not in summed]
    grouped, texts = grouped_by(fitting, said), [one.name for one in table.columns if _TEXT.fullmatch(one.kind)]
    exact, close = _usual(names, fitting)
    for candidates in (grouped, named_in(texts, said), exact, close, texts):
        if len(candidates) == 1 and (candidates is grouped or len(grouped) < 2):
            return candidates[0]
    return _asked(role, facts, table, filling, _choices(grouped or exact or close or fitting or table.header))


def _usual(names: Sequence[str], columns: Sequence[str]) -> tuple[list[str], list[str]]:
    """Of these columns, those that go by a usual name, and those in whose name one stands among other words."""
    exact = [name for name in columns if _words(name) in [_words(usual) for usual in names]]
    close = [name for name in columns if any(set(_words(usual)) <= set(_words(name)) for usual in names)]
    return exact, close


def _asked(role: str, facts: FileFacts, table: CsvFacts, filling: Filling, choices: tuple[Choice, ...]) -> str:
    key = f"{COLUMN}{role}:{header_key(table)}"
    choices = (*choices, *filling.unrelated(facts))
    return filling.answer(key, f"Which column of {facts.name} holds the {role}?", choices)


def _choices(names: Sequence[str]) -> tuple[Choice, ...]:
    return tuple(Choice(name, name) for name in names)


def dated_column(spec: ParameterSpec, facts: FileFacts, table: CsvFacts, filling: Filling) -> Reader:
    """The column of dates by which an old file is told from a new one, and its layout; nothing where there is none."""
    found = [column for column in table.columns if column.dates]
    if not spec.dated or not found:
        return {}
    usual = [column for column in found if set(_words(column.name)) & set(spec.dated)]
    names = tuple(Choice(column.name, column.name) for column in found)
    name = next((few[0].name for few in (found, usual) if len(few) == 1), "")
    ask = f"Which column of {facts.name} says when an entry was?"
    name = name or filling.answer(f"dated:{header_key(table)}", ask, (*names, Choice("none", "None of them")))
    column = next((one for one in found if one.name == name), None)
    layout = _layout(column, facts, filling) if column else ""
    if not column or not layout:
        return {}
    reader: Reader = {"dated": column.name, "dates": {column.name: layout}}
    note_span(reader, facts, filling)
    return reader


def note_span(reader: Reader, facts: FileFacts, filling: Filling) -> None:
    """From when to when the file is, where its reader tells dates."""
    layouts, table = reader.get("dates"), facts.csv
    column = next((one for one in (table.columns if table else ()) if one.name == reader.get("dated")), None)
    if column is None:
        return
    layout = layouts.get(column.name) if isinstance(layouts, Mapping) else None
    ends = dict(zip(column.dates, column.ends, strict=False)).get(str(layout)) or next(iter(column.ends), None)
    if ends is not None:
        filling.spans[facts.name] = ends


def _layout(column: ColumnFacts, facts: FileFacts, filling: Filling) -> str:
    """Of its dates; asked where day and month could change places in every one of them."""
    if len(column.dates) == 1:
        return column.dates[0]
    ask = f"In {facts.name} every date of {column.name} could be read in several ways. How is it written?"
    ends = dict(zip(column.dates, column.ends, strict=False))
    choices = tuple(
        Choice(one, _named(one) + (f": the last is then {ends[one][1][:10]}" if one in ends else ""))
        for one in column.dates
    )
    return filling.answer(f"layout:{column.name}", ask, choices)


def _named(layout: str) -> str:
    for sign, word in (("%d", "day"), ("%m", "month"), ("%Y", "year"), ("%y", "year"), ("%H:%M:%S", "time")):
        layout = layout.replace(sign, word)
    return layout


def _words(name: str) -> list[str]:
    """`Revenue (NOK)` and `revenue_nok` are the words revenue, nok."""
    return _WORD.findall(re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).lower())
