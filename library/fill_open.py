"""Which rows of a table are open, where one of its columns says so: agreed with a person, never guessed in silence."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from library.catalog import ParameterSpec
from library.facts import ColumnFacts
from library.filling import Choice, Filling
from library.toml_text import TomlValue

_WORD = re.compile(r"[a-zæøåäöüß]+")


def _set(text: str) -> frozenset[str]:
    return frozenset(text.split())


_CLOSED = _set(
    """
    closed paid settled done completed complete cancelled canceled resolved finished fixed rejected lost won archived
    credited refunded void voided lukket betalt ferdig fullført avsluttet løst kansellert oppgjort geschlossen bezahlt
    erledigt storniert
    """
)
_OPEN = _set("open unpaid outstanding overdue unresolved pending new åpen åpent ubetalt forfalt offen unbezahlt")
_NOT_QUITE = _set("not partly partially part ikke delvis nicht teilweise")
_STATES = _set("status state stage tilstand open") | _CLOSED
_ALL = "all rows"
_VALUES = 6  # so many are offered one by one


def open_rows(spec: ParameterSpec, filling: Filling) -> TomlValue | None:
    """{column, open, closed} for the script: what of the column is open, and what else it may hold; asked once.

    Without `closed` whatever else is filled in is closed, as with the day of a payment. `column` is empty where a
    person said that all rows are open; None where no column tells.
    """
    found, agreed = _telling(filling), filling.before.get(spec.name)
    if not found or (isinstance(agreed, Mapping) and _fits(agreed, found)):
        return agreed
    offered = [one for column in found.values() for one in _offered(column)]
    if agreed is None and len(found) == 1 and all(_is_all_open(one) for one in found.values()):
        return offered[0][1]  # nothing in it is closed so far
    choices = {f"{value['column']}: {label}"[:140]: (label, value) for label, value in offered}
    told = "; ".join(f"{one.name}: {_named(one)}" for one in found.values())
    answer = filling.answer(
        f"open rows:{told}"[:200],
        f"{spec.ask} ({told})"[:1_500],
        (*(Choice(key, label) for key, (label, _) in choices.items()), Choice(_ALL, "All rows are open")),
    )
    return choices[answer][1] if answer in choices else {"column": "", "open": [], "closed": []} if answer else None


def _telling(filling: Filling) -> dict[str, ColumnFacts]:
    """The columns that tell, by name, with what all files have in them."""
    out = filling.left_out()
    found: dict[str, ColumnFacts] = {}
    for facts in filling.files:
        for column in facts.csv.columns if facts.csv and facts.name not in out else ():
            if _tells(column):
                earlier = found.get(column.name)
                values = dict.fromkeys((*(earlier.values if earlier else ()), *_values(column)))
                kind = earlier.kind if earlier and column.kind == "empty" else column.kind
                found[column.name] = ColumnFacts(column.name, kind, nulls=column.nulls, values=tuple(sorted(values)))
    return found


def _tells(column: ColumnFacts) -> bool:
    named = set(_words(column.name))
    if column.dates or column.kind in ("date", "empty"):
        return bool(named & _CLOSED)
    return bool(column.values and named & _STATES) or any(_is_closed(value) for value in column.values)


def _is_all_open(column: ColumnFacts) -> bool:
    if column.kind == "empty":
        return True
    open_ones = [value for value in column.values if set(_words(value)) & _OPEN and not _is_closed(value)]
    return bool(open_ones) and len(open_ones) == len(column.values)


def _values(column: ColumnFacts) -> tuple[str, ...]:
    if column.dates or column.kind in ("date", "empty"):
        return ()
    values = dict.fromkeys(value.strip() for value in column.values)
    return tuple(dict.fromkeys((*values, ""))) if column.empty else tuple(values)


def _offered(column: ColumnFacts) -> Iterator[tuple[str, dict[str, TomlValue]]]:
    """What may be open of it, likeliest first, each with its words."""
    if not column.values:
        gone = ["", *column.nulls]
        yield f"Rows without {column.name} are open", {"column": column.name, "open": gone}
        return
    values = list(column.values)
    likely = [value for value in values if not _is_closed(value)]
    is_clear = all(_is_closed(value) or set(_words(value)) & _OPEN for value in values)
    several = [likely] if likely and (is_clear or len(likely) < len(values)) else []
    singles = [] if is_clear and likely == values else [[value] for value in values[:_VALUES]]
    for some in [*several, *(one for one in singles if one not in several)]:
        closed = [value for value in values if value not in some]
        words = " or ".join(value or "nothing" for value in some)
        yield f"Those with {column.name} {words}", {"column": column.name, "open": list(some), "closed": closed}


def _fits(agreed: Mapping[str, TomlValue], found: Mapping[str, ColumnFacts]) -> bool:
    column = agreed.get("column")
    if not column or str(column) not in found or "closed" not in agreed:
        return not column or str(column) in found
    known = [*_texts(agreed["open"]), *_texts(agreed["closed"])]
    return set(found[str(column)].values) <= set(known)


def _texts(value: TomlValue) -> list[str]:
    return [str(one) for one in value] if isinstance(value, list) else []


def _is_closed(value: str) -> bool:
    words = set(_words(value))
    return bool(words & _CLOSED) and not words & _NOT_QUITE


def _named(column: ColumnFacts) -> str:
    return ", ".join(value or "nothing" for value in column.values[:8]) or "a date in some rows"


def _words(text: str) -> list[str]:
    return _WORD.findall(re.sub(r"(?<=[a-z])(?=[A-Z])", " ", text).lower())
