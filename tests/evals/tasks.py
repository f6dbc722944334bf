"""Questions over generated data with a known truth; each comes with a script that answers it, for a scripted model."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from random import Random

Files = Mapping[str, bytes]
Truth = Mapping[str, float]


@dataclass(frozen=True)
class Task:
    """`make` gives the files of a seed and what is true of them: label -> number."""

    name: str
    question: str
    make: Callable[[Random], tuple[Files, Truth]]
    script: str


HEAD = "import csv, json\nfrom collections import Counter, defaultdict\nfrom kit import inputs, intermediate, table\n\n"
ROWS = """mark = %r
rows = [row | {"file": file.name} for file in inputs() for row in csv.DictReader(open(file.path), delimiter=mark)]
intermediate("rows read", len(rows), "rows")
"""
JSON_LINES = """rows = [json.loads(line) for file in inputs() for line in open(file.path)]
intermediate("rows read", len(rows), "rows")
"""


def _table(rows: str) -> str:
    return f'table("Answer", ["what", "number"], {rows})\n'


def _csv(header: str, rows: list[tuple[object, ...]], mark: str = ",") -> bytes:
    return ("\n".join([header, *(mark.join(map(str, row)) for row in rows)]) + "\n").encode()


def _shares(random: Random) -> tuple[Files, Truth]:
    files, truth = {}, {}
    for shop in ("oslo", "bergen", "tromso", "molde"):
        taken = [random.randint(100, 9_000) for _ in range(150)]
        spent = [round(one * random.uniform(0.4, 0.9)) for one in taken]
        files[f"{shop}.csv"] = _csv(
            "day,taken,spent", [(n, t, s) for n, (t, s) in enumerate(zip(taken, spent, strict=True))]
        )
        truth[shop] = 100 * (sum(taken) - sum(spent)) / sum(taken)
    return files, truth


def _means(random: Random) -> tuple[Files, Truth]:
    rows = [(f"s{random.randint(1, 5)}", round(random.gauss(20, 4), 1)) for _ in range(300)]
    values = {name: [v for n, v in rows if n == name] for name, _ in rows}
    return {"sensors.csv": _csv("sensor,value", [*rows])}, {n: sum(v) / len(v) for n, v in values.items()}


def _twice(random: Random) -> tuple[Files, Truth]:
    numbers = random.sample(range(10_000, 99_999), 240)
    again = random.sample(numbers[:120], 7)
    files = {"may.csv": numbers[:120], "june.csv": numbers[120:] + again}
    made = {name: _csv("order,amount", [(one, one % 97) for one in many]) for name, many in files.items()}
    return made, {"orders that come twice": 7}


def _silence(random: Random) -> tuple[Files, Truth]:
    files, truth = {}, {}
    for device in ("pump", "valve", "lamp"):
        minute, lines, longest = 0, [], 0
        for _ in range(120):
            step = random.randint(1, 30)
            longest = max(longest, step if lines else 0)
            minute += step
            lines.append(f"2026-11-{1 + minute // 1440:02d} {minute // 60 % 24:02d}:{minute % 60:02d} {device} ok")
        files[f"{device}.txt"] = ("\n".join(lines) + "\n").encode()
        truth[device] = longest
    return files, truth


def _statuses(random: Random) -> tuple[Files, Truth]:
    rows = [
        {"path": f"/{random.choice('abcd')}", "status": random.choice((200, 200, 404, 500, 503))} for _ in range(300)
    ]
    lines = "\n".join(json.dumps(row) for row in rows) + "\n"
    truth = {path: sum(r["path"] == path and r["status"] >= 500 for r in rows) for path in ("/a", "/b", "/c", "/d")}  # type: ignore[operator]
    return {"calls.jsonl": lines.encode()}, truth


def _late(random: Random) -> tuple[Files, Truth]:
    rows = [
        (random.choice(("north", "post", "rail")), random.randint(1, 28), random.randint(1, 28)) for _ in range(240)
    ]
    days = [(carrier, f"2026-10-{due:02d}", f"2026-10-{came:02d}") for carrier, due, came in rows]
    truth = {name: sum(c == name and came > due for c, due, came in rows) for name in ("north", "post", "rail")}
    return {"parcels.csv": _csv("carrier,due,came", [*days])}, truth


def _comma(random: Random) -> tuple[Files, Truth]:
    rows = [(random.choice(("Aas", "Berg", "Dahl")), random.randint(100, 99_999)) for _ in range(200)]
    shown = [(name, f"{cents // 100},{cents % 100:02d}") for name, cents in rows]
    truth = {name: sum(c for n, c in rows if n == name) / 100 for name in ("Aas", "Berg", "Dahl")}
    return {"kunder.csv": _csv("kunde;belop", [*shown], ";")}, truth


def _hours(random: Random) -> tuple[Files, Truth]:
    hours = [random.choices(range(24), weights=[1] * 9 + [5] * 8 + [1] * 7)[0] for _ in range(300)]
    rows = [(f"2026-11-30T{hour:02d}:{random.randint(0, 59):02d}:00", "visit") for hour in hours]
    busiest = max(range(24), key=lambda hour: (hours.count(hour), -hour))
    return {"visits.csv": _csv("at,kind", [*rows])}, {f"{busiest:02d}": hours.count(busiest)}


def _missing(random: Random) -> tuple[Files, Truth]:
    gone = set(random.sample(range(2, 30), 4))
    rows = [(f"2026-11-{day:02d}", random.randint(1, 9)) for day in range(1, 31) if day not in gone]
    return {"daily.csv": _csv("day,count", [*rows])}, {f"2026-11-{day:02d}": 1 for day in gone}


def _degrees(random: Random) -> tuple[Files, Truth]:
    files, truth = {}, {}
    for room in ("cellar", "attic"):
        degrees = [round(random.gauss(60, 10), 1) for _ in range(100)]
        files[f"{room}.csv"] = _csv("hour,fahrenheit", [(n, one) for n, one in enumerate(degrees)])
        truth[room] = (max(degrees) - 32) * 5 / 9
    return files, truth


def _users(random: Random) -> tuple[Files, Truth]:
    rows = [{"event": random.choice(("open", "save", "print")), "user": random.randint(1, 40)} for _ in range(260)]
    truth = {name: len({row["user"] for row in rows if row["event"] == name}) for name in ("open", "save", "print")}
    lines = "\n".join(json.dumps(row) for row in rows) + "\n"
    return {"events.jsonl": lines.encode()}, truth


def _stock(random: Random) -> tuple[Files, Truth]:
    rows = [(f"item-{n:03d}", random.randint(0, 60), random.randint(5, 20)) for n in range(120)]
    return {"stock.csv": _csv("item,count,least", [*rows])}, {
        "items below": sum(have < least for _, have, least in rows)
    }


TASKS = (
    Task(
        "share kept",
        "Which percentage of what it takes does each shop keep (taken less spent), best first?",
        _shares,
        HEAD + ROWS % ","
        + "t, s = Counter(), Counter()\nfor row in rows:\n    t[row['file'][:-4]] += int(row['taken'])\n"
        "    s[row['file'][:-4]] += int(row['spent'])\n" + _table("[[n, 100 * (t[n] - s[n]) / t[n]] for n in t]"),
    ),
    Task(
        "means",
        "What is the mean value of each sensor?",
        _means,
        HEAD + ROWS % ","
        + "by = defaultdict(list)\nfor row in rows:\n    by[row['sensor']].append(float(row['value']))\n"
        + _table("[[n, sum(v) / len(v)] for n, v in by.items()]"),
    ),
    Task(
        "twice",
        "How many order numbers stand in both months? One row, called “orders that come twice”.",
        _twice,
        HEAD + ROWS % "," + "seen = Counter(row['order'] for row in rows)\n"
        + _table("[['orders that come twice', sum(n > 1 for n in seen.values())]]"),
    ),
    Task(
        "silence",
        "For how many minutes at most was each device silent between two lines?",
        _silence,
        HEAD + "from datetime import datetime\nfrom itertools import pairwise\n\nout = []\nfor file in inputs():\n"
        "    at = [datetime.fromisoformat(line[:16]) for line in open(file.path)]\n"
        "    out.append([file.name[:-4], max((b - a).total_seconds() / 60 for a, b in pairwise(at))])\n"
        + _table("out"),
    ),
    Task(
        "server faults",
        "How many calls of each path came back with a status of 500 or more?",
        _statuses,
        HEAD + JSON_LINES + "bad = Counter(row['path'] for row in rows if row['status'] >= 500)\n"
        + _table("[[n, bad[n]] for n in sorted({row['path'] for row in rows})]"),
    ),
    Task(
        "late",
        "How many parcels of each carrier came after they were due?",
        _late,
        HEAD + ROWS % "," + "late = Counter(row['carrier'] for row in rows if row['came'] > row['due'])\n"
        + _table("[[n, late[n]] for n in late]"),
    ),
    Task(
        "decimal comma",
        "What does each customer (kunde) owe in all (belop)?",
        _comma,
        HEAD + "from decimal import Decimal\n\n" + ROWS % ";" + "owed = Counter()\nfor row in rows:\n"
        "    owed[row['kunde']] += Decimal(row['belop'].replace(',', '.'))\n"
        + _table("[[n, v] for n, v in owed.items()]"),
    ),
    Task(
        "busiest hour",
        "Which hour of the day (00 to 23) has the most visits, and how many? The earliest where several have as many.",
        _hours,
        HEAD + ROWS % ","
        + "by = Counter(row['at'][11:13] for row in rows)\nbest = min(by, key=lambda h: (-by[h], h))\n"
        + _table("[[best, by[best]]]"),
    ),
    Task(
        "missing days",
        "Which days of November 2026 are missing? One row for each, with a 1 beside it.",
        _missing,
        HEAD + ROWS % "," + "there = {row['day'] for row in rows}\n"
        + _table("[[d, 1] for d in (f'2026-11-{n:02d}' for n in range(1, 31)) if d not in there]"),
    ),
    Task(
        "hottest",
        "What is the highest temperature of each room, in degrees Celsius?",
        _degrees,
        HEAD + ROWS % "," + "by = defaultdict(list)\nfor row in rows:\n"
        "    by[row['file'][:-4]].append(float(row['fahrenheit']))\n"
        + _table("[[n, (max(v) - 32) * 5 / 9] for n, v in by.items()]"),
    ),
    Task(
        "different users",
        "How many different users did each kind of event?",
        _users,
        HEAD + JSON_LINES + "by = defaultdict(set)\nfor row in rows:\n    by[row['event']].add(row['user'])\n"
        + _table("[[n, len(v)] for n, v in by.items()]"),
    ),
    Task(
        "low stock",
        "How many items have less than their least count? One row, called “items below”.",
        _stock,
        HEAD + ROWS % "," + _table("[['items below', sum(int(r['count']) < int(r['least']) for r in rows)]]"),
    ),
)  # fmt: skip
