"""The ranked margin: exact on healthy tables, halted by each drift, repaired by the same filling."""

import csv
import io
import re
from decimal import Decimal

import pytest

from library.fill import fill
from sandbox.drifts import DRIFTS
from sandbox.outcome import Report, Surprised
from tests.library.conftest import SLOT
from tests.library.weeks import subsidiaries

ODD = "subsidiary-03.csv"


@pytest.fixture
def script(catalog):
    return catalog["ranked-margin"]


def test_net_is_exact_to_the_last_digit(lab, script):
    tables = subsidiaries(rows=500)

    _, outcome = lab.fill_and_run(script, tables)

    nets = {row[1]: Decimal(row[5].replace(",", "")) for row in outcome.tables[0].rows}
    for name, data in tables.items():
        rows = list(csv.DictReader(io.StringIO(data.decode())))
        net = sum(Decimal(row["revenue_nok"]) - Decimal(row["costs_nok"]) for row in rows)
        assert nets[name.removesuffix(".csv")] == net
    assert outcome.metrics["rows read"] == 2_500


@pytest.mark.parametrize(
    ("drift", "surprise"),
    [
        ("column-renamed", "OddHeader"),
        ("delimiter-changed", "OddHeader"),
        ("decimal-comma", "OddNumber"),
        ("file-gzipped", "PackedFile"),
    ],
)
def test_a_drifted_table_halts_and_the_repair_reports_the_same(lab, script, drift, surprise):
    tables = subsidiaries()
    filled, healthy = lab.fill_and_run(script, tables)
    name, data = DRIFTS[drift].apply(ODD, tables[ODD], seed=1)

    facts = lab.put({**tables, name: data})
    halted = lab.run(script, filled.parameters)
    repaired = fill(script, facts, before=filled.parameters)

    assert isinstance(halted, Surprised)
    assert (halted.name, halted.file) == (surprise, ODD)
    assert set(repaired.parameters["readers"]) == {"default", ODD}
    assert healthy.same_as(lab.run(script, repaired.parameters))


@pytest.mark.parametrize(
    ("change", "surprise"),
    [
        (lambda data: data + b"Total,,1.00,1.00\n", "TotalRow"),
        (lambda data: data + b"2026-08-30,c,1.00\n", "RaggedRow"),
        (lambda data: data + b'2026-08-30,"c,1.00,1.00\n', "BrokenQuotes"),
        (lambda data: data + b"2026-08-30,c,,1.00\n", "OddNumber"),
        (lambda data: data + b"2026-08-30,c,1 000,1.00\n", "OddNumber"),
        (lambda data: data.splitlines(keepends=True)[0], "EmptyFile"),
        (lambda _data: b"", "EmptyFile"),
        (lambda data: data.splitlines(keepends=True)[0] + b"2026-09-06,c,0.00,1.00\n", "ZeroRevenue"),
        (lambda data: b"\xef\xbb\xbf" + data, "OddEncoding"),
        (lambda data: data.decode().encode("utf-16"), "OddEncoding"),
        (lambda data: data[:200] + b"\0" * 50 + data[200:], "NulBytes"),
        (lambda _data: subsidiaries()["subsidiary-01.csv"], "DuplicateFile"),
    ],
)
def test_a_table_that_is_not_as_agreed_halts_by_name(lab, script, change, surprise):
    tables = subsidiaries()
    filled, _ = lab.fill_and_run(script, tables)
    lab.put({**tables, ODD: change(tables[ODD])})

    halted = lab.run(script, filled.parameters)

    assert isinstance(halted, Surprised), halted
    assert (halted.name, halted.file) == (surprise, ODD)


def test_a_column_that_could_be_either_is_asked_about(lab, script):
    tables = {name: data.replace(b"costs_nok", b"amount_b") for name, data in subsidiaries().items()}
    facts = lab.put(tables)

    asked = fill(script, facts)

    assert len(asked.questions) == 1
    key = asked.questions[0].key
    answered = fill(script, facts, {key: "amount_b"})
    assert isinstance(lab.run(script, answered.parameters), Report)


def test_nobody_is_made_to_name_one_column_where_none_is_it_alone(lab, script):
    tables = {name: data.replace(b"costs_nok", b"amount_b") for name, data in subsidiaries().items()}
    facts = lab.put(tables)
    [question] = fill(script, facts).questions

    refused = fill(script, facts, {question.key: question.choices[-1].value})

    assert question.choices[-1].label == "None of them alone"
    assert refused.questions == () and "holds the costs alone" in refused.problems[0]


def test_numbers_that_could_be_read_two_ways_are_asked_about(lab, script):
    table = b"name;revenue;costs\na;1.234;1.001\nb;2.500;1.100\n"
    facts = lab.put({"a.csv": table})

    asked = fill(script, facts)
    thousands = fill(script, facts, {"decimal mark": ","})
    fractions = fill(script, facts, {"decimal mark": "."})

    assert [question.key for question in asked.questions] == ["decimal mark"]
    assert lab.run(script, thousands.parameters).tables[0].rows[0][3] == "3,734"
    assert lab.run(script, fractions.parameters).tables[0].rows[0][3] == "3.734"


def test_revenue_in_another_unit_leaves_its_usual_band(lab, script):
    tables = subsidiaries()
    filled, usual = lab.fill_and_run(script, tables)
    past = [{"due_at": f"2026-08-{day:02}T05:00:00Z", "metrics": dict(usual.metrics)} for day in (3, 10, 17, 24)]
    lab.put({name: re.sub(rb"(?<=,)(\d+)\.(\d\d)", rb"\g<1>000.\2", data) for name, data in tables.items()})

    assert lab.run(script, filled.parameters, {**SLOT, "history": past}).name == "UnusualNumber"


@pytest.mark.parametrize("words", ["Total", "Totalt:", "Summe", "Grand total", "", "Bergen"])
def test_a_total_at_the_end_halts_by_name(lab, script, words):
    tables = subsidiaries()
    filled, _ = lab.fill_and_run(script, tables)
    rows = list(csv.DictReader(io.StringIO(tables[ODD].decode())))
    revenue, costs = (sum(Decimal(row[name]) for row in rows) for name in ("revenue_nok", "costs_nok"))
    lab.put({**tables, ODD: tables[ODD] + f"2026-09-06,{words},{revenue},{costs}\n".encode()})

    halted = lab.run(script, filled.parameters)

    assert isinstance(halted, Surprised), halted
    assert (halted.name, halted.file) == ("TotalRow", ODD)


def test_a_last_number_that_was_cut_off_halts_also_where_files_have_no_last_line_end(lab, script):
    tables = {name: data.removesuffix(b"\n") for name, data in subsidiaries().items()}
    filled, report = lab.fill_and_run(script, tables, whole="whole")
    assert isinstance(report, Report)

    for cut in range(1, 7):
        lab.put({**tables, ODD: tables[ODD][:-cut]})
        halted = lab.run(script, filled.parameters)
        assert isinstance(halted, Surprised)
        assert halted.file == ODD
