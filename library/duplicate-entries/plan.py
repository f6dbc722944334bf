"""Entries whose key comes more than once, within a file or across files, and what they come to."""

from kit import (
    agreed_files,
    check,
    check_ends,
    check_steady,
    check_usual,
    intermediate,
    period,
    read_table,
    report,
    table,
)

SHOWN = 60

entries = {}  # key -> [(file, rows, amount)]
rows_read = 0
files = agreed_files()
for file in files:
    rows = read_table(file)
    check_steady(file, rows, numbers=["amount"], equal_share=0.1)
    for key, count, amount in rows.sql("SELECT key, count(*), sum(amount) FROM rows GROUP BY key", numbers=["amount"]):
        check("NoKey", key.strip() != "", f"rows of {file.name} without a key: {count:,}", file=file.name)
        entries.setdefault(key, []).append((file.name, count, amount))
    rows_read += rows.rows

check_ends()
found = {key: parts for key, parts in entries.items() if sum(count for _, count, _ in parts) > 1}
listed = [
    [
        key,
        sum(count for _, count, _ in parts),
        sum(amount for _, _, amount in parts),
        ", ".join(one for one, _, _ in parts),
    ]
    for key, parts in found.items()
]
listed.sort(key=lambda row: (-row[1], row[0]))
# What is doubled as a whole is no list of mistakes: the export is broken, or the column is no key.
share = 100 * len(found) / len(entries)
check(
    "MostlyTwice",
    share <= 20,
    f"{share:.0f} % of all keys come more than once, too many for entries made twice by mistake",
    expected="at most 20 %; say which column tells entries apart, or post the data without what was exported twice",
    rows=[f"{row[0]}: {row[1]} times" for row in listed],
)

check_usual("keys that come more than once", len(found))
check_usual("keys", len(entries))
intermediate("rows read", rows_read, "rows")

table("Keys that come more than once", ["key", "times", "amount together", "files"], listed[:SHOWN])
report(
    count=len(found),
    keys=len(entries),
    extra=sum(row[1] - 1 for row in listed),
    amount=sum(row[2] for row in listed),
    files=len(files),
    rows=rows_read,
    period=period(),
)
