"""Errors per file and day: days that stand out, and kinds of error message that no earlier report had."""

from collections import Counter
from statistics import median

from kit import (
    agreed_files,
    check,
    check_dates,
    check_days,
    check_ends,
    check_usual,
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
    found, newest, late = Counter(), "", 0  # day -> records
    for record in log:
        day = record.stamp.strip("[")[:10]
        found[day] += 1
        late += record.stamp < newest
        newest = max(newest, record.stamp)
        if record.level in COUNTED:
            days[file.name, day] += 1
            kinds[message_kind(record.message)] += 1
    seen = {"file": file.name, "rows": log.evidence or log.first_lines, "expected": log.reader.expectation}
    check("OddFile", log.records > 0, f"{file.name} is {file.size} and has no line with a level I know", **seen)
    check("UnknownLevel", not log.unknown_levels, f"{file.name} has unknown levels: {log.evidence_text}", **seen)
    check("GrammarShare", log.explained_share == 1, f"{file.name}: {log.evidence_text}", **seen)
    check("OutOfOrder", late <= log.records / 100, f"{late:,} records of {file.name} are older than one above", **seen)
    first, last = log.at(log.first_stamp), log.at(log.last_stamp)
    check_dates(file, first, last)
    if first is not None and last is not None and log.reader.stamp == "iso":
        odd = sorted(day for day in found if not f"{first:%Y-%m-%d}" <= day <= f"{last:%Y-%m-%d}")
        check("OddTime", not odd, f"{file.name} has records of {', '.join(odd[:5])} between others", **seen)
        check_days(file, len(found))
    check_usual(f"lines of {file.name}", log.lines)
    seen_days[file.name] = sorted(found)
    lines_read += log.lines

check_ends()
total = days.total()
check("CountsAgree", total == kinds.total(), f"{total} errors by day, but {kinds.total()} by kind")
before = [past.metrics["errors"] for past in slot.history if "errors" in past.metrics]
is_silent = total == 0 and len(before) >= 4 and min(before) >= 3
check("Silence", not is_silent, f"no error at all, and no report so far had fewer than {min(before, default=0):g}")
metric("errors", total)
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
    since=f"{slot.since:%Y-%m-%d}",
    until=f"{slot.until:%Y-%m-%d}",
)
