"""Small logs for flows in which it does not matter that there are many; of the week that the desk's clock is in."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

MACHINES = ("kiln", "mill", "press")


def small(now: datetime) -> dict[str, bytes]:
    """Two pumps' logs, one error in them; the same bytes from one Monday 07:00 to the next."""
    log = _lines(now, ["INFO  pump  Pressure is fine"] * 30)
    return {"pump-01.log": log + _lines(now, ["ERROR pump  Pressure lost"]), "pump-02.log": log}


def week(now: datetime, levels: tuple[str, str, str] = ("INFO", "WARN", "ERROR")) -> dict[str, bytes]:
    """Three machines' logs, forty lines each, three of them errors."""
    info, warn, error = levels
    lines = [f"{info} belt runs"] * 34 + [f"{warn} belt is warm"] * 3 + [f"{error} belt stopped"] * 3
    return {f"{machine}.log": _lines(now, lines).replace(b"belt", machine.encode()) for machine in MACHINES}


def _lines(now: datetime, lines: list[str]) -> bytes:
    first = _monday(now)
    stamped = (f"{first + timedelta(seconds=n):%Y-%m-%d %H:%M:%S} {line}\n" for n, line in enumerate(lines))
    return "".join(stamped).encode()


def _monday(now: datetime) -> datetime:
    """The last Monday 07:00 in Oslo, in UTC."""
    oslo = ZoneInfo("Europe/Oslo")
    day = (now.astimezone(oslo) - timedelta(hours=7)).date()
    return datetime.combine(day - timedelta(days=day.weekday()), time(7), oslo).astimezone(UTC)
