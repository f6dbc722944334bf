"""The founding story: a log became JSON, a script found no error in it, and a report said all clear."""

from __future__ import annotations

import pytest

from bot.work.approval_card import hearing_view
from sandbox.hearing import HearingFailed, Verdict
from tests.hearing.hall import Hall, a_plan
from tests.library.weeks import a_week_of_logs

# What nearly everybody writes.
DEAF = """
from kit import check, inputs, report

files = inputs()
check("OddFile", bool(files), "no file was posted", expected="log files")
errors = {one.name: sum("ERROR" in line for line in one.path.read_text().splitlines()) for one in files}
report(said=", ".join(f"{name}: {count}" for name, count in errors.items()))
"""
# The same, asking whether it could have seen an error at all.
HEARING = DEAF.replace(
    "report(",
    """for one in files:
    known = sum(f" {level} " in line for line in one.path.read_text().splitlines() for level in ("INFO", "ERROR"))
    check("OddFile", known > 0, f"{one.name} has no line with a level I know", file=one.name)
report(""",
)
STORY = "log-to-json"


def test_with_the_guard_off_the_hearing_test_alone_catches_the_deaf_script(hall: Hall) -> None:
    # Given the logs of a week and a script that counts lines with the word ERROR
    week = a_week_of_logs()
    samples = hall.samples(week)

    # When it is heard
    deaf = hall.hear(a_plan(DEAF, samples, drift=STORY), week, samples, only=[STORY, "utf-16", "file-empty"])
    hearing = hall.hear(a_plan(HEARING, samples, drift=STORY), week, samples, only=[STORY])

    # Then the script alone is deaf to what happened in the story, and its twin is not
    alone = {ear.drift: ear.alone for ear in deaf.ears}
    assert alone[STORY] is Verdict.DEAF
    assert alone["file-empty"] is Verdict.DEAF
    assert alone["utf-16"] is Verdict.BROKE
    assert [(ear.alone, ear.name) for ear in hearing.ears] == [(Verdict.HEARD, "OddFile")]

    # And with the script's checks off, the guard alone halts the run
    guarded = {ear.drift: ear.guarded for ear in deaf.ears}
    assert guarded == dict.fromkeys((STORY, "utf-16", "file-empty"), Verdict.HEARD)


def test_what_stays_deaf_is_on_the_card_in_words(hall: Hall) -> None:
    week = a_week_of_logs()
    samples = hall.samples(week)

    found = hall.hear(a_plan(DEAF, samples, drift=STORY), week, samples, only=["sent-again", STORY])

    view = hearing_view(found)
    assert view is not None
    assert view.deaf == ("last week's files were sent again",)
    assert view.never_fired == ("OddFile",)
    assert (view.fit, view.well, view.alone) == (2, 1, 0)


def test_a_script_that_cannot_report_on_healthy_data_is_said_to_be_unheard(hall: Hall) -> None:
    week = a_week_of_logs()
    samples = hall.samples(week)
    plan = a_plan("raise ValueError('no')", samples, drift=STORY)

    with pytest.raises(HearingFailed, match="no healthy report to compare with: no"):
        hall.hear(plan, week, samples, only=[STORY])


def test_a_script_leaves_nothing_behind_for_the_next_drift(hall: Hall) -> None:
    """Files, modules and processes of one run are gone before another begins; else the second would find them."""
    week = a_week_of_logs()
    samples = hall.samples(week)
    source = """
import os
from pathlib import Path
from kit import check, inputs, report

check("OddFile", not Path("outputs/seen").exists() and not hasattr(inputs, "seen"), "somebody was here")
Path("outputs/seen").write_text("x")
inputs.seen = True
Path(inputs()[0].path).write_text("")
report(said=str(len(list(inputs()))))
"""
    quiet = ["utf-16", "crlf", "byte-order-mark", "cr-only", "file-gzipped", "prefix-added"]

    found = hall.hear(a_plan(source, samples, drift=STORY), week, samples, only=quiet)

    assert {ear.alone for ear in found.ears} == {Verdict.UNMOVED}
    assert len(found.ears) == len(quiet)
