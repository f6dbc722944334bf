"""Errors per file and day: days that stand out, and kinds of error message that no earlier report had."""

from collections import Counter
from statistics import median

from kit import (
    agreed_files,
    check,
    check_ends,
    check_log,
    check_silence,
    intermediate,
    message_kind,
    metric,
    params,
    period,
    read_log,
    report,
    slot,
    table,
)

COUNTED = params["levels"]
KIND = "errors: "  # what the metrics of earlier reports begin with
TIMES, LEAST = 3, 5  # a spike is so many times a file's median day, and at least so many errors

days, kinds = Counter(), Counter()  # (file, day) -> errors; kind of message -> errors
seen_days, lines_read = {}, 0
for file in agreed_files():
    log = read_log(file)
    for record in log:
        day = log.day_of(record)
        seen_days.setdefault(file.name, set()).add(day)
        if record.level in COUNTED:
            days[file.name, day] += 1
            kinds[message_kind(record.message)] += 1
    check_log(file, log)
    lines_read += log.lines

check_ends()
total = days.total()
check("CountsAgree", total == kinds.total(), f"{total} errors by day, but {kinds.total()} by kind")
check_silence("errors", total)
intermediate("lines read", lines_read, "lines")
intermediate("kinds of error message", len(kinds), "kinds")

known = {name for past in slot.history for name in past.metrics if name.startswith(KIND)}
for kind, _ in kinds.most_common(80):
    metric(f"{KIND}{kind}"[:200], kinds[kind])
new = sorted(kind for kind in kinds if known and f"{KIND}{kind}"[:200] not in known)
usual = {file: median(days[file, day] for day in of_file) for file, of_file in seen_days.items()}
spikes = [
    [file, day, count, f"{usual[file]:g}"]
    for (file, day), count in sorted(days.items(), key=lambda item: (-item[1], item[0]))
    if count >= max(LEAST, TIMES * usual[file])
]
table("Days that stand out", ["file", "day", "errors", "median day"], spikes[:40])
table("New kinds of error", ["message", "times"], [[kind, kinds[kind]] for kind in new[:40]])
per_day = Counter()
for (_, day), count in days.items():
    per_day[day] += count
table(
    "Errors per day",
    ["day", "errors"],
    [[day, per_day[day]] for day in sorted({d for of in seen_days.values() for d in of})],
)
report(
    total=total,
    counted=" and ".join(COUNTED),
    spikes=len(spikes),
    new=f"{len(new):,}" if known else "not known before the second report",
    worst=f"{spikes[0][0]} on {spikes[0][1]} with {spikes[0][2]:,}" if spikes else "none",
    rows=lines_read,
    period=period(),
)
