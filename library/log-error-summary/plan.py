"""Counts errors per log file. A level is read at its place in the line; a line not understood halts the run."""

from collections import Counter

from kit import (
    agreed_files,
    check,
    check_ends,
    check_log,
    check_silence,
    check_usual,
    intermediate,
    message_kind,
    metric,
    params,
    period,
    read_log,
    report,
    table,
)

COUNTED = params["levels"]  # what counts as an error, such as ERROR and CRITICAL
TOP = 15

rows = []
messages = Counter()  # (file, kind of message) -> records
lines_read = continued = total = 0
for file in agreed_files():
    log = read_log(file)  # strict: packing, encoding and a last line that is cut halt the run as well
    for record in log.only(COUNTED):
        messages[file.name, message_kind(record.message)] += 1
    check_log(file, log)

    errors = sum(log.levels[level] for level in COUNTED)
    share = f"{100 * errors / log.records:.2f} %"
    rows.append([file.name, log.lines, log.records, log.levels["WARNING"], errors, share])
    lines_read += log.lines
    continued += log.continuation_lines
    total += errors

check_ends()
check("CountsAgree", total == messages.total(), f"{total} errors, but {messages.total()} messages")
check_silence("errors", total)
check_usual("lines read", lines_read)
metric("files", len(rows))
intermediate("lines read", lines_read, "lines")
intermediate("error records", total, "records")
intermediate("kinds of error message", len(messages), "kinds")

rows.sort(key=lambda row: (-row[4], row[0]))
quiet = [row[0] for row in rows if row[4] == 0]
table("Errors per file", ["file", "lines", "records", "warnings", "errors", "share of records"], rows)
top = sorted(messages.items(), key=lambda item: (-item[1], item[0]))[:TOP]
table("Most frequent error messages", ["file", "message", "times"], [[*key, times] for key, times in top])
report(
    period=period(),
    counted=" and ".join(COUNTED),
    total=total,
    files=len(rows),
    lines=lines_read,
    continued=continued,
    worst=f"{rows[0][0]} with {rows[0][4]:,}" if total else "none",
    quiet=", ".join(quiet) or "none",
)
