"""A script that is none of the library's, read by the kit's strict readers: Standby fills in how, from the files."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest

from library.catalog import Script
from library.kit_parameters import goes_by_parameters, kit_parameters
from sandbox.drifts import DRIFTS
from sandbox.outcome import Outcome, Report, Surprised
from tests.library.conftest import WINDOW, Lab
from tests.library.weeks import a_week_of_logs, subsidiaries

ODD = "subsidiary-03.csv"
TABLES = """from kit import agreed_files, check_ends, check_steady, read_table, report, table

sums = {}
for file in agreed_files():
    rows = read_table(file)
    check_steady(file, rows, numbers=["revenue_nok"])
    [(sums[file.name],)] = rows.sql("SELECT sum(revenue_nok) FROM rows", numbers=["revenue_nok"])
check_ends()
table("Revenue", ["file", "revenue"], list(sums.items()))
report(total=sum(sums.values()))
"""
LOGS = """from kit import agreed_files, check_log, read_log, report

errors = 0
for file in agreed_files():
    log = read_log(file)
    errors += sum(1 for _ in log.only(["ERROR"]))
    check_log(file, log)
report(total=errors)
"""


@pytest.fixture
def written(catalog: Mapping[str, Script]):
    """A script of these bytes, whatever else it has."""
    return lambda source: replace(catalog["ranked-margin"], plan=source.encode(), report=b"{{total}}\n")


def ran(lab: Lab, written: Any, source: str, files: Mapping[str, bytes], **own: Any) -> tuple[dict[str, Any], Outcome]:
    filled = kit_parameters(source, lab.put(files), own, window=WINDOW)
    assert not filled.questions and not filled.problems, (filled.questions, filled.problems)
    return dict(filled.parameters), lab.run(written(source), filled.parameters)


def test_tables_are_read_without_a_word_about_them_in_the_draft(lab, written):
    tables = subsidiaries(rows=200)

    parameters, outcome = ran(lab, written, TABLES, tables)

    assert set(parameters) == {"leave_out", "expected_files", "readers", "dates"}
    assert isinstance(outcome, Report)
    rows = [row for data in tables.values() for row in csv.DictReader(io.StringIO(data.decode()))]
    assert Decimal(outcome.markdown.strip().replace(",", "")) == sum(Decimal(row["revenue_nok"]) for row in rows)


@pytest.mark.parametrize(
    ("drift", "surprise"), [("column-renamed", "OddHeader"), ("decimal-comma", "OddNumber"), ("file-empty", "")]
)
def test_what_was_filled_in_for_healthy_files_halts_on_changed_ones(lab, written, drift, surprise):
    tables = subsidiaries()
    parameters, _ = ran(lab, written, TABLES, tables)

    name, data = DRIFTS[drift].apply(ODD, tables[ODD], seed=1)
    lab.put({**tables, name: data})
    outcome = lab.run(written(TABLES), parameters)

    assert isinstance(outcome, Surprised)
    assert outcome.name == (surprise or "EmptyFile") and outcome.file == ODD


def test_logs_are_read_in_the_same_way_and_an_unknown_form_halts(lab, written):
    logs = a_week_of_logs()
    parameters, healthy = ran(lab, written, LOGS, logs)
    assert isinstance(healthy, Report)
    assert parameters["readers"]["default"]["levels"]["ERROR"] == "ERROR"

    odd = sorted(logs)[0]
    lab.put({**logs, odd: DRIFTS["log-to-json"].apply(odd, logs[odd], seed=1)[1]})

    assert isinstance(lab.run(written(LOGS), parameters), Surprised)


def test_what_a_draft_says_stays_and_what_a_version_had_stays_while_it_fits(lab, written):
    tables = subsidiaries()
    parameters, _ = ran(lab, written, TABLES, tables)
    fewer = {name: data for name, data in tables.items() if name != ODD}

    of_its_own = kit_parameters(TABLES, lab.put(fewer), {"expected_files": ["a.csv"]}, window=WINDOW)
    changed = kit_parameters(TABLES, lab.put(fewer), {}, parameters, WINDOW)

    assert of_its_own.parameters["expected_files"] == ["a.csv"]
    assert changed.parameters == parameters, "a file that is missing is still expected"


def test_what_the_files_do_not_decide_is_a_question_until_the_draft_says_it(lab):
    files = lab.put({"a.csv": b"ordered,came,amount\n2026-09-01,2026-09-02,1.50\n2026-09-03,2026-09-04,2.50\n"})

    asked = kit_parameters(TABLES, files, {}, window=WINDOW)
    said = kit_parameters(
        TABLES, files, {"readers": {"default": {"header": ["ordered", "came", "amount"]}}}, window=WINDOW
    )

    assert [one.key.split(":")[0] for one in asked.questions] == ["dated"]
    assert not said.questions


def test_logs_and_tables_in_one_script_are_for_the_draft_to_tell_apart(lab):
    source = "from kit import inputs, read_log, read_table\nread_log(inputs()[0])\nread_table(inputs()[1])\n"
    files = lab.put(subsidiaries())

    assert "write [parameters.readers] yourself" in kit_parameters(source, files, {}).problems[0]
    assert not kit_parameters(source, files, {"readers": {}}).problems


@pytest.mark.parametrize("source", ["print(1)\n", "def read_table:\n", "from kit import text_lines\ntext_lines('a')\n"])
def test_a_script_without_such_verbs_gets_nothing(lab, source):
    assert not goes_by_parameters(source)
    assert kit_parameters(source, lab.put(subsidiaries()), {"least": 3}).parameters == {"least": 3}
