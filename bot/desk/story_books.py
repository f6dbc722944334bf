"""The books of thirty subsidiaries, 2,400 rows each: the one-off question's data, 72,000 rows in all."""

from __future__ import annotations

from datetime import date, timedelta
from random import Random

ROWS = 2_400
SUBSIDIARIES = (
    "aarhus",
    "basel",
    "bergen",
    "bilbao",
    "bologna",
    "bremen",
    "brno",
    "cork",
    "ghent",
    "graz",
    "gdansk",
    "leeds",
    "leiden",
    "lille",
    "lyon",
    "malmo",
    "nantes",
    "odense",
    "oulu",
    "porto",
    "riga",
    "split",
    "tallinn",
    "tampere",
    "tartu",
    "trieste",
    "turin",
    "utrecht",
    "vilnius",
    "zagreb",
)


def year_of_books(year: int) -> dict[str, bytes]:
    """One CSV file per subsidiary (date, invoice, revenue, costs), the same for the same year, always."""
    return {f"{name}.csv": _book(name, year) for name in SUBSIDIARIES}


def _book(name: str, year: int) -> bytes:
    random = Random(f"{name} {year}")
    # Costs as a share of revenue: a few subsidiaries lose money.
    share = 0.72 + 0.32 * random.random()
    rows = ["date,invoice,revenue,costs"]
    for number in range(1, ROWS + 1):
        day = date(year, 1, 1) + timedelta(days=number * 364 // ROWS)
        revenue_cents = 10_000 + int(random.random() * 4_990_000)
        costs_cents = round(revenue_cents * share * (0.8 + 0.4 * random.random()))
        rows.append(f"{day},{name[:2].upper()}-{number:05d},{revenue_cents / 100:.2f},{costs_cents / 100:.2f}")
    return ("\n".join(rows) + "\n").encode()
