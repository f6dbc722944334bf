"""Deaf scripts as people write them, each with the drift it does not hear, and a twin that hears it."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache
from textwrap import dedent, indent

from tests.bench.workbooks import workbook
from tests.library.weeks import a_week_of_logs, subsidiaries

Files = Mapping[str, bytes]


@dataclass(frozen=True)
class Plant:
    """`hears` is put above the report of the deaf script, or stands instead of `instead` in it."""

    name: str
    drift: str
    files: Callable[[], Files]
    script: str
    hears: str
    instead: str = ""

    @property
    def deaf(self) -> str:
        return HEAD + dedent(self.script) + "report(said=str(found))\n"

    @property
    def twin(self) -> str:
        lines = dedent(self.hears)
        if self.instead:
            assert self.instead in self.deaf, f"{self.name}: nothing to replace"
            depth = len(self.instead) - len(self.instead.lstrip())
            return self.deaf.replace(self.instead, indent(lines, " " * depth))
        return HEAD + dedent(self.script) + lines + "report(said=str(found))\n"


HEAD = """
import csv, json
from decimal import Decimal
from kit import check, check_usual, inputs, metric, params, report, slot

files = inputs()
check("OddFile", bool(files), "no file was posted")
"""


@cache
def logs() -> Files:
    return a_week_of_logs(lines=60, instruments=3)


@cache
def days_of_logs() -> Files:
    """The same over seven days."""
    days = [date(2026, 8, 31) + timedelta(days=number) for number in range(7)]
    weeks = [a_week_of_logs(seed, lines=10, instruments=2) for seed in range(7)]
    return {
        name: b"".join(
            week[name].replace(b"2026-08-31", str(day).encode()) for day, week in zip(days, weeks, strict=True)
        )
        for name in weeks[0]
    }


@cache
def tables() -> Files:
    return subsidiaries(count=3, rows=40)


@cache
def records() -> Files:
    levels = ("INFO", "ERROR", "WARN", "DEBUG") * 10
    lines = [json.dumps({"level": level, "msg": f"scan {number}"}) for number, level in enumerate(levels)]
    return {"mill.jsonl": ("\n".join(lines) + "\n").encode()}


@cache
def workbooks() -> Files:
    rows = [[date(2026, 8, 31), f"place {number % 4}", 1200.5 + number] for number in range(20)]
    return {"sales.xlsx": workbook([["day", "place", "revenue"], *rows])}


_ROWS = """
found = 0
for one in files:
    rows = list(csv.DictReader(one.path.open(newline="")))
    found += sum(Decimal(row["revenue_nok"]) for row in rows)
"""

PLANTS = (
    Plant(
        "the founding one: a word in a line",
        "log-to-json",
        logs,
        """
        found = sum("ERROR" in line for one in files for line in one.path.read_text().splitlines())
        """,
        """
        for one in files:
            known = sum(f" {level} " in line for line in one.path.open() for level in ("INFO", "ERROR"))
            check("OddFile", known > 0, f"{one.name} has no line with a level I know", file=one.name)
        """,
    ),
    Plant(
        "one spelling of a level",
        "level-title-case",
        logs,
        """
        found = sum(line.split()[2] == "ERROR" for one in files for line in one.path.open() if line[0] == "2")
        """,
        """
        for one in files:
            other = {line.split()[2] for line in one.path.open() if line[0] == "2"} - {"DEBUG", "INFO", "WARN", "ERROR"}
            check("UnknownLevel", not other, f"{one.name} has levels I do not know: {sorted(other)}", file=one.name)
        """,
    ),
    Plant(
        "errors are ignored while decoding",
        "damaged-letters",
        tables,
        """
        rows = [row for one in files for row in csv.DictReader(one.path.read_text(errors="ignore").splitlines())]
        found = len({row["customer"] for row in rows})
        """,
        """
        for one in files:
            text = one.path.read_text(errors="replace")
            check("OddEncoding", "\\ufffd" not in text, f"{one.name} is not UTF-8", file=one.name)
        """,
    ),
    Plant(
        "what is no number counts as zero",
        "missing-as-text",
        tables,
        """
        def number(text):
            try:
                return float(text)
            except ValueError:
                return 0.0

        found = sum(number(row["revenue_nok"]) for one in files for row in csv.DictReader(one.path.open()))
        """,
        """
                check("OddNumber", False, f"{text!r} is no number")
        """,
        instead="        return 0.0\n",
    ),
    Plant(
        "columns by their place",
        "column-added",
        tables,
        """
        rows = [line.split(",") for one in files for line in one.path.read_text().splitlines()[1:]]
        found = round(sum(float(row[2]) for row in rows), 2)
        """,
        """
        for one in files:
            header = one.path.open().readline().strip()
            check("OddHeader", header == "date,customer,revenue_nok,costs_nok", f"{one.name} has {header}")
        """,
    ),
    Plant(
        "a pattern of names that misses a file",
        "file-renamed",
        tables,
        """
        found = sum(len(list(csv.reader(one.path.open()))) for one in files if one.name.startswith("subsidiary-"))
        """,
        """
        strangers = [one.name for one in files if not one.name.startswith("subsidiary-")]
        check("OddName", not strangers, f"files with other names: {strangers}")
        """,
    ),
    Plant(
        "nobody asks whether the files are new",
        "sent-again",
        tables,
        _ROWS,
        """
        content = int("".join(one.sha256[:2] for one in files)[:12], 16)
        metric("content", content)
        last = [past.metrics["content"] for past in slot.history][-1:]
        check("StaleFile", content not in last, "these are the files of the report before")
        """,
    ),
    Plant(
        "a sum over a row of totals",
        "total-row",
        tables,
        _ROWS,
        """
            totals = [row for row in rows if any(str(cell).strip().lower() == "total" for cell in row.values())]
            check("TotalRow", not totals, f"{one.name} has a row of totals", file=one.name)
        """,
        instead='    found += sum(Decimal(row["revenue_nok"]) for row in rows)\n',
    ),
    Plant(
        "a column that is gone counts as zero",
        "column-renamed",
        tables,
        """
        found = sum(float(row.get("revenue_nok", 0)) - float(row.get("costs_nok", 0))
                    for one in files for row in csv.DictReader(one.path.open()))
        """,
        """
        for one in files:
            names = next(csv.reader(one.path.open()))
            check("OddHeader", {"revenue_nok", "costs_nok"} <= set(names), f"{one.name} has the columns {names}")
        """,
    ),
    Plant(
        "commas are taken out of numbers",
        "decimal-comma",
        tables,
        """
        rows = [row for one in files for row in csv.DictReader(one.path.open())]
        found = sum(Decimal(row["revenue_nok"].replace(",", "")) for row in rows)
        """,
        """
        odd = [row for one in files for row in csv.DictReader(one.path.open()) if "," in row["revenue_nok"]]
        check("OddNumber", not odd, f"numbers with commas: {odd[:2]}")
        """,
    ),
    Plant(
        "rows of another width are skipped",
        "ragged-row",
        tables,
        """
        rows = [row for one in files for row in csv.reader(one.path.open()) if len(row) == 4]
        found = sum(Decimal(row[2]) for row in rows if row[2] != "revenue_nok")
        """,
        """
        ragged = [row for one in files for row in csv.reader(one.path.open()) if len(row) != 4]
        check("RaggedRow", not ragged, f"rows of another width: {ragged[:2]}")
        """,
    ),
    Plant(
        "rows that came twice count twice",
        "table-twice-in-one",
        tables,
        _ROWS,
        """
            check("RowsTwice", len({str(row) for row in rows}) == len(rows), "rows came twice", file=one.name)
            found += sum(Decimal(row["revenue_nok"]) for row in rows)
        """,
        instead='    found += sum(Decimal(row["revenue_nok"]) for row in rows)\n',
    ),
    Plant(
        "a broken record is passed over",
        "json-half-record",
        records,
        """
        found = 0
        for line in files[0].path.open():
            try:
                found += json.loads(line)["level"] == "ERROR"
            except ValueError:
                continue
        """,
        """
                check("BrokenJson", False, f"no JSON: {line[:40]}", file=files[0].name)
        """,
        instead="        continue\n",
    ),
    Plant(
        "a key that is gone is nothing",
        "level-key-renamed",
        records,
        """
        found = sum(json.loads(line).get("level") == "ERROR" for line in files[0].path.open())
        """,
        """
        bare = sum("level" not in json.loads(line) for line in files[0].path.open())
        check("OddKeys", not bare, f"{bare} records without a level", file=files[0].name)
        """,
    ),
    Plant(
        "no number is too large",
        "unit-changed",
        tables,
        _ROWS,
        """
            total = sum(Decimal(row["revenue_nok"]) for row in rows)
            check_usual(f"revenue of {one.name}", total)
            found += total
        """,
        instead='    found += sum(Decimal(row["revenue_nok"]) for row in rows)\n',
    ),
    Plant(
        "a file that came twice counts twice",
        "file-twice",
        tables,
        _ROWS,
        """
        check("DuplicateFile", len({one.sha256 for one in files}) == len(files), "a content came twice")
        """,
    ),
    Plant(
        "a file that was cut off is a short file",
        "truncated",
        logs,
        """
        found = sum(" INFO " in line for one in files for line in one.path.open())
        """,
        """
        for one in files:
            check("TornEnd", one.path.read_bytes().endswith(b"\\n"), f"{one.name} breaks off in a line", file=one.name)
        """,
    ),
    Plant(
        "nobody asks where a log ends",
        "log-ends-early",
        days_of_logs,
        """
        found = sum(" ERROR " in line for one in files for line in one.path.open())
        """,
        """
        last = {one.name: max(line[:10] for line in one.path.open() if line[:2] == "20") for one in files}
        check("EndsEarly", len(set(last.values())) == 1, f"the files end on different days: {last}")
        """,
    ),
    Plant(
        "the first sheet, whichever it is",
        "sheet-cover",
        workbooks,
        """
        import openpyxl

        sheet = openpyxl.load_workbook(files[0].path, data_only=True).worksheets[0]
        values = [row[2] for row in sheet.iter_rows(min_row=2, values_only=True) if len(row) > 2]
        found = sum(value for value in values if isinstance(value, float))
        """,
        """
        names = [cell.value for cell in sheet[1]]
        check("OddSheet", names == ["day", "place", "revenue"], f"the first sheet has {names}", file=files[0].name)
        """,
    ),
    Plant(
        "silence is good news",
        "silent-while-busy",
        logs,
        """
        found = sum(" ERROR " in line for one in files for line in one.path.open())
        """,
        """
        metric("errors", found)
        before = [past.metrics["errors"] for past in slot.history]
        check("Silence", found > 0 or 0 in before or len(before) < 4, "no error at all, which never was so before")
        """,
    ),
)
