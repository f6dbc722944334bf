"""How much of its time each station has values for, by the usual distance between two of them, and the longest gaps."""

from itertools import pairwise
from statistics import median

from kit import (
    agreed_files,
    check,
    check_ends,
    check_steady,
    check_usual,
    intermediate,
    metric,
    moment_in_sql,
    period,
    read_table,
    report,
    table,
)

GAP = 1.5  # times the usual distance; a longer pause is a gap
SHOWN = 40

coverage, gaps = [], []
rows_read = 0
for file in agreed_files():
    rows = read_table(file)
    check_steady(file, rows, numbers=["value"], names=["station"], one_unit=False)
    check("NoTimes", bool(rows.dated), f"{file.name} has no column of times", file=file.name)
    times = {}
    for station, when in rows.sql(f"SELECT station, {moment_in_sql(rows)} FROM rows"):
        times.setdefault(station, []).append(when)
    for station, found in sorted(times.items()):
        found.sort()
        pauses = [(after - before, before, after) for before, after in pairwise(found)]
        check("TooFewValues", len(pauses) >= 3, f"{station} in {file.name} has {len(found)} values", file=file.name)
        usual = median(pause for pause, _, _ in pauses)
        check("SameTimes", usual.total_seconds() > 0, f"{station} in {file.name} has equal times", file=file.name)
        check_usual(f"minutes between values of {station}", usual.total_seconds() / 60)
        missing = sum(round(pause / usual) - 1 for pause, _, _ in pauses if pause > GAP * usual)
        coverage.append([station, file.name, len(found), missing, f"{100 * len(found) / (len(found) + missing):.1f} %"])
        gaps += [(pause, station, before, after) for pause, before, after in pauses if pause > GAP * usual]
    rows_read += rows.rows

check_ends()
missing = sum(row[3] for row in coverage)
metric("missing values", missing)
intermediate("values read", rows_read, "rows")

coverage.sort(key=lambda row: (-row[3], row[0], row[1]))
gaps.sort(key=lambda gap: (-gap[0], gap[1], gap[2]))
table("Coverage", ["station", "file", "values", "missing", "coverage"], coverage)
shown = [
    [station, f"{before:%Y-%m-%d %H:%M}", f"{after:%Y-%m-%d %H:%M}", str(pause)]
    for pause, station, before, after in gaps
]
table("Longest gaps", ["station", "last value before", "first value after", "how long"], shown[:SHOWN])
whole = sum(row[2] for row in coverage)
report(
    coverage=f"{100 * whole / (whole + missing):.1f} %",
    stations=len(coverage),
    missing=missing,
    worst=f"{coverage[0][0]} ({coverage[0][4]})",
    gaps=len(gaps),
    rows=rows_read,
    period=period(),
)
