"""The names with the largest sums, their share of the whole, and how they stood in the report before."""

from kit import (
    agreed_files,
    check,
    check_ends,
    check_steady,
    check_usual,
    intermediate,
    metric,
    params,
    period,
    read_table,
    report,
    slot,
    table,
)

TOP = int(params["top"])
PLACE = "place of "  # what the metrics of earlier reports begin with

sums, counts = {}, {}
rows_read = 0
for file in agreed_files():
    rows = read_table(file)
    check_steady(file, rows, numbers=["amount"], names=["name"])
    question = "SELECT name, sum(amount), count(*) FROM rows GROUP BY name"
    for name, amount, count in rows.sql(question, numbers=["amount"]):
        check("NoName", name.strip() != "", f"rows of {file.name} without a name: {count:,}", file=file.name)
        sums[name] = sums.get(name, 0) + amount
        counts[name] = counts.get(name, 0) + count
    rows_read += rows.rows

check_ends()
whole = sum(sums.values())
check_usual("total", whole)
intermediate("rows read", rows_read, "rows")

order = sorted(sums, key=lambda name: (-sums[name], name))
for place, name in enumerate(order[:TOP], 1):
    metric(f"{PLACE}{name}", place)
past = next((one.metrics for one in reversed(slot.history) if "total" in one.metrics), {})


def before(name):
    return int(past[f"{PLACE}{name}"]) if f"{PLACE}{name}" in past else "new" if past else ""


share = {name: f"{100 * sums[name] / whole:.1f} %" if whole else "" for name in order}
ranked = [[place, one, counts[one], sums[one], share[one], before(one)] for place, one in enumerate(order[:TOP], 1)]
table(f"The first {TOP}", ["place", "name", "rows", "sum", "share", "place before"], ranked)
together = f"{100 * sum(sums[one] for one in order[:TOP]) / whole:.1f} %" if whole else "none"
tied = [one for one in order[TOP:] if sums[one] == sums[order[TOP - 1]]]
if tied:  # the list ends between equals, in the order of their names
    names = ", ".join(tied[:5]) + (f" and {len(tied) - 5} more" if len(tied) > 5 else "")
    together += f"; not shown, with the same sum as place {TOP}: {names}"
report(
    first=f"{order[0]} with {sums[order[0]]:,} ({share[order[0]]})",
    names=len(order),
    total=whole,
    together=together,
    top=TOP,
    rows=rows_read,
    period=period(),
)
