"""Counts errors per log file. A level is read at its place in the line; a line not understood halts the run."""

from collections import Counter

from kit import (
    check,
    check_fresh,
    check_reaches,
    check_usual,
    inputs,
    intermediate,
    message_kind,
    metric,
    missing_files,
    params,
    period,
    read_log,
    report,
    slot,
    table,
)

COUNTED = params["levels"]  # what counts as an error, such as ERROR and CRITICAL
DATES = params["dates"]
TOP = 15

files = inputs(leave_out=params["leave_out"])
check("NoInput", bool(files), "no log file was posted for this report", expected="at least one log file")
check("MissingFile", not missing_files(), f"missing: {', '.join(missing_files())}", expected="all agreed files")

rows = []
messages = Counter()  # (file, kind of message) -> records
lines_read = continued = total = 0
for file in files:
    check("EmptyFile", file.size_bytes > 0, f"{file.name} is empty", expected="log lines", file=file.name)

    log = read_log(file)  # strict: packing, encoding and a last line that is cut halt the run as well
    for record in log.only(COUNTED):
        messages[file.name, message_kind(record.message)] += 1

    # A healthy instrument has no errors, but every log has lines with some level.
    check(
        "OddFile",
        log.records > 0,
        f"{file.name} is {file.size} but none of its lines has a level I know",
        seen=log.first_lines[0] if log.first_lines else "",
        expected=log.reader.expectation,
        file=file.name,
        rows=log.first_lines,
    )
    check(
        "UnknownLevel",
        not log.unknown_levels,
        f"{file.name} has lines with a level I do not know",
        seen=log.evidence_text,
        expected=", ".join(log.reader.levels),
        file=file.name,
        rows=log.evidence,
    )
    check(
        "GrammarShare",
        log.explained_share == 1,
        f"{log.unexplained_lines:,} of {log.lines:,} lines of {file.name} are no record and continue none",
        seen=log.evidence_text,
        expected=log.reader.expectation,
        file=file.name,
        rows=log.evidence,
    )

    check_fresh(file, log.span, late_days=DATES["late_days"], most_days=DATES["most_days"])

    errors = sum(log.levels[level] for level in COUNTED)
    share = f"{100 * errors / log.records:.2f} %"
    rows.append([file.name, log.lines, log.records, log.levels["WARNING"], errors, share])
    lines_read += log.lines
    continued += log.continuation_lines
    total += errors

check("CountsAgree", total == messages.total(), f"{total} errors, but {messages.total()} messages")
check_reaches(quiet_days=DATES["quiet_days"])
check_usual("lines read", lines_read)
metric("errors", total)
metric("files", len(files))
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
    since=f"{slot.since:%Y-%m-%d %H:%M}",
    until=f"{slot.until:%Y-%m-%d %H:%M}",
    counted=" and ".join(COUNTED),
    total=total,
    files=len(files),
    lines=lines_read,
    continued=continued,
    worst=f"{rows[0][0]} with {rows[0][4]:,}" if total else "none",
    quiet=", ".join(quiet) or "none",
)
