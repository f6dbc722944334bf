"""Net margin per table, ranked. Exact decimal arithmetic; a row or number that is not as agreed halts the run."""

from kit import (
    agreed_files,
    check,
    check_ends,
    check_steady,
    check_usual,
    intermediate,
    metric,
    period,
    read_table,
    report,
    table,
)

NUMBERS = ["revenue", "costs"]

results = []
rows_read = 0
for file in agreed_files():
    rows = read_table(file)  # strict: other columns, a row of another width, an odd number or a total halt the run
    check_steady(file, rows, numbers=NUMBERS)
    [(revenue, costs)] = rows.sql("SELECT sum(revenue), sum(costs) FROM rows", numbers=NUMBERS)
    check("ZeroRevenue", revenue != 0, f"the revenue in {file.name} sums to zero, so it has no margin", file=file.name)
    check_usual("margin in %", round(100 * (revenue - costs) / revenue, 2), file, slack=(3, 3))

    results.append((file.stem, rows.rows, revenue, costs, revenue - costs, (revenue - costs) / revenue))
    rows_read += rows.rows

check("DuplicateName", len({result[0] for result in results}) == len(results), "two files have the same name")
check_ends()
whole_revenue, whole_costs = sum(result[2] for result in results), sum(result[3] for result in results)
check_usual("rows read", rows_read)
check_usual("revenue", whole_revenue)
check_usual("costs", whole_costs)
metric("files", len(results))
intermediate("rows read", rows_read, "rows")
intermediate("numbers added", 2 * rows_read, "numbers")

results.sort(key=lambda result: (-result[5], result[0]))
ranked = [
    [rank, name, count, revenue, costs, net, f"{100 * margin:.2f} %"]
    for rank, (name, count, revenue, costs, net, margin) in enumerate(results, 1)
]
table("Net margin, best first", ["rank", "name", "rows", "revenue", "costs", "net", "margin"], ranked)
report(
    period=period(),
    files=len(results),
    rows=rows_read,
    best=f"{results[0][0]} ({100 * results[0][5]:.2f} %)",
    worst=f"{results[-1][0]} ({100 * results[-1][5]:.2f} %)",
    overall=f"{100 * (whole_revenue - whole_costs) / whole_revenue:.2f} %" if whole_revenue else "none",
    losses=", ".join(result[0] for result in results if result[4] < 0) or "none",
)
