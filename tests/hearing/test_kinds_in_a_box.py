"""A table script over workbooks, JSON and Parquet: from samples through the rehearsal of a plan, in a box."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import timedelta

import pytest

from bot.work.rehearse import rehearse
from library.catalog import load_catalog
from sandbox.execute import PastMetrics, SlotFacts, run_plan, stage
from sandbox.hearing import heard
from sandbox.outcome import Report
from tests.hearing.hall import DUE, FACTS, Hall, library_plan, sample_of
from tests.library.other_kinds import in_kind

SCRIPT = load_catalog()["totals-by-category"]
LIKELIEST = {"xlsx": "OddHeader", "jsonl": "OddKeys"}
LATER = {"parquet": "EmptyFile", "json": "EmptyFile"}


@pytest.mark.parametrize(
    ("kind", "surprise"),
    [*LIKELIEST.items(), *(pytest.param(*one, marks=pytest.mark.slow) for one in LATER.items())],
)
def test_totals_of_any_kind_of_file_pass_their_rehearsal(hall: Hall, kind: str, surprise: str) -> None:
    # Given the files of a week in this kind, and the plan that their samples lead to
    files = in_kind(kind, sample_of(SCRIPT))
    samples = hall.samples(files)
    plan = library_plan(SCRIPT, samples)

    # When it is rehearsed in a box
    paths = hall.paths(files)
    with hall.boxes.open("rehearsal", tags={}, lifetime_s=120) as box:
        final, rehearsal = rehearse(stage(box, paths), plan, paths, FACTS, samples, lambda seen: seen.name.encode())

    # Then its likeliest surprise raised, and the report is that of the same numbers in CSV
    assert final.files["resume.md"] == surprise.encode()
    expected = (SCRIPT.folder / "expected.md").read_text(encoding="utf-8")
    assert rehearsal.report.document() == expected.replace(".csv", f".{kind}")


def test_a_plan_asked_for_right_after_its_slot_is_heard_over_dates_of_any_form(hall: Hall) -> None:
    # Given last week's tables, with dates as people write them, and a first report that is days away
    iso = re.compile(rb"(\d{4})-(\d\d)-(\d\d)")
    files = {name: iso.sub(rb"\3.\2.\1", data) for name, data in sample_of(SCRIPT).items()}
    samples = hall.samples(files)
    began, due = DUE - timedelta(days=1), DUE + timedelta(days=6)
    next_week = SlotFacts(due, began, due, "UTC")

    # When the plan is heard
    plan = library_plan(SCRIPT, samples)
    facts = [sample.facts for sample in samples]
    found = heard(hall.boxes, plan, hall.paths(files), facts, next_week, tags={}, only=["column-renamed", "file-empty"])

    # Then earlier weeks could be made up, which are not this one
    assert found.fit == found.well == 2


def test_a_version_with_one_report_behind_it_hears_what_the_first_version_did(hall: Hall) -> None:
    # Given a routine that has reported once, so that four reports to compare with are not there yet
    files = sample_of(SCRIPT)
    samples, paths = hall.samples(files), hall.paths(files)
    plan, facts = library_plan(SCRIPT, samples), [sample.facts for sample in samples]
    with hall.boxes.open("run", tags={}, lifetime_s=120) as box:
        last = run_plan(box, plan, paths, FACTS, SCRIPT.limits)
    assert isinstance(last, Report)
    once = replace(FACTS, history=(PastMetrics(DUE - timedelta(days=7), last.metrics),))

    # When its next version is heard
    found = heard(hall.boxes, plan, paths, facts, once, tags={}, only=["outlier", "rows-sampled"])

    # Then it hears what only a comparison with earlier reports shows
    assert [ear.name for ear in found.ears] == ["UnusualNumber"] * 2
