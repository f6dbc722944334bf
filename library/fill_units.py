"""Currencies and units: which a table may have is agreed from its sample, and several are asked about."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from library.catalog import ParameterSpec
from library.facts import CsvFacts, FileFacts
from library.filling import Choice, Filling
from library.named import words_of
from library.readers import Reader

ADD_UP, NOTHING = "add them up", "nothing"
# As names of columns have them, such as revenue_eur; of all currencies those that are no words besides.
_IN_NAMES = frozenset(
    {
        "nok",
        "sek",
        "dkk",
        "eur",
        "usd",
        "gbp",
        "chf",
        "jpy",
        "isk",
        "pln",
        "czk",
        "huf",
        "ron",
        "cny",
        "inr",
        "aud",
        "cad",
        "nzd",
        "sgd",
        "zar",
        "brl",
    }
)


def units(spec: ParameterSpec, facts: FileFacts, table: CsvFacts, filling: Filling) -> Reader:
    """{"units": {column: those that may be in it}}; nothing where no column says it, or no number is added up."""
    if spec.any_unit:
        return {}
    found: dict[str, list[str]] = {}
    for column in table.columns:
        if column.is_unit and column.values:
            several = _of_all(column.name, filling.files)
            if len(several) > 1 and not spec.roles:
                continue  # whoever writes a script of their own says in it whether it adds them up
            if len(several) > 1 and not _may_mix(f"units:{column.name}", column.name, several, facts.name, filling):
                continue
            found[column.name] = several if len(several) > 1 else list(column.values)
    return {"units": dict(found)} if found else {}


def are_agreed(reader: Reader, table: CsvFacts) -> bool:
    """Whether an earlier reader admits the currencies and units that are there; one of before there were any agrees."""
    agreed = reader.get("units")
    for column in table.columns:
        values = {value.upper() for value in column.values} if column.is_unit else set()
        known = agreed.get(column.name, ()) if isinstance(agreed, Mapping) else ()
        admitted = {str(one).upper() for one in known} if isinstance(known, Sequence) else set()
        if (admitted and values - admitted) or (not admitted and len(values) > 1):
            return False
    return True


def ask_about_names(spec: ParameterSpec, readers: Iterable[tuple[str, Reader]], filling: Filling) -> None:
    """Columns to be added up whose names say different currencies, such as revenue_eur and revenue_nok."""
    seen: dict[str, str] = {}
    for file, reader in readers:
        columns = reader.get("columns")
        for role, name in columns.items() if isinstance(columns, Mapping) and not spec.any_unit else ():
            for code in sorted(_IN_NAMES & set(words_of(str(name)))) if role in spec.roles else ():
                seen.setdefault(code.upper(), f"{name} of {file}")
    if len(seen) > 1:
        _may_mix("units in names", " and ".join(list(seen.values())[:3]), sorted(seen), "", filling)


def _of_all(name: str, files: Sequence[FileFacts]) -> list[str]:
    """Of the column of this name in all files."""
    columns = [one for facts in files if facts.csv for one in facts.csv.columns if one.name == name and one.is_unit]
    return sorted({value.strip().upper() for one in columns for value in one.values})


def _may_mix(key: str, column: str, several: Sequence[str], file: str, filling: Filling) -> bool:
    said = " and ".join(several[:6])
    where = f"The column {column} of {file} has" if file else f"{column} are amounts in"
    ask = f"{where} {said}, and a sum over several means nothing by itself. What should I do?"
    choices = (
        Choice(NOTHING, "Compute nothing: they must not be added up"),
        Choice(ADD_UP, f"Add up {said} as they stand"[:75]),
    )
    answer = filling.answer(key, ask, choices)
    if answer == NOTHING:
        filling.problems.append(
            f"Amounts are in {said} (column {column}), and this script adds them up, so nothing was computed. Post one "
            "currency or unit in a file of its own, or amounts that were converted into one."
        )
    return answer == ADD_UP
