"""Real logs of other people: what is counted equals what an independent look counts."""

import re
from pathlib import Path

import pytest

from library.fill import fill
from sandbox.outcome import Report
from sandbox.shape import compare, shape_of

# An independent grammar for each: where its own documentation says the level stands.
LEVELS = {
    "logs/spark.log": re.compile(rb"^\S+ \S+ ([A-Z]+) ", re.MULTILINE),
    "logs/zookeeper.log": re.compile(rb"^\S+ \S+ - ([A-Z]+) ", re.MULTILINE),
    "logs/apache.log": re.compile(rb"^\[[^]]*\] \[(\w+)\] ", re.MULTILINE),
    "logs_rotated_multiline/kafka0__server.log.2016-12-19-16": re.compile(rb"^\[[^]]*\] ([A-Z]+) ", re.MULTILINE),
    "logs_rotated_multiline/kafka0__server.log.2016-12-19-20": re.compile(rb"^\[[^]]*\] ([A-Z]+) ", re.MULTILINE),
}
ERRORS = {b"ERROR", b"error", b"FATAL"}


@pytest.fixture
def script(catalog):
    return catalog["log-error-summary"]


def test_counts_on_real_logs_equal_an_independent_count(lab, script, real_data: Path):
    files = {Path(name).name: (real_data / name).read_bytes() for name in LEVELS}

    # Some of these slices end without a line end, and they are old: both is asked about.
    _, outcome = lab.fill_and_run(script, files, whole="whole", **{"late:7574": "7574"})

    assert isinstance(outcome, Report)
    rows = {row[0]: row for row in outcome.tables[0].rows}
    for path, pattern in LEVELS.items():
        name = Path(path).name
        levels = pattern.findall(files[name])
        assert rows[name][1] == len(files[name].removesuffix(b"\n").split(b"\n")), name
        assert rows[name][2] == len(levels), name
        assert rows[name][4] == sum(level in ERRORS for level in levels), name


@pytest.mark.parametrize("name", ["hpc.log", "linux.log", "openssh.log", "proxifier.log", "healthapp.log"])
def test_a_real_log_without_levels_is_a_question_in_words(lab, script, real_data: Path, name):
    facts = lab.put({name: (real_data / "logs" / name).read_bytes()})

    asked = fill(script, facts)

    assert [question.key for question in asked.questions] == [f"file:{name}"]
    assert "level" in asked.questions[0].ask


def test_a_real_series_of_daily_tables_keeps_its_shape_until_columns_were_added(lab, real_data: Path):
    def facts_of(day: str):
        name = f"dpc-covid19-ita-regioni-{day}.csv"
        return lab.put({name: (real_data / "daily_series" / name).read_bytes()})

    agreed = shape_of(facts_of("20210112"))

    assert compare(agreed, facts_of("20210113")) == ()
    assert compare(agreed, facts_of("20210114")) == ()
    assert "new columns" in compare(agreed, facts_of("20210115"))[0].words
