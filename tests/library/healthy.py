"""Healthy weeks for each script of the library: seeded, different in volume, order, quiet names and holidays."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date, datetime, time, timedelta
from random import Random

FIRST = date(2026, 8, 31)  # a Monday; the sample of each script is the week that begins then
Files = dict[str, bytes]


def monday(week: int) -> date:
    return FIRST + timedelta(days=7 * week)


def slot(week: int) -> tuple[datetime, datetime]:
    """The window (since, until] in which a week's files are posted: until the Monday after it, at seven."""
    until = datetime.combine(monday(week + 1), time(7))
    return until - timedelta(days=7), until


def week_of(script: str, week: int) -> Files:
    """The files of one week; the same for the same week, always."""
    return WEEKS[script](Random(f"{script} {week}"), week)


def _days(chance: Random, week: int) -> list[date]:
    """Seven, and in one week of six a holiday less; the first week has none."""
    days = [monday(week) + timedelta(days=number) for number in range(7)]
    if week and chance.random() < 1 / 6:
        del days[chance.randrange(1, 6)]
    return days


def _quiet(chance: Random, week: int, names: Sequence[str]) -> list[str]:
    """All names, and in one week of four one of them is quiet."""
    kept = list(names)
    if week and chance.random() < 1 / 4:
        kept.remove(chance.choice(kept))
    return kept


def _csv(header: str, rows: Iterator[Sequence[object]]) -> bytes:
    return ("\n".join([header, *(",".join(map(str, row)) for row in rows)]) + "\n").encode()


def _volume(chance: Random, usual: int) -> int:
    return round(usual * (0.7 + 0.7 * chance.random()))


def _ledger(
    header: str,
    files: Sequence[str],
    names: Sequence[str],
    *,
    per_day: int = 14,
    top: int = 400_000,
    currency: str = "",
) -> Callable[[Random, int], Files]:
    """Tables of `date,NAME,AMOUNT,REFERENCE`, and the currency of all, in the order in which they were booked: none."""

    def week(chance: Random, number: int) -> Files:
        days = _days(chance, number)
        found = {}
        for place, file in enumerate(files):
            spoken, count = _quiet(chance, number, names), _volume(chance, per_day)
            rows = [
                (
                    day,
                    chance.choice(spoken),
                    f"{chance.randint(500, top) / 100:.2f}",
                    f"V{number:02}{place}{day:%d}{entry:03}",
                    *([currency] if currency else []),
                )
                for day in days
                for entry in range(count)
            ]
            chance.shuffle(rows)
            found[file] = _csv(header, iter(rows))
        return found

    return week


def _readings(
    header: str, files: Sequence[str], names: Sequence[str], *, minutes: int, centre: float
) -> Callable[[Random, int], Files]:
    """A value every so many minutes per sensor, in the order of time; a sensor may be quiet for a week."""

    def week(chance: Random, number: int) -> Files:
        days = _days(chance, number)
        return {
            file: _csv(header, iter(_day_rows(chance, days, _quiet(chance, number, names), minutes, centre)))
            for file in files
        }

    return week


def _day_rows(
    chance: Random, days: Sequence[date], names: Sequence[str], minutes: int, centre: float
) -> list[Sequence[object]]:
    rows: list[Sequence[object]] = []
    for day in days:
        for step in range(0, 24 * 60, minutes):
            at = datetime.combine(day, time()) + timedelta(minutes=step)
            for name in names:
                if chance.random() > 0.02:
                    rows.append((f"{at:%Y-%m-%d %H:%M:%S}", name, f"{centre + chance.gauss(0, centre / 8):.2f}"))
    return rows


def _pings(chance: Random, week: int) -> Files:
    hosts = ("gateway", "mail", "wiki", "storage")
    rows: list[Sequence[object]] = []
    for day in _days(chance, week):
        for step in range(0, 24 * 60, 90):
            at = datetime.combine(day, time()) + timedelta(minutes=step)
            for host in _quiet(chance, 0, hosts):
                is_up = chance.random() > 0.03
                latency = f"{chance.uniform(4, 40):.1f}" if is_up else "0.0"
                rows.append((f"{at:%Y-%m-%d %H:%M:%S}", host, "up" if is_up else "down", latency))
    return {"pings.csv": _csv("time,host,status,latency_ms", iter(rows))}


def _two_sides(chance: Random, week: int) -> Files:
    """A ledger and a bank that agree in most: some entries are on one side only, some amounts differ."""
    ours: list[Sequence[object]] = []
    bank: list[Sequence[object]] = []
    for day in _days(chance, week):
        for entry in range(_volume(chance, 14)):
            row = (day, f"INV-{week:02}{day:%d}{entry:03}", f"{chance.randint(5_000, 900_000) / 100:.2f}", "wire")
            luck = chance.random()
            if luck > 0.03:
                ours.append(row)
            if not 0.03 < luck < 0.07:
                bank.append(row if luck < 0.97 else (*row[:2], f"{float(row[2]) + 12.5:.2f}", row[3]))
    chance.shuffle(bank)
    header = "date,reference,amount,method"
    return {"bank.csv": _csv(header, iter(bank)), "ledger.csv": _csv(header, iter(ours))}


def _books(chance: Random, week: int) -> Files:
    """Revenue and costs of three subsidiaries; one of them often makes a loss."""
    found = {}
    for file, margin in (("north.csv", 1.3), ("south.csv", 1.1), ("west.csv", 0.97)):
        count = _volume(chance, 10)
        rows = []
        for day in _days(chance, week):
            for entry in range(count):
                costs = chance.randint(200_000, 800_000) / 100
                rows.append((day, f"c{entry}", f"{costs * margin * chance.uniform(0.9, 1.1):.2f}", f"{costs:.2f}"))
        chance.shuffle(rows)
        found[file] = _csv("date,customer,revenue_eur,costs_eur", iter(rows))
    return found


def _open_items(chance: Random, week: int) -> Files:
    """Whatever is open at the end of the week: most is young, and something new came on each of the last days."""
    last = monday(week) + timedelta(days=6)
    owners = _quiet(chance, week, ("finance", "lab", "sales", "service"))
    ages = [number % 5 for number in range(25)] + [int(chance.expovariate(1 / 30)) for _ in range(_volume(chance, 60))]
    rows = [
        (
            last - timedelta(days=min(age, 160)),
            f"T-{week:02}{place:03}",
            chance.choice(owners),
            f"{chance.randint(2_000, 80_000) / 100:.2f}",
        )
        for place, age in enumerate([*ages, 160])
    ]
    chance.shuffle(rows)
    return {"open-items.csv": _csv("opened,ticket,owner,amount", iter(rows))}


def _invoices(chance: Random, week: int) -> Files:
    """Each invoice once, but for two or three that somebody booked again with another text."""
    found = {}
    for place, file in enumerate(("invoices-east.csv", "invoices-west.csv")):
        rows: list[Sequence[object]] = [
            (
                day,
                f"R-{week:02}{place}{day:%d}{entry:03}",
                f"{chance.randint(5_000, 700_000) / 100:.2f}",
                f"order {entry}",
            )
            for day in _days(chance, week)
            for entry in range(_volume(chance, 12))
        ]
        rows += [(*row[:3], "booked again") for row in chance.sample(rows, chance.randint(1, 3))]
        chance.shuffle(rows)
        found[file] = _csv("date,invoice,amount,text", iter(rows))
    return found


_TEXTS = {
    "DEBUG": ("heartbeat {n}",),
    "INFO": ("scan {n} finished, 0 ERRORs found", "lamp on at {n} %"),
    "WARN": ("lamp at {n} %",),
    "ERROR": ("detector {n} timed out", "shutter stuck in position {n}"),
}


def _logs(chance: Random, week: int) -> Files:
    """Three instruments over a week; the third hardly ever has an error, and errors come in some weeks more."""
    days = _days(chance, week)
    shares = {"mill-01.log": 0.05, "mill-02.log": 0.08, "oven-01.log": 0.004}
    return {name: _log(chance, days, share * (0.6 + 0.8 * chance.random())) for name, share in shares.items()}


def _log(chance: Random, days: Sequence[date], share: float) -> bytes:
    lines, count = [], _volume(chance, 24)
    for day in days:
        moments = sorted(chance.randrange(24 * 3600) for _ in range(count + chance.randint(-4, 4)))
        for moment in moments:
            at = datetime.combine(day, time()) + timedelta(seconds=moment)
            level = chance.choices(("DEBUG", "INFO", "WARN", "ERROR"), (0.1, 0.8 - share, 0.06, share))[0]
            words = chance.choice(_TEXTS[level]).format(n=chance.randint(1, 99))
            lines.append(f"{at:%Y-%m-%d %H:%M:%S},{chance.randint(0, 999):03} {level} [scan] {words}")
    return ("\n".join(lines) + "\n").encode()


def _json_logs(chance: Random, week: int) -> Files:
    return {
        name.replace(".log", ".jsonl"): "".join(f"{_as_json(line)}\n" for line in data.decode().splitlines()).encode()
        for name, data in _logs(chance, week).items()
    }


def _as_json(line: str) -> str:
    at, level, words = line[:19], *line[24:].split(" ", 1)
    return json.dumps({"time": f"{at.replace(' ', 'T')}Z", "level": level, "msg": words})


_SITES = ("north.csv", "south.csv", "west.csv")
WEEKS: Mapping[str, Callable[[Random, int], Files]] = {
    "log-error-summary": _logs,
    "error-spikes": _logs,
    "ranked-margin": _books,
    "totals-by-category": _ledger(
        "date,category,amount,voucher,currency",
        _SITES,
        ("travel", "supplies", "energy", "rent", "repairs"),
        currency="NOK",
    ),
    "week-over-week": _ledger(
        "date,product,amount,receipt", _SITES, ("bread", "cakes", "coffee", "tea", "soup", "juice")
    ),
    "top-list": _ledger("date,machine,hours,job", _SITES, [f"press {number}" for number in range(1, 13)], top=900),
    "readings-out-of-range": _readings(
        "time,sensor,celsius", ("hall-a.csv", "hall-b.csv"), ("s1", "s2", "s3"), minutes=120, centre=21
    ),
    "coverage-and-gaps": _readings(
        "time,station,flow", ("river.csv",), ("weir", "mouth", "bridge"), minutes=60, centre=340
    ),
    "reconcile-two-files": _two_sides,
    "ageing-of-open-items": _open_items,
    "duplicate-entries": _invoices,
    "uptime-from-pings": _pings,
}
