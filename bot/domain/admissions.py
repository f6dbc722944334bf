"""Arguments and parameters of the kit that let more pass: which they are, and whether one does so more than before."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

# The larger, the more passes.
_WIDENS = ("late_days", "most_days", "quiet_days", "overlap_days", "equal_share")
# True lets something pass that halts otherwise.
_OPENS = (
    "any_age", "multiline", "blank_lines", "row_cap", "other_keys", "hidden_rows", "merged_cells", "serial_dates",
    "number_texts", "text_numbers", "single_quotes", "ragged", "empty", "quotes", "garbled", "pages",
    "other_sheets", "mixed_formats", "exponents",
)  # fmt: skip
# False does.
_CLOSES = ("final_newline", "one_unit")
# What is written out passes: another spelling, another name, a file that nobody looks at.
ADMITS = ("leave_out", "levels", "symbols", "nulls", "optional", "footer")
# What is written out is asked for: a name less is a thing less that is looked at.
_ASKS = ("expected_files", "numbers", "names", "keys", "codes", "decimals")
# A row that adds up others: refused, left out, or counted.
_TOTALS = ("refuse", "drop", "keep")
# What a reader table says before anything else; where it changed, the form is another one and not a wider one.
_FORM = ("kind", "format")
_OF_SCRIPTS = ("leave_out", "expected_files")  # parameters by these names mean the same in every script


def admits_more(name: str, before: Any, after: Any) -> Iterator[str]:
    """What one argument lets pass now that it did not let pass before; `None` for one that was not there."""
    if name in _WIDENS and _is_number(after) and (not _is_number(before) or after > before):
        yield f"{name} was {_shown(before)} and is {after:g}"
    elif name in _OPENS and after is True and before is not True:
        yield f"{name} is on now"
    elif name in _CLOSES and after is False and before is not False:
        yield f"{name} is off now"
    elif name == "totals" and after in _TOTALS and _TOTALS.index(after) > _TOTALS.index(before or "refuse"):
        yield f"totals was {before or 'refuse'} and is {after}"
    elif name == "units" and (more := _several(after) - _several(before)):
        yield f"units lets {', '.join(sorted(more))} pass now"
    elif name in ADMITS and (more := _entries(after) - _entries(before)):
        yield f"{name} lets {', '.join(sorted(more))} pass now"
    elif name in _ASKS and before is not None and (less := _asked(name, before) - _asked(name, after)):
        yield f"{name} no longer asks for {', '.join(sorted(less))}"


def of_parameters(before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[str]:
    """What the parameters of a plan let pass now and did not before."""
    for name in _OF_SCRIPTS:
        if name in before or name in after:
            yield from admits_more(name, before.get(name), after.get(name))
    old_dates, new_dates = (_table(side.get("dates")) for side in (before, after))
    for name in old_dates.keys() & new_dates.keys():
        yield from admits_more(name, old_dates[name], new_dates[name])
    for pattern, old, new in _readers(before, after):
        if all(old.get(key) == new.get(key) for key in _FORM):
            for name in sorted(old.keys() | new.keys()):
                yield from (f"{pattern}: {why}" for why in admits_more(name, old.get(name), new.get(name)))


def read_otherwise(before: Mapping[str, Any], after: Mapping[str, Any]) -> tuple[str, ...]:
    """Patterns of files whose reader is another one than before."""
    return tuple(pattern for pattern, old, new in _readers(before, after) if old != new)


def _readers(before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any], Any]]:
    """A pattern that is new was read by the default until now."""
    old, new = (_table(side.get("readers")) for side in (before, after))
    for pattern, table in sorted(new.items()):
        was = _table(old.get(pattern, old.get("default")))
        if was:
            yield pattern, was, _table(table)


def _table(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _entries(value: Any) -> set[str]:
    """What a list or table names; an empty text stands for what is never written."""
    return set(map(str, value)) - {""} if isinstance(value, list | tuple | set | frozenset | dict) else set()


def _several(value: Any) -> set[str]:
    """Of each column the units beside the first: one alone is what a column of units has anyway."""
    return {f"{one} in {column}" for column, units in _table(value).items() for one in sorted(_entries(units))[1:]}


def _asked(name: str, value: Any) -> set[str]:
    """What must be there; of files a pattern may say how many, and a smaller number asks for less."""
    if name == "expected_files" and isinstance(value, Mapping):
        counts = {str(pattern): most if isinstance(most, int) else 1 for pattern, most in value.items()}
        return {f"{one} ({n})" if n > 1 else one for one, most in counts.items() for n in range(1, most + 1)}
    return _entries(value)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _shown(value: Any) -> str:
    return f"{value:g}" if _is_number(value) else "not said"
