"""Made weeks of logs and tables: seeded, healthy, and really different from week to week."""

from __future__ import annotations

import random
from datetime import datetime, timedelta

LEVELS = ("DEBUG", "INFO", "WARN", "ERROR")
MESSAGES = {
    "DEBUG": "heartbeat {n}",
    "INFO": "scan {n} finished, 0 ERRORs found",
    "WARN": "lamp at {n} %",
    "ERROR": "detector {n} timed out",
}


def a_week_of_logs(seed: int = 1, instruments: int = 6, lines: int = 120) -> dict[str, bytes]:
    """The last instrument has no error at all; one of the others writes stack traces."""
    random_ = random.Random(seed)
    names = [f"spectro-{number:02}.log" for number in range(1, instruments + 1)]
    return {name: a_log(random_, lines, healthy=name == names[-1], traces=name == names[0]) for name in names}


def a_log(random_: random.Random, lines: int, healthy: bool = False, traces: bool = False) -> bytes:
    at = datetime(2026, 8, 31, 6)
    written = []
    for number in range(lines):
        at += timedelta(seconds=random_.randint(1, 90))
        level = "INFO" if number == 0 else random_.choices(LEVELS, (10, 80, 6, 0 if healthy else 4))[0]
        message = MESSAGES[level].format(n=random_.randint(1, 9))
        written.append(f"{at:%Y-%m-%d %H:%M:%S},{random_.randint(0, 999):03} {level} [scan] {message}")
        if traces and level == "ERROR":
            written += ["java.io.IOException: no answer", "\tat lab.Detector.read(Detector.java:41)"]
    return ("\n".join(written) + "\n").encode()


def counted(files: dict[str, bytes], level: str) -> int:
    """An independent count: the third word of a line, in files made above."""
    lines = [line.split() for data in files.values() for line in data.decode().splitlines()]
    return sum(1 for words in lines if len(words) > 2 and words[2] == level)


def subsidiaries(seed: int = 1, count: int = 5, rows: int = 40) -> dict[str, bytes]:
    random_ = random.Random(seed)
    return {f"subsidiary-{number:02}.csv": a_table(random_, rows) for number in range(1, count + 1)}


def a_table(random_: random.Random, rows: int) -> bytes:
    lines = ["date,customer,revenue_nok,costs_nok"]
    for number in range(rows):
        revenue = random_.randint(100_000, 900_000)
        lines.append(f"2026-09-{number % 6 + 1:02},c{number},{revenue / 100:.2f},{revenue * 0.7 / 100:.2f}")
    return ("\n".join(lines) + "\n").encode()
