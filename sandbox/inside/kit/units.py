"""Currencies and units: a column that says in which one an amount is must say the same throughout, or no sum is one."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from .given import Input
from .rewritten import name_in_sql, text_in_sql
from .state import current
from .surprise import Surprise


def _listed(text: str) -> frozenset[str]:
    return frozenset(text.split())


COLUMNS = 40  # that are looked at
# ISO 4217, as far as people trade in them.
CODES = _listed(
    """
    AED ARS AUD BDT BGN BHD BRL CAD CHF CLP CNY COP CZK DKK EGP EUR GBP HKD HUF IDR ILS INR ISK JOD JPY KES KRW KWD LKR
    MAD MXN MYR NGN NOK NZD OMR PEN PHP PKR PLN QAR RON RSD RUB SAR SEK SGD THB TND TRY TWD UAH USD UYU VND ZAR
    """
)
UNITS = _listed(
    """
    KG G MG T LB LBS OZ TON TONS TONNE TONNES L ML CL DL GAL M CM MM KM FT IN MI YD M2 M3 W KW MW WH KWH MWH GWH J KJ
    MJ GJ KCAL S SEC MIN H HR HRS D DAYS HOURS C °C K F °F CELSIUS FAHRENHEIT KELVIN PA HPA KPA MPA BAR MBAR PSI V MV
    KV A MA % PPM PPB PCS PIECES BOX BOXES PALLET PALLETS
    """
)
# As names of columns have them, such as revenue_eur; of all currencies those that are no words besides.
IN_NAMES = _listed("NOK SEK DKK EUR USD GBP CHF JPY ISK PLN CZK HUF RON CNY INR AUD CAD NZD SGD ZAR BRL")
# Words of a column's name: of the first nearly every value is one, of the second only those we know.
_OF_MONEY = _listed("currency currencies ccy curr valuta valutakode valutakod währung waehrung devise moneda")
_OF_UNITS = _listed("unit units uom enhet enhed einheit eenheid unidad unité")
_WORD = re.compile(r"[a-zæøåäöüßéè]+")
_MONEY = "money"
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")


def says_units(name: str, values: Iterable[str]) -> bool:
    """Whether a column of these values says in which currency or unit others of its table are."""
    seen = [value.strip().upper() for value in values if value.strip()]
    if not seen or any(re.search(r"\d{2}", value) for value in seen):
        return False
    if _words(name) & _OF_MONEY:
        return True
    if _words(name) & _OF_UNITS:
        return all(value in UNITS or value in CODES for value in seen)
    return len(set(seen)) > 1 and all(value in CODES for value in values if value)


def is_money(name: str, values: Iterable[str]) -> bool:
    """Whether a column that says units says currencies, by its name or by its values."""
    return bool(_words(name) & _OF_MONEY) or all(value.strip().upper() in CODES for value in values if value.strip())


def unit_columns(rows: Any, numbers: Sequence[str]) -> list[str]:
    """Those that could: not what is added up, and not the dates. `numbers` are names or roles."""
    roles = rows.reader.columns
    taken = {roles.get(name, name) for name in (*numbers, rows.dated)}
    return [name for name in rows.names if name not in taken][:COLUMNS]


def in_sql(rows: Any, names: Sequence[str]) -> Iterator[str]:
    """Four answers for each column: its first and last value in order, how many are no currency, and one not agreed."""
    codes = ", ".join(map(text_in_sql, sorted(CODES)))
    for name in names:
        cell = f"CAST({name_in_sql(name)} AS VARCHAR)"
        agreed = [text_in_sql(str(one).strip().upper()) for one in rows.reader.units.get(name, ())]
        if agreed or _words(name) & (_OF_MONEY | _OF_UNITS):
            cell = f"upper(trim({cell}))"
        yield f"min(nullif({cell}, ''))"
        yield f"max(nullif({cell}, ''))"
        yield f"count(*) FILTER ({cell} <> '' AND {cell} NOT IN ({codes}))"
        yield f"min({cell}) FILTER ({cell} <> '' AND {cell} NOT IN ({', '.join(agreed)}))" if agreed else "NULL"


def check_units(file: Input, rows: Any, names: Sequence[str], answers: Sequence[Any], numbers: Sequence[str]) -> None:
    """Raises Surprise MixedUnits where amounts are in several, in this file or in those before it.

    Other files may have another name for the column, or say the currency in the name of a number, such as revenue_eur.
    """
    current().note_check("MixedUnits", file.name)
    said: dict[str, dict[str, str]] = {}  # kind -> what is said of it in this file -> the column that says it
    admitted = set()
    for place, name in enumerate(names):
        first, last, others, odd = answers[4 * place : 4 * place + 4]
        agreed = [str(one) for one in rows.reader.units.get(name, ())]
        if agreed and odd is not None:
            raise _mixed(file, name, [*agreed, odd], f"has amounts in {odd}, and agreed is {' and '.join(agreed)}")
        if len(agreed) > 1:
            admitted.add(_kind(name, agreed))
            continue
        if first is None or not (agreed or _are_units(name, first, last, others)):
            continue
        if first != last:
            raise _mixed(file, name, [first, last], f"has amounts in {first} and in {last}")
        _compare(file, f"column {name}", {first: name})
        said.setdefault(_kind(name, [first]), {})[first] = name
    for name in (rows.reader.columns.get(one, one) for one in numbers):
        if len(rows.reader.units.get(name, ())) > 1:
            admitted.add(_MONEY)
    # What is added up says by its name what it is in, even beside the currency that it was converted from.
    in_names = {code: name for name, code in _in_names(rows, numbers)}
    if in_names:
        said[_MONEY] = in_names
    for kind, columns in said.items():
        if kind not in admitted:
            _compare(file, kind, columns)


def _compare(file: Input, key: str, columns: dict[str, str]) -> None:
    """Raises Surprise MixedUnits where a file before this one said others under this key."""
    units = sorted(columns)
    known, where = current().units.setdefault(key, (tuple(units), file.name))
    if list(known) != units:
        words = f"has amounts in {' and '.join(units)}, and those of {where} are in {' and '.join(known)}"
        raise _mixed(file, columns[units[0]], list(dict.fromkeys([*known, *units])), words)


def _kind(name: str, values: Iterable[str]) -> str:
    return _MONEY if is_money(name, values) else "units"


def _in_names(rows: Any, numbers: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Names of columns that are added up, each with a currency in it."""
    for name in (rows.reader.columns.get(one, one) for one in numbers):
        for word in sorted(_words(name)):
            if word.upper() in IN_NAMES:
                yield name, word.upper()


def _are_units(name: str, first: str, last: str, others: int) -> bool:
    if others == 0 and first != last:
        return True
    return bool(_words(name) & (_OF_MONEY | _OF_UNITS)) and says_units(name, (first, last))


def _mixed(file: Input, name: str, units: Sequence[str], words: str) -> Surprise:
    admits = (
        f'(the reader parameter "units" admits several: units = {{"{name}" = [{_quoted(units)}]}}; a script that adds '
        "nothing up across them says check_steady(…, one_unit=False))"
    )
    message = f"{file.name} {words}, as its column {name} says: added up they are no amount of anything"
    return Surprise("MixedUnits", message, seen=" and ".join(units), expected=f"one of them {admits}", file=file.name)


def _quoted(units: Sequence[str]) -> str:
    return ", ".join(f'"{one}"' for one in units)


def _words(name: str) -> set[str]:
    return set(_WORD.findall(_CAMEL.sub(" ", name).lower()))
