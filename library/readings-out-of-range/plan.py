"""Readings above or below a limit, per sensor, with when it began; and each sensor's lowest, mean and highest."""

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

LOW, HIGH = params["low"], params["high"]
SHOWN = 40

check("OddLimits", LOW < HIGH, f"the lower limit {LOW} is not below the upper limit {HIGH}")
sensors, beyond = [], []
rows_read = 0
for file in agreed_files():
    rows = read_table(file)
    check_steady(file, rows, numbers=["value"], names=["sensor"])
    asked = f"""
        SELECT sensor, count(*), min(value), CAST(avg(value) AS DECIMAL(18, 2)), max(value),
            count(*) FILTER (WHERE value < {LOW} OR value > {HIGH}), count(DISTINCT value)
        FROM rows GROUP BY sensor
    """
    for name, count, low, mean, high, out, different in rows.sql(asked, numbers=["value"]):
        stuck = count >= 12 and different == 1
        check("StuckSensor", not stuck, f"{name} in {file.name} shows {low} all the time", file=file.name)
        check_usual(f"highest of {name}", high)
        check_usual(f"lowest of {name}", low)
        sensors.append([name, file.name, count, low, mean, high, out])
    listed = f"SELECT {moment_in_sql(rows)}, sensor, value FROM rows WHERE value < {LOW} OR value > {HIGH} ORDER BY ALL"
    for when, name, value in rows.sql(listed, numbers=["value"]):
        beyond.append([f"{when:%Y-%m-%d %H:%M}" if when else "", name, str(value), file.name])
    rows_read += rows.rows

check_ends()
check("CountsAgree", len(beyond) == sum(row[-1] for row in sensors), "two ways of counting differ")
metric("out of range", len(beyond))
intermediate("readings", rows_read, "rows")

sensors.sort(key=lambda row: (-row[-1], row[0], row[1]))
table("Sensors", ["sensor", "file", "readings", "lowest", "mean", "highest", "out of range"], sensors)
table("Readings out of range", ["when", "sensor", "value", "file"], beyond[:SHOWN])
report(
    count=len(beyond),
    low=LOW,
    high=HIGH,
    sensors=len(sensors),
    affected=", ".join(row[0] for row in sensors if row[-1]) or "none",
    rows=rows_read,
    period=period(),
)
