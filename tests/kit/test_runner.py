"""The runner: what a script can do, and what each of it comes to."""

import json
import subprocess

import pytest

from sandbox.outcome import Crashed, Report, Surprised


def test_a_script_that_reports_ends_as_a_report_with_all_it_declared(bench):
    outcome = bench.run(
        """
from kit import attach, chart, check, inputs, intermediate, metric, report, table
check("NoInput", bool(inputs()), "no files")
lines = sum(1 for one in inputs() for line in one.path.open())
metric("lines", lines)
intermediate("lines read", lines, "lines")
table("Files", ["file", "bytes"], [[one.name, one.size_bytes] for one in inputs()])
chart("Lines", ["a", "b"], {"lines": [1, 2]})
open("outputs/all.txt", "w").write("hello")
attach("all lines.txt", "outputs/all.txt")
report(lines=lines)
""",
        inputs={"a.log": b"1\n2\n", "b.log": b"3\n"},
        report="There are {{lines}} lines.",
    )

    assert isinstance(outcome, Report)
    assert outcome.markdown == "There are 3 lines."
    assert outcome.metrics == {"lines": 3}
    assert outcome.tables[0].rows == (("a.log", 4), ("b.log", 2))
    assert [(one.name, one.size_bytes) for one in outcome.attachments] == [("all lines.txt", 5)]
    assert [(one.name, one.times) for one in outcome.checks] == [("NoInput", 1)]
    assert "| a.log | 4 |" in outcome.document()


def test_two_runs_in_one_folder_start_from_nothing_and_are_equal(bench):
    plan = """
import pathlib
from kit import report, check
check("Fresh", not list(pathlib.Path("outputs").iterdir()), "an earlier run left something")
pathlib.Path("outputs/x").write_text("x")
report(names=", ".join({"b", "a", "c", "d"}))
"""
    first = bench.run(plan, report="{{names}}")
    second = bench.run(plan, report="{{names}}")

    assert isinstance(first, Report)
    assert first.same_as(second)


def test_a_failed_check_is_a_surprise_with_its_evidence(bench):
    outcome = bench.run(
        """
from kit import check
check("OddFile", False, "a is odd", seen=1, expected=2, file="a.log", rows=["r1", "r2", "r3", "r4"])
"""
    )

    assert outcome == Surprised("OddFile", "a is odd", "1", "2", "a.log", ("r1", "r2", "r3"), checks=outcome.checks)


def test_a_surprise_that_the_script_swallows_halts_the_run_all_the_same(bench):
    outcome = bench.run(
        """
from kit import check, report
try:
    check("OddFile", False, "odd")
except Exception:
    pass
report()
"""
    )

    assert isinstance(outcome, Surprised)


def test_hidden_characters_in_evidence_are_shown_as_escapes(bench):
    outcome = bench.run("from kit import check\ncheck('OddFile', False, 'a\\u202eb\\nc')")

    assert isinstance(outcome, Surprised)
    assert outcome.message == "a\\u202eb\\nc"


@pytest.mark.parametrize(
    ("plan", "error", "words", "line"),
    [
        ("x = 1\nx / 0", "ZeroDivisionError", "division by zero", 2),
        ("def f(:", "SyntaxError", "", 1),
        ("import os\nos._exit(0)", "EndedEarly", "ended with code 0 and without a report", 0),
        ("import os\nprint('bye', flush=True)\nos._exit(3)", "EndedEarly", "bye", 0),
        ("import os, signal\nos.kill(os.getpid(), signal.SIGKILL)", "EndedEarly", "killed by SIGKILL", 0),
        ("import sys\nsys.exit(0)", "SystemExit", "ended itself", 2),
        ("x = 1", "RuntimeError", "without calling report", 0),
        ("from kit import report\nreport(total=1)", "ValueError", "without a placeholder: ['total']", 0),
        ("import runner", "ModuleNotFoundError", "runner", 1),
        ("import plan_folder", "ModuleNotFoundError", "plan_folder", 1),
        ("x = bytearray(900 * 1024 * 1024)", "MemoryError", "more memory", 1),
        ("from kit import table\ntable('T', ['a'], [[1]] * 2001)", "ValueError", "at most 2000", 2),
        ("from kit import attach\nattach('x', '/etc/hostname')", "ValueError", "below outputs/", 2),
        ("from kit import check\ncheck('odd file', True, '')", "ValueError", "OddFile", 0),
    ],
)
def test_a_script_that_fails_as_a_program_is_a_crash_in_words(bench, plan, error, words, line):
    outcome = bench.run(plan, memory_mb=512)

    assert isinstance(outcome, Crashed)
    assert (outcome.error, outcome.line) == (error, line or outcome.line)
    assert words in outcome.message


def test_a_report_with_an_empty_placeholder_is_a_crash(bench):
    outcome = bench.run("from kit import report\nreport()", report="{{total}} errors")

    assert isinstance(outcome, Crashed)
    assert "without a value: ['total']" in outcome.message


def test_a_script_that_does_not_end_is_stopped_with_its_children(bench):
    outcome = bench.run(
        "import subprocess, time\nsubprocess.Popen(['sleep', '60'])\nprint('begun', flush=True)\ntime.sleep(60)",
        time_s=2,
    )

    assert isinstance(outcome, Crashed)
    assert outcome.error == "TimeLimit"


def test_a_loud_script_keeps_64_kb_of_its_words(bench):
    outcome = bench.run("from kit import report\nfor n in range(200_000): print('loud', n)\nreport()")

    assert isinstance(outcome, Report)
    assert (bench.home / "script.log").stat().st_size == 64 * 1024


@pytest.mark.parametrize("cookie", ["# coding: utf-7\n", "# -*- coding: latin-1 -*-\n"])
def test_an_encoding_cookie_has_no_say(bench, cookie):
    outcome = bench.run(f'{cookie}from kit import report\nreport(x="+AGE- ø")', report="{{x}}")

    assert isinstance(outcome, Report)
    assert outcome.markdown == "+AGE- ø"


def test_an_attachment_that_is_a_link_is_not_taken(bench):
    outcome = bench.run(
        "import os\nfrom kit import attach, report\n"
        "os.symlink('/etc/hostname', 'outputs/x')\nattach('x', 'outputs/x')\nreport()"
    )

    assert isinstance(outcome, Crashed)
    assert outcome.error == "AttachmentError"


def test_characters_that_no_database_keeps_are_written_out(bench):
    outcome = bench.run("from kit import report\nreport(x='a\\0b\\udc80')", report="{{x}}")

    assert isinstance(outcome, Report)
    assert outcome.markdown == "a\\0b\\udc80"


@pytest.mark.parametrize(
    "plan",
    [
        "from kit import report\nreport(x='x' * 200_000)",
        "from kit import metric\nfor n in range(300): metric(f'm{n}', n)",
        "from kit import table\nfor n in range(300): table(f't{n}', ['a'], [])",
        "from kit import check\nfor n in range(300): check(f'Check{n}', True, '')",
        "from kit import attach\nopen('outputs/x', 'w').close()\nfor n in range(60): attach(f'a{n}', 'outputs/x')",
    ],
)
def test_a_script_that_declares_too_much_is_a_crash_and_no_lost_run(bench, plan):
    outcome = bench.run(plan, report="{{x}}")

    assert isinstance(outcome, Crashed)
    assert outcome.error == "ValueError"


@pytest.mark.parametrize("altered", ["plan/plan.py", "plan/report.md", "kit/logs.py", "child.py"])
def test_bytes_that_were_not_approved_do_not_run(bench, altered):
    bench.run("from kit import report\nreport()")
    digest = bench.ended.args[-1]
    (bench.home / "outputs" / "trace").write_text("from the earlier run")
    path = bench.home / altered
    path.write_bytes(path.read_bytes() + b"\n# one more line")

    ended = subprocess.run([*bench.ended.args[:-1], digest], cwd=bench.home, capture_output=True, check=False)

    assert ended.returncode == 70
    assert b"approved" in ended.stderr
    assert not (bench.home / "outcome.json").exists()


def test_the_environment_of_a_script_holds_nothing_of_ours(bench):
    outcome = bench.run(
        "import json, os\nfrom kit import report\nreport(env=json.dumps(sorted(os.environ)))", report="{{env}}"
    )

    assert isinstance(outcome, Report)
    assert not [name for name in json.loads(outcome.markdown) if "STANDBY" in name or "KEY" in name]


def test_usual_numbers_pass_and_unusual_ones_surprise(bench):
    history = [{"due_at": "2026-08-01T05:00:00Z", "metrics": {"errors": n}} for n in (30, 25, 40, 33)]
    plan = "from kit import check_usual, params, report\ncheck_usual('errors', params['n'])\nreport()"

    assert isinstance(bench.run(plan, parameters={"n": 60}, history=history), Report)
    assert isinstance(bench.run(plan, parameters={"n": 0}, history=history[:3]), Report)
    outcome = bench.run(plan, parameters={"n": 0}, history=history)
    assert isinstance(outcome, Surprised)
    assert "between 25 and 40" in outcome.message
