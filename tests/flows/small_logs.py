"""Small logs for flows in which it does not matter that there are many."""

from __future__ import annotations

LOG = b"".join(b"2026-11-23 08:00:%02d INFO  pump  Pressure is fine\n" % second for second in range(30))
SMALL = {"pump-01.log": LOG + b"2026-11-23 09:00:00 ERROR pump  Pressure lost\n", "pump-02.log": LOG}
MACHINES = ("kiln", "mill", "press")


def week(levels: tuple[str, str, str] = ("INFO", "WARN", "ERROR")) -> dict[str, bytes]:
    """Three machines' logs of a week, forty lines each, three of them errors."""
    info, warn, error = levels
    lines = [f"{info} belt runs"] * 34 + [f"{warn} belt is warm"] * 3 + [f"{error} belt stopped"] * 3
    text = "".join(f"2026-11-24T0{n // 10}:{n % 10:02d}:00Z {line}\n" for n, line in enumerate(lines))
    return {f"{machine}.log": text.replace("belt", machine).encode() for machine in MACHINES}
