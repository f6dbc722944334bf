"""Old files posted again: the library's scripts halt by name, and the card says what they cannot hear."""

import hashlib
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import pytest

from bot.work.slot_facts import window_of
from library.fill import fill
from library.filling import Window
from sandbox.execute import PastMetrics, SlotFacts
from sandbox.outcome import Report, Surprised
from tests.library.conftest import SLOT, WINDOW
from tests.library.weeks import a_week_of_logs, subsidiaries

NEXT = {**SLOT, "since": "2026-09-07T05:00:00Z", "until": "2026-09-14T05:00:00Z", "due_at": "2026-09-14T05:00:00Z"}
MUCH_LATER = {
    **SLOT,
    "since": "2026-10-05T05:00:00Z",
    "until": "2026-10-12T05:00:00Z",
    "due_at": "2026-10-12T05:00:00Z",
}


@dataclass(frozen=True)
class Kind:
    script: str
    files: dict[str, bytes]


DATED = [Kind("log-error-summary", a_week_of_logs()), Kind("ranked-margin", subsidiaries())]


def past(report: Report, files: dict[str, bytes]) -> dict[str, object]:
    hashes = {name: hashlib.sha256(data).hexdigest() for name, data in files.items()}
    return {"due_at": SLOT["due_at"], "metrics": dict(report.metrics), "inputs": hashes}


@pytest.mark.parametrize("kind", DATED, ids=lambda one: one.script)
def test_last_months_files_halt_by_name_under_any_name_and_with_any_bytes(lab, catalog, kind):
    script = catalog[kind.script]
    filled, _ = lab.fill_and_run(script, kind.files)
    lab.put({name: data.replace(b"c1,", b"c9,").replace(b"scan 1 ", b"scan 9 ") for name, data in kind.files.items()})

    halted = lab.run(script, filled.parameters, MUCH_LATER)

    assert isinstance(halted, Surprised)
    assert halted.name == "StaleFile"
    assert "it is older than this report" in halted.message


@pytest.mark.parametrize("kind", DATED, ids=lambda one: one.script)
def test_last_weeks_files_with_other_bytes_are_not_news_either(lab, catalog, kind):
    script = catalog[kind.script]
    filled, report = lab.fill_and_run(script, kind.files)
    changed = {name: data.replace(b"c1,", b"c9,").replace(b"scan 1 ", b"scan 9 ") for name, data in kind.files.items()}
    lab.put(changed)

    halted = lab.run(script, filled.parameters, {**NEXT, "history": [past(report, kind.files)]})

    assert isinstance(halted, Surprised)
    assert halted.name == "StaleFile"


@pytest.mark.parametrize("script", ["log-error-summary", "ranked-margin"])
def test_without_dates_only_the_same_bytes_are_heard_and_the_card_says_so(lab, catalog, script):
    files = {
        "log-error-summary": {"a.log": b"INFO: x\nERROR: y\n"},
        "ranked-margin": {"a.csv": b"name,revenue,costs\nx,1.50,1.00\ny,2.50,1.00\n"},
    }[script]
    filled, report = lab.fill_and_run(catalog[script], files)
    lab.put({f"new-{name}": data for name, data in files.items()})
    parameters = {**filled.parameters, "expected_files": []}

    halted = lab.run(catalog[script], parameters, {**NEXT, "history": [past(report, files)]})

    (name,) = files
    assert (halted.name, halted.file) == ("StaleFile", f"new-{name}")
    said = {one.name: one.says for one in catalog[script].checks_in_words(filled.words)}["StaleFile"]
    assert said == f"no file is byte for byte an earlier one; {name} has no dates, so other old content goes unheard"
    assert "no dates in the data" in report.document()


def test_a_sample_of_long_ago_is_asked_about(lab, catalog):
    script, facts = catalog["ranked-margin"], lab.put(subsidiaries())
    later = Window(WINDOW.since.replace(year=2027), WINDOW.until.replace(year=2027))

    (question,) = fill(script, facts, window=later).questions

    assert "ends on 2026-09-06" in question.ask
    old, always = (fill(script, facts, {question.key: one.value}, window=later) for one in question.choices)
    assert old.parameters["dates"]["late_days"] == 1
    assert always.parameters["dates"]["late_days"] == 360
    assert old.newest_at is not None and old.newest_at.date().isoformat() == "2026-09-06"


def test_a_table_that_holds_what_the_report_before_had_is_asked_about_and_read_where_somebody_says_so(lab, catalog):
    # Given weekly reports whose tables begin where the report before ended
    script, files = catalog["totals-by-category"], weekly(7)
    filled, report = lab.fill_and_run(script, files)
    slots = [
        {**past(report, {}), "due_at": f"2026-{month}T05:00:00Z"} for month in ("08-17", "08-24", "08-31", "09-07")
    ]
    slot = {**NEXT, "history": slots}

    # When the next ones reach two days further back, then the run halts and a form asks
    facts = lab.put(weekly(14, days=9))
    halted = lab.run(script, filled.parameters, slot)
    assert (halted.name, "overlap_days" in halted.expected) == ("OutsideWindow", True)
    told = SlotFacts(*(datetime.fromisoformat(slot[one]) for one in ("due_at", "since", "until")), "UTC", pasts(slots))
    window = window_of(told, halted.name)
    (question,) = fill(script, facts, before=filled.parameters, window=window).questions
    assert "days before the newest entry that the report before had" in question.ask

    # Then yes lets them pass from now on, and no changes nothing
    yes, no = (fill(script, facts, {question.key: one.value}, filled.parameters, window) for one in question.choices)
    assert isinstance(lab.run(script, yes.parameters, slot), Report)
    assert no.parameters == filled.parameters
    again = fill(script, facts, before=yes.parameters, window=window)
    assert (again.questions, again.parameters) == ((), yes.parameters)

    # And nothing is asked where something else halted it
    assert fill(script, facts, before=filled.parameters, window=window_of(told, "OddNumber")).questions == ()


def weekly(until: int, days: int = 7) -> dict[str, bytes]:
    """A table with rows of so many days up to a day of September."""
    last = datetime(2026, 9, until, tzinfo=UTC)
    rows = [(last - timedelta(days=back), back, n) for back in range(1, days + 1) for n in range(6)]
    lines = [f"{day:%Y-%m-%d},a{n % 3},{100 + n}.{back}{n}" for day, back, n in reversed(rows)]
    return {"spend.csv": "\n".join(["date,category,amount", *lines, ""]).encode()}


def pasts(slots: list[dict[str, object]]) -> tuple[PastMetrics, ...]:
    return tuple(PastMetrics(datetime.fromisoformat(str(one["due_at"])), one["metrics"]) for one in slots)


def test_the_report_names_the_dates_of_the_data_beside_the_slots_window(lab, catalog):
    _, outcome = lab.fill_and_run(catalog["ranked-margin"], subsidiaries())

    assert "200 rows of 2026-09-01 to 2026-09-06" in outcome.markdown


@pytest.mark.parametrize(
    ("dates", "key"),
    [(("03/04/2026", "05/06/2026"), "layout:day"), (("13/04/2026", "05/06/2026"), "")],
)
def test_day_and_month_that_could_change_places_are_asked_about(lab, catalog, dates, key):
    rows = "".join(f"{day},1.50,1.00\n" for day in dates)
    asked = fill(catalog["ranked-margin"], lab.put({"a.csv": f"day,revenue,costs\n{rows}".encode()}))

    assert [one.key for one in asked.questions] == ([key] if key else [])
    if not key:
        assert asked.parameters["readers"]["default"]["dates"] == {"day": "%d/%m/%Y"}
