"""Net margin per table, ranked. Exact decimal arithmetic; a row or number that is not as agreed halts the run."""

from kit import (
    check,
    check_fresh,
    check_reaches,
    check_usual,
    inputs,
    intermediate,
    metric,
    missing_files,
    params,
    period,
    read_table,
    report,
    slot,
    table,
)

DATES = params["dates"]

files = inputs(leave_out=params["leave_out"])
check("NoInput", bool(files), "no table was posted for this report", expected="at least one table")
check("MissingFile", not missing_files(), f"missing: {', '.join(missing_files())}", expected="all agreed files")

results = []
seen = {}  # content of a file -> its name
rows_read = 0
for file in files:
    twin = seen.setdefault(file.sha256, file.name)
    check("DuplicateFile", twin == file.name, f"{file.name} and {twin} have the same content", file=file.name)
    check("EmptyFile", file.size_bytes > 0, f"{file.name} is empty", expected="a header and entries", file=file.name)

    rows = read_table(file)  # strict: other columns, a row of another width, an odd number or a total halt the run
    [(revenue, costs, missing)] = rows.sql(
        "SELECT sum(revenue), sum(costs), count(*) FILTER (WHERE revenue IS NULL OR costs IS NULL) FROM rows",
        numbers=["revenue", "costs"],
    )
    check("OddNumber", not missing, f"{missing:,} rows of {file.name} lack their revenue or costs", file=file.name)
    check("EmptyFile", rows.rows > 0, f"{file.name} has no rows", expected="entries below the header", file=file.name)
    check("ZeroRevenue", revenue != 0, f"the revenue in {file.name} sums to zero, so it has no margin", file=file.name)
    check_fresh(file, rows.span, late_days=DATES["late_days"], most_days=DATES["most_days"])

    results.append((file.stem, rows.rows, revenue, costs, revenue - costs, (revenue - costs) / revenue))
    rows_read += rows.rows

check("DuplicateName", len({result[0] for result in results}) == len(results), "two files have the same name")
check_reaches(quiet_days=DATES["quiet_days"])
whole_revenue, whole_costs = sum(result[2] for result in results), sum(result[3] for result in results)
check_usual("rows read", rows_read)
check_usual("revenue", whole_revenue)
check_usual("costs", whole_costs)
metric("files", len(files))
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
    since=f"{slot.since:%Y-%m-%d}",
    until=f"{slot.until:%Y-%m-%d}",
    files=len(files),
    rows=rows_read,
    best=f"{results[0][0]} ({100 * results[0][5]:.2f} %)",
    worst=f"{results[-1][0]} ({100 * results[-1][5]:.2f} %)",
    overall=f"{100 * (whole_revenue - whole_costs) / whole_revenue:.2f} %" if whole_revenue else "none",
    losses=", ".join(result[0] for result in results if result[4] < 0) or "none",
)
