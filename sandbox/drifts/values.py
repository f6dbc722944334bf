"""Drifts of a table's values: units, signs, names, dates, and rows that are gone, old, or there twice."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta
from decimal import Decimal

from .drift import CSV, Aim, DoesNotFit, FileChange, Need, keeping, losing
from .table import DATE, Table, on_cells, on_table


def _scaled(by: str) -> Callable[[str], str]:
    """The number times a power of ten, with as many decimals as it had."""

    def scaled(cell: str) -> str:
        if not cell:
            return cell
        mark = "," if "," in cell else "."
        places = len(cell.partition(mark)[2])
        return f"{Decimal(cell.replace(mark, '.')) * Decimal(by):.{places}f}".replace(".", mark)

    return scaled


def _negated(cell: str) -> str:
    if not cell.strip("0.,"):
        return cell
    return cell[1:] if cell.startswith("-") else f"-{cell.lstrip('+')}"


def _outlier(table: Table, aim: Aim) -> bytes:
    place = table.aimed(table.numbers(), aim)
    rows = [row for row in table.body if row[place].strip("-+0.,")]
    if not rows:
        raise DoesNotFit("there is no number but zero")
    row = aim.chance.choice(rows)
    row[place] = _scaled("1000000")(row[place])
    return table.written()


def _stuck(table: Table, aim: Aim) -> bytes:
    """From some row on, 40 % of the rows repeat one value."""
    place = table.aimed(table.numbers(), aim)
    start = aim.chance.randrange(len(table.body) * 6 // 10) if len(table.body) > 1 else 0
    for row in table.body[start : start + len(table.body) * 4 // 10]:
        row[place] = table.body[start][place]
    return table.written()


def _zero_filled(table: Table, aim: Aim) -> bytes:
    """The last 40 % of a column are zeros, as of a day that is not over."""
    place = table.aimed(table.numbers(), aim)
    for row in table.body[len(table.body) * 6 // 10 :]:
        row[place] = "0"
    return table.written()


def _new_category(table: Table, aim: Aim) -> bytes:
    """One row in twenty has a value in a column of text that nobody has heard of."""
    place = table.aimed(table.texts(), aim)
    for row in aim.chance.sample(table.body, max(1, len(table.body) // 20)):
        row[place] = "unheard of"
    return table.written()


def _entity_renamed(table: Table, aim: Aim) -> bytes:
    """The commonest value of a column of text is spelled otherwise, throughout."""
    place = table.aimed(table.texts(), aim)
    values = [row[place] for row in table.body]
    old = max(sorted(set(values)), key=values.count)
    for row in table.body:
        if row[place] == old:
            row[place] = f"{old} (ny)"
    return table.written()


def _other_unit(which: Callable[[list[list[str]]], list[list[str]]]) -> FileChange:
    """Amounts of these rows are in another currency or unit, as the column says that tells it."""

    def changed(table: Table, aim: Aim) -> bytes:
        words = [set(name.lower().replace("_", " ").split()) for name in table.header]
        money = [at for at, one in enumerate(words) if one & {"currency", "ccy", "valuta"}]
        places = money or [at for at, one in enumerate(words) if one & {"unit", "uom", "enhet", "einheit"}]
        if not places:
            raise DoesNotFit(f"{aim.name} has no column of currencies or units")
        new, instead = ("EUR", "NOK") if money else ("kg", "lb")
        for row in which(table.body):
            row[places[0]] = new if row[places[0]] != new else instead
        return table.written()

    return on_table(changed)


def _zeros_lost(table: Table, aim: Aim) -> bytes:
    """What a spreadsheet makes of codes: 00718 is 718."""
    codes = [
        at
        for at in range(len(table.header))
        if any(row[at].isdigit() and row[at][:1] == "0" and len(row[at]) > 1 for row in table.body)
    ]
    place = table.aimed(codes, aim)
    for row in table.body:
        row[place] = row[place].lstrip("0") or "0"
    return table.written()


def _dates(write: Callable[[date, str], str], share: float = 1.0) -> FileChange:
    def changed(cell: str) -> str:
        found = DATE.fullmatch(cell)
        return write(date(int(found[1]), int(found[2]), int(found[3])), found[4]) if found else cell

    return on_cells("dates", changed, share)


def _day_and_month(day: date, rest: str) -> str:
    """Only where both readings are dates, as programs do it that guess."""
    return f"{day.year}-{day.day:02}-{day.month:02}{rest}" if day.day <= 12 else f"{day:%Y-%m-%d}{rest}"


def _moved(by: timedelta) -> FileChange:
    return _dates(lambda day, rest: f"{day + by:%Y-%m-%d}{rest}")


def _without_days(which: Callable[[list[str]], set[str]]) -> FileChange:
    def changed(table: Table, aim: Aim) -> bytes:
        place = table.aimed(table.dates(), aim)
        gone = which(sorted({row[place][:10] for row in table.body}))
        kept = [row for row in table.body if row[place][:10] not in gone]
        if not gone or not kept:
            raise DoesNotFit("there are too few days")
        table.rows = [table.header, *kept]
        return table.written()

    return on_table(changed)


def _middle(days: list[str]) -> set[str]:
    return set(days[len(days) // 3 : len(days) // 3 + max(1, len(days) // 4)]) if len(days) > 3 else set()


def _last(days: list[str]) -> set[str]:
    return set(days[-max(2, len(days) // 3) :]) if len(days) > 3 else set()


def _overlap(table: Table, aim: Aim) -> bytes:
    """Rows of the last two days of the week before stand above this week's."""
    place = table.aimed(table.dates(), aim)
    days = sorted({row[place][:10] for row in table.body})[-2:]
    before = [list(row) for row in table.body if row[place][:10] in days]
    for row in before:
        row[place] = f"{date.fromisoformat(row[place][:10]) - timedelta(days=7):%Y-%m-%d}{row[place][10:]}"
    table.rows = [table.header, *before, *table.body]
    return table.written()


def _rows(change: Callable[[list[list[str]], Aim], list[list[str]]]) -> FileChange:
    def changed(table: Table, aim: Aim) -> bytes:
        table.rows = [table.header, *change(table.body, aim)]
        return table.written()

    return on_table(changed)


def _shuffled(rows: list[list[str]], aim: Aim) -> list[list[str]]:
    return aim.chance.sample(rows, len(rows))


def _some_twice(rows: list[list[str]], aim: Aim) -> list[list[str]]:
    """Every fifth row came a second time, right behind itself."""
    chosen = set(aim.chance.sample(range(len(rows)), max(1, len(rows) // 5)))
    return [row for at, one in enumerate(rows) for row in ([one, one] if at in chosen else [one])]


_keeps, _loses = keeping(CSV), losing(CSV)
VALUE_DRIFTS = (
    _loses(
        "unit-changed",
        "a column came in a unit a thousand times smaller",
        on_cells("numbers", _scaled("1000")),
        Need.NUMBERS,
    ),
    _loses(
        "percent-scale",
        "a column's values came a hundred times as large, as 12 for 0.12",
        on_cells("numbers", _scaled("100")),
        Need.NUMBERS,
    ),
    _loses(
        "currency-mixed",
        "every third amount came in another currency or unit",
        _other_unit(lambda rows: rows[::3]),
        Need.UNITS,
    ),
    _loses(
        "currency-changed",
        "all amounts of a table came in another currency or unit",
        _other_unit(lambda rows: rows),
        Need.UNITS,
    ),
    _loses("sign-flipped", "the sign of a column was turned round", on_cells("numbers", _negated), Need.NUMBERS),
    _loses("outlier", "one value was a million times too large", on_table(_outlier), Need.NUMBERS),
    _loses("stuck-value", "a column repeated one value over a long stretch", on_table(_stuck), Need.NUMBERS),
    _loses("zero-filled", "the last part of a column was filled with zeros", on_table(_zero_filled), Need.NUMBERS),
    _loses("missing-as-text", "some values came as N/A", on_cells("numbers", lambda _cell: "N/A", 0.03), Need.NUMBERS),
    _loses(
        "missing-as-nines",
        "missing values came as 99999999",
        on_cells("numbers", lambda _cell: "99999999", 0.03),
        Need.NUMBERS,
    ),
    _loses(
        "missing-as-empty", "some values were left empty", on_cells("numbers", lambda _cell: "", 0.03), Need.NUMBERS
    ),
    _loses("new-category", "some rows had a category nobody has heard of", on_table(_new_category), Need.TEXTS),
    _loses("name-respelled", "a name was spelled otherwise throughout", on_table(_entity_renamed), Need.TEXTS),
    _loses("zeros-lost", "codes lost their leading zeros", on_table(_zeros_lost), Need.CODES),
    _keeps(
        "dates-day-first",
        "dates were written as 07/09/2026",
        _dates(lambda day, rest: f"{day:%d/%m/%Y}{rest}"),
        Need.DATES,
    ),
    _keeps(
        "dates-short-year",
        "some dates were written with two digits for the year",
        _dates(lambda day, rest: f"{day:%m/%d/%y}{rest}", 0.1),
        Need.DATES,
    ),
    _loses("day-and-month-swapped", "day and month of dates were swapped", _dates(_day_and_month), Need.DATES),
    _loses(
        "rows-of-the-week-before",
        "a table held the week before instead of this one",
        _moved(timedelta(days=-7)),
        Need.DATES,
    ),
    _loses("dates-a-year-ahead", "all dates were a year ahead", _moved(timedelta(days=364)), Need.DATES),
    _loses("days-missing", "days in the middle of a table were missing", _without_days(_middle), Need.DATES),
    _loses("ends-early", "the last days of a table were missing", _without_days(_last), Need.DATES),
    _loses("rows-overlap", "a table also held two days of the week before", on_table(_overlap), Need.DATES),
    _loses(
        "first-page-only",
        "only the first page of an export came, a fifth of the rows",
        _rows(lambda rows, _aim: rows[: max(1, len(rows) // 5)]),
    ),
    _loses("rows-sampled", "only one row in ten came", _rows(lambda rows, _aim: rows[::10])),
    _loses("rows-twice", "every fifth row came twice", _rows(_some_twice)),
    _loses("table-twice-in-one", "the rows of a table stood in it twice", _rows(lambda rows, _aim: [*rows, *rows])),
    _keeps("rows-shuffled", "rows came in another order", _rows(_shuffled)),
)
