"""Uptime per host from pings: the share that was answered, and the longest run of those that were not."""

from itertools import groupby

from kit import (
    agreed_files,
    check,
    check_ends,
    check_steady,
    check_usual,
    intermediate,
    metric,
    moment_in_sql,
    params,
    period,
    read_table,
    report,
    table,
)

UP, DOWN = set(params["up"]), set(params["down"])  # what a status may be, in capitals

pings = {}  # host -> [(when, is up)]
rows_read = 0
for file in agreed_files():
    rows = read_table(file)
    check_steady(file, rows, numbers=["latency"], names=["host"], one_unit=False)
    check("NoTimes", bool(rows.dated), f"{file.name} has no column of times", file=file.name)
    for host, when, status in rows.sql(f"SELECT host, {moment_in_sql(rows)}, upper(trim(status)) FROM rows"):
        check(
            "UnknownStatus",
            status in UP or status in DOWN,
            f"{file.name} has the status {status!r}, which is neither up nor down",
            seen=status,
            expected=f"{', '.join(sorted(UP))} or {', '.join(sorted(DOWN))}",
            file=file.name,
        )
        pings.setdefault(host, []).append((when, status in UP))
    rows_read += rows.rows

check_ends()
hosts = []
for host, found in pings.items():
    found.sort()
    runs = [[when for when, _ in run] for is_up, run in groupby(found, key=lambda ping: ping[1]) if not is_up]
    longest = max(runs, key=len, default=[])
    up = sum(is_up for _, is_up in found)
    check_usual(f"pings of {host}", len(found))
    share = f"{100 * up / len(found):.2f} %"
    began = f"{longest[0]:%Y-%m-%d %H:%M}" if longest else ""
    hosts.append([host, len(found), len(found) - up, share, len(runs), len(longest), began])
failed = sum(row[2] for row in hosts)
# All of them at once is the pinger's outage and not the hosts'.
check("AllDown", failed < rows_read, "not one ping was answered, so it was the pinger that was cut off")
check_usual("failed pings", failed)
metric("hosts", len(hosts))
intermediate("pings read", rows_read, "rows")

hosts.sort(key=lambda row: (-row[2], row[0]))
table("Hosts", ["host", "pings", "failed", "uptime", "outages", "longest, in pings", "from"], hosts)
report(
    uptime=f"{100 * (rows_read - failed) / rows_read:.2f} %",
    hosts=len(hosts),
    failed=failed,
    worst=f"{hosts[0][0]} ({hosts[0][3]})",
    rows=rows_read,
    period=period(),
)
