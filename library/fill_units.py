"""Currencies and units: which a table may have is agreed from its sample, and several are asked about."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from library.catalog import ParameterSpec
from library.facts import ColumnFacts, CsvFacts, FileFacts, name_pattern
from library.filling import Choice, Filling
from library.named import words_of
from library.readers import Reader

ADD_UP, NOTHING = "add them up", "nothing"
# As in kit.units. Names of columns have them, such as revenue_eur; of all currencies those that are no words besides.
IN_NAMES = frozenset(
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
            several = _of_all(column, filling)
            if len(several) > 1 and not spec.roles:
                continue  # whoever writes a script of their own says in it whether it adds them up
            if len(several) > 1 and not _may_mix(*_asked_once(column, facts, several, filling), filling):
                continue
            found[column.name] = several if len(several) > 1 else list(column.values)
    return {"units": dict(found)} if found else {}


def are_agreed(reader: Reader, table: CsvFacts, filling: Filling) -> bool:
    """Whether an earlier reader admits the currencies and units that are there; one of before there were any agrees."""
    agreed = reader.get("units")
    for column in table.columns:
        values = {value.upper() for value in column.values} if column.is_unit else set()
        known = agreed.get(column.name, ()) if isinstance(agreed, Mapping) else ()
        admitted = {str(one).upper() for one in known} if isinstance(known, Sequence) else set()
        several = set(_of_all(column, filling)) if values else set()
        if (admitted and values - admitted) or (len(several) > 1 and several - admitted):
            return False
    return True


def with_names_asked(
    spec: ParameterSpec, readers: Sequence[tuple[str, Reader]], filling: Filling
) -> list[tuple[str, Reader]]:
    """Asks where the name of a column to be added up says another currency than other names or other files' columns.

    Such as revenue_eur beside revenue_nok, or beside a file whose currency is NOK; the readers admit what a person did.
    """
    named = {file: {} if spec.any_unit else _in_names(spec, reader) for file, reader in readers}
    seen: dict[str, str] = {}
    for facts in filling.files:
        codes = named.get(facts.name)
        if codes is not None:
            for code, name in codes.items() or (_money(facts).items() if any(named.values()) else ()):
                seen.setdefault(code, f"{name} of {facts.name}")
    admitted = {code for _, reader in readers for code in _admitted_in_names(spec, reader)}
    if len(seen) < 2 or not any(named.values()) or not set(seen) - admitted:
        return list(readers)
    if not _may_mix("units in names", " and ".join(list(seen.values())[:3]), sorted(seen), "", filling):
        return list(readers)
    return [(file, _admitting(reader, named[file].values(), sorted(seen))) for file, reader in readers]


def _role_columns(spec: ParameterSpec, reader: Reader) -> list[str]:
    columns = reader.get("columns")
    named = columns.items() if isinstance(columns, Mapping) else ()
    return [str(name) for role, name in named if role in spec.roles]


def _in_names(spec: ParameterSpec, reader: Reader) -> dict[str, str]:
    """Currency -> the column that says it in its name."""
    return {
        code.upper(): name for name in _role_columns(spec, reader) for code in sorted(IN_NAMES & set(words_of(name)))
    }


def _admitted_in_names(spec: ParameterSpec, reader: Reader) -> list[str]:
    agreed = reader.get("units")
    known = agreed if isinstance(agreed, Mapping) else {}
    several = [known.get(name) for name in _role_columns(spec, reader)]
    return [str(code) for one in several if isinstance(one, Sequence) for code in one]


def _admitting(reader: Reader, names: Iterable[str], several: list[str]) -> Reader:
    agreed = reader.get("units")
    more: Reader = dict.fromkeys(names, several)
    return {**reader, "units": {**(agreed if isinstance(agreed, Mapping) else {}), **more}} if more else reader


def _money(facts: FileFacts) -> dict[str, str]:
    """Currency -> the column whose values say it."""
    columns = [one for one in facts.csv.columns if one.is_unit and one.is_money] if facts.csv else []
    return {code: one.name for one in columns for code in sorted(_values(one))}


def _of_all(column: ColumnFacts, filling: Filling) -> list[str]:
    """What this column says, of all files; and what others of its kind say, where they do not say the same in each."""
    files = [_alike(column, facts) for facts in _used(filling)]
    own = {value for found in files for one in found if one.name == column.name for value in _values(one)}
    of_each = {frozenset(value for one in found for value in _values(one)) for found in files if found}
    return sorted(own if len(of_each) == 1 else own.union(*of_each))


def _asked_once(
    column: ColumnFacts, facts: FileFacts, several: Sequence[str], filling: Filling
) -> tuple[str, str, Sequence[str], str]:
    """What _may_mix is told: of columns of one kind that say several together, the first is asked about."""
    together = [
        (one.name, other.name)
        for other in _used(filling)
        for one in _alike(column, other)
        if _of_all(one, filling) == several
    ]
    key = f"units:{together[0][0]}"
    if _values(column).issuperset(several):
        return key, column.name, several, facts.name
    return key, " and ".join(f"{name} of {file}" for name, file in together[:3]), several, ""


def _used(filling: Filling) -> list[FileFacts]:
    left_out = filling.left_out()
    return [facts for facts in filling.files if name_pattern(facts.name) not in left_out]


def _alike(column: ColumnFacts, facts: FileFacts) -> list[ColumnFacts]:
    """Columns of a file that say currencies, or other units, as this one does."""
    columns = facts.csv.columns if facts.csv else ()
    return [one for one in columns if one.is_unit and one.values and one.is_money == column.is_money]


def _values(column: ColumnFacts) -> set[str]:
    return {value.strip().upper() for value in column.values if value.strip()}


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
        problem = (
            f"Amounts are in {said} (column {column}), and this script adds them up, so nothing was computed. Post one "
            "currency or unit in a file of its own, or amounts that were converted into one."
        )
        if problem not in filling.problems:
            filling.problems.append(problem)
    return answer == ADD_UP
