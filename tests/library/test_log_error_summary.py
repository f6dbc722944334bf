"""The log error summary: right on healthy weeks, halted by each drift, repaired by the same filling."""

import pytest

from library.fill import fill
from sandbox.drifts import DRIFTS
from sandbox.outcome import Report, Surprised
from tests.library.weeks import a_week_of_logs, counted

ODD = "spectro-03.log"


@pytest.fixture
def script(catalog):
    return catalog["log-error-summary"]


@pytest.mark.parametrize("seed", range(4))
def test_a_healthy_week_is_reported_with_the_counts_of_an_independent_look(lab, script, seed):
    week = a_week_of_logs(seed)

    _, outcome = lab.fill_and_run(script, week)

    assert isinstance(outcome, Report)
    assert outcome.metrics["errors"] == counted(week, "ERROR")
    assert outcome.metrics["lines read"] == sum(data.count(b"\n") for data in week.values())
    rows = {row[0]: row for row in outcome.tables[0].rows}
    assert all(rows[name][4] == counted({name: data}, "ERROR") for name, data in week.items())


def test_the_plan_of_one_week_runs_on_other_healthy_weeks(lab, script):
    filled = fill(script, lab.put(a_week_of_logs(1)))

    for seed in range(2, 6):
        week = a_week_of_logs(seed, lines=80 + 20 * seed)
        lab.put(week)
        outcome = lab.run(script, filled.parameters)
        assert isinstance(outcome, Report), outcome
        assert outcome.metrics["errors"] == counted(week, "ERROR")


@pytest.mark.parametrize(
    ("drift", "surprise"),
    [
        ("log-to-json", "OddFile"),
        ("level-lower-case", "OddFile"),
        ("level-renamed", "UnknownLevel"),
        ("file-gzipped", "PackedFile"),
    ],
)
def test_a_drifted_log_halts_and_the_repair_reports_the_same_numbers(lab, script, drift, surprise):
    week = a_week_of_logs()
    filled, healthy = lab.fill_and_run(script, week)
    name, data = DRIFTS[drift].apply(ODD, week[ODD], seed=1)

    facts = lab.put({**week, name: data})
    halted = lab.run(script, filled.parameters)
    repaired = fill(script, facts, before=filled.parameters)

    assert isinstance(halted, Surprised)
    assert (halted.name, halted.file) == (surprise, ODD)
    assert repaired.notes and not repaired.questions
    assert set(repaired.parameters["readers"]) == {"default", ODD}
    assert repaired.parameters["readers"]["default"] == filled.parameters["readers"]["default"]
    outcome = lab.run(script, repaired.parameters)
    assert isinstance(outcome, Report)
    assert outcome.metrics["errors"] == healthy.metrics["errors"]


def test_the_odd_file_is_named_with_its_size_and_evidence(lab, script):
    week = a_week_of_logs()
    filled, _ = lab.fill_and_run(script, week)
    lab.put({**week, ODD: b'{"level": "error"}\n' * 80_000})

    halted = lab.run(script, filled.parameters)

    assert halted.message == "spectro-03.log is 1.5 MB but none of its lines has a level I know"
    assert halted.rows == ('{"level": "error"}',) * 3
    assert "text lines whose word 1 after a time stamp" in halted.expected


def test_a_log_that_turns_to_json_half_way_halts(lab, script):
    week = a_week_of_logs()
    filled, _ = lab.fill_and_run(script, week)
    lines = week[ODD].splitlines(keepends=True)
    _, json_half = DRIFTS["log-to-json"].apply(ODD, b"".join(lines[60:]), seed=1)
    lab.put({**week, ODD: b"".join(lines[:60]) + json_half})

    halted = lab.run(script, filled.parameters)

    assert isinstance(halted, Surprised)
    assert halted.name == "GrammarShare"


def test_an_empty_log_is_a_question_because_no_parameter_can_mend_it(lab, script):
    week = a_week_of_logs()
    filled, _ = lab.fill_and_run(script, week)
    facts = lab.put({**week, ODD: b""})

    halted = lab.run(script, filled.parameters)
    repaired = fill(script, facts, before=filled.parameters)

    assert halted.name == "EmptyFile"
    assert [question.key for question in repaired.questions] == [f"file:{ODD}"]
    left_out = fill(script, facts, {f"file:{ODD}": "leave it out"}, filled.parameters)
    outcome = lab.run(script, left_out.parameters)
    assert outcome.metrics["files"] == 5


def test_a_missing_log_halts_and_stays_for_a_person(lab, script):
    week = a_week_of_logs()
    filled, _ = lab.fill_and_run(script, week)
    del week[ODD]
    facts = lab.put(week)

    halted = lab.run(script, filled.parameters)
    repaired = fill(script, facts, before=filled.parameters)

    assert halted.name == "MissingFile"
    assert repaired.parameters == filled.parameters


def test_a_renamed_log_is_asked_about_and_then_read(lab, script):
    week = a_week_of_logs()
    filled, _ = lab.fill_and_run(script, week)
    week["spectro-03.log.gz"] = week.pop(ODD)
    facts = lab.put(week)

    asked = fill(script, facts, before=filled.parameters)
    answered = fill(script, facts, {f"renamed:{ODD}": "spectro-03.log.gz"}, filled.parameters)

    assert asked.questions[0].key == f"renamed:{ODD}"
    assert isinstance(lab.run(script, answered.parameters), Report)


def test_an_unheard_of_level_is_never_guessed(lab, script):
    week = {name: data.replace(b" WARN ", b" ODDISH ") for name, data in a_week_of_logs().items()}
    facts = lab.put(week)

    asked = fill(script, facts)
    answered = fill(script, facts, {"level:ODDISH": "WARNING"})

    assert [question.key for question in asked.questions] == ["level:ODDISH"]
    assert "which is no well-known name" in asked.questions[0].ask
    outcome = lab.run(script, answered.parameters)
    assert sum(row[3] for row in outcome.tables[0].rows) == counted(week, "ODDISH")


def test_text_and_json_logs_together_fill_one_reader_each(lab, script):
    week = a_week_of_logs()
    _, week["other.log"] = DRIFTS["log-to-json"].apply(ODD, week[ODD], seed=1)

    filled, outcome = lab.fill_and_run(script, week)

    assert set(filled.parameters["readers"]) == {"default", "other.log"}
    assert outcome.metrics["errors"] == counted(week, "ERROR") + counted({ODD: week[ODD]}, "ERROR")


def test_dated_names_become_patterns_that_next_week_fits(lab, script):
    dated = {name.replace(".log", "-2026-08-31.log"): data for name, data in a_week_of_logs().items()}
    filled, _ = lab.fill_and_run(script, dated)
    lab.put({name.replace("08-31", "09-07"): data for name, data in dated.items()})

    assert isinstance(lab.run(script, filled.parameters), Report)
