"""Totals per category, and a pivot of categories by file. Exact decimal arithmetic."""

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

cells = {}  # (category, file) -> amount
counts = {}  # category -> rows
wholes = {}  # file -> amount
rows_read = 0
files = agreed_files()
for file in files:
    rows = read_table(file)
    check_steady(file, rows, numbers=["amount"], names=["category"])
    question = "SELECT category, sum(amount), count(*), sum(sum(amount)) OVER () FROM rows GROUP BY category"
    for category, amount, count, of_file in rows.sql(question, numbers=["amount"]):
        check(
            "NoCategory", category.strip() != "", f"rows of {file.name} without a category: {count:,}", file=file.name
        )
        cells[category, file.name] = amount
        counts[category] = counts.get(category, 0) + count
        wholes[file.name] = of_file
    rows_read += rows.rows

check_ends()
whole = sum(wholes.values())
totals = {one: sum(amount for (category, _), amount in cells.items() if category == one) for one in counts}
check(
    "PartsAgree",
    sum(totals.values()) == whole,
    f"the categories come to {sum(totals.values()):,}, all rows to {whole:,}",
)
check_usual("total", whole)
metric("files", len(files))
intermediate("rows read", rows_read, "rows")

order = sorted(totals, key=lambda one: (-totals[one], one))
share = {one: f"{100 * totals[one] / whole:.1f} %" if whole else "" for one in order}
table("Totals", ["category", "rows", "amount", "share"], [[one, counts[one], totals[one], share[one]] for one in order])
stems = [file.name for file in files][:12]
table("By file", ["category", *stems], [[one, *(cells.get((one, stem), 0) for stem in stems)] for one in order])
report(
    total=whole,
    categories=len(order),
    files=len(files),
    largest=f"{order[0]} with {totals[order[0]]:,} ({share[order[0]]})",
    rows=rows_read,
    period=period(),
)
