"""Two files, entry by entry by their reference: what only one of them has, and where the amounts differ."""

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

SHOWN = 60

files = agreed_files()
check(
    "TwoFiles", len(files) == 2, f"{len(files)} files were posted: {', '.join(one.name for one in files)}", expected="2"
)
sides = []
for file in files:
    rows = read_table(file)
    check_steady(file, rows, numbers=["amount"])
    entries = rows.sql("SELECT reference, sum(amount), count(*) FROM rows GROUP BY reference", numbers=["amount"])
    twice = [reference for reference, _, count in entries if count > 1]
    check("ReferenceTwice", not twice, f"{file.name} has twice: {', '.join(twice[:6])}", file=file.name)
    bare = [reference for reference, _, _ in entries if not reference.strip()]
    check("NoReference", not bare, f"{file.name} has rows without a reference", file=file.name)
    sides.append({reference: amount for reference, amount, _ in entries})
check_ends()

left, right = sides
both = left.keys() & right.keys()
# Two files that share nothing are not about the same entries: one has other keys, or is of another time.
share = 100 * len(both) / max(1, min(len(left), len(right)))
check("FewShared", share >= 50, f"only {len(both):,} references are in both files", expected="most of them")
differing = sorted(
    (one for one in both if left[one] != right[one]), key=lambda one: (-abs(left[one] - right[one]), one)
)
only = [sorted(side.keys() - both) for side in sides]
check_usual("references in both", len(both))
check_usual("amounts that differ", len(differing))
check_usual("references in one only", len(only[0]) + len(only[1]))
metric("difference", abs(sum(left.values()) - sum(right.values())))
intermediate("entries compared", len(both), "entries")

names = [file.name for file in files]
shown = [[one, left[one], right[one], left[one] - right[one]] for one in differing]
table("Amounts that differ", ["reference", *names, "difference"], shown[:SHOWN])
for name, side, missing in zip(names, sides, only, strict=True):
    table(f"Only in {name}"[:80], ["reference", "amount"], [[one, side[one]] for one in missing[:SHOWN]])
report(
    same=len(both) - len(differing),
    differ=len(differing),
    left=f"{len(only[0]):,} only in {names[0]}",
    right=f"{len(only[1]):,} only in {names[1]}",
    sums=f"{names[0]} {sum(left.values()):,}, {names[1]} {sum(right.values()):,}",
    rows=len(left) + len(right),
    period=period(),
)
