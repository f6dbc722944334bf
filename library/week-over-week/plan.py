"""Totals per name beside those of the report before: what rose, what fell."""

from kit import (
    agreed_files,
    check_ends,
    check_steady,
    check_usual,
    intermediate,
    metric,
    period,
    read_table,
    report,
    slot,
    table,
)

TOTAL = "total of "  # what the metrics of earlier reports begin with

totals = {}
rows_read = 0
for file in agreed_files():
    rows = read_table(file)
    check_steady(file, rows, numbers=["amount"], names=["name"])
    for name, amount in rows.sql("SELECT name, sum(amount) FROM rows GROUP BY name", numbers=["amount"]):
        totals[name] = totals.get(name, 0) + amount
    rows_read += rows.rows

check_ends()
whole = sum(totals.values())
check_usual("total", whole)
intermediate("rows read", rows_read, "rows")
for name in sorted(totals)[:100]:
    metric(f"{TOTAL}{name}", totals[name])

past = next((one for one in reversed(slot.history) if "total" in one.metrics), None)
before = {} if past is None else {k.removeprefix(TOTAL): v for k, v in past.metrics.items() if k.startswith(TOTAL)}


def change(now, was):
    return "new" if was is None else f"{100 * (float(now) / was - 1):+.1f} %" if was else "from nothing"


def moved(name):
    return float(totals.get(name, 0)) - before.get(name, 0)


names = sorted({*totals, *before}, key=lambda name: (-abs(moved(name)), name))
columns = ["name", "now", "before", "change"]
shown = [[one, totals.get(one, 0), before.get(one), change(totals.get(one, 0), before.get(one))] for one in names]
table("What changed most", columns, shown if past else [[*row[:2], None, ""] for row in shown])
rose, fell = (sum(1 for one in names if sign * moved(one) > 0) for sign in (1, -1))
report(
    total=whole,
    change="the first report, nothing to compare with" if past is None else change(whole, past.metrics["total"]),
    before="none" if past is None else f"{past.due_at:%Y-%m-%d}",
    rose=rose if past else 0,
    fell=fell if past else 0,
    rows=rows_read,
    period=period(),
)
