"""Healthy views, each made in one call; a test names only what it is about."""

from dataclasses import replace
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from bot.domain.views import (
    ApprovalView,
    BasisView,
    Button,
    Change,
    Chart,
    CheckLine,
    Choice,
    DecisionWords,
    HearingView,
    Kept,
    QuestionField,
    QuestionView,
    ReportView,
    Step,
    StepsView,
    SurpriseView,
    Table,
)
from bot.domain.words import Cause, Verb
from bot.work.tell import NEXT_STEP

ALICE = "U0ALICE0001"
BOB = "U0BOB000001"

SCRIPT = '''\
"""Count log entries by level and instrument, and list what is worth a look."""

from kit import check, inputs, intermediate, metric, params, report, table

LEVELS = ("DEBUG", "INFO", "WARN", "ERROR")

entries = []
for file in inputs():
    lines = file.lines(reader=params.reader_of(file.name))
    known = [line for line in lines if line.level in LEVELS]
    check("OddFile", known, f"{file.name} has {len(lines)} lines but none has a level I know", file=file)
    entries += known

intermediate("lines read", len(entries), "lines")
errors = [entry for entry in entries if entry.level == "ERROR"]
metric("errors", len(errors))
table("Errors by instrument", rows=errors.count_by("instrument"), columns=["instrument", "errors"])
report(errors=len(errors), files=len(inputs()))
'''

DIFF = """\
--- plan.toml (version 1)
+++ plan.toml (version 2)
@@ -21,3 +21,4 @@
 [parameters]
 levels = ["DEBUG", "INFO", "WARN", "ERROR"]
+readers = { "spectro-07.log" = "json" }
"""

BUTTONS = (
    Button(Verb.APPROVE, "press-approve"),
    Button(Verb.REJECT, "press-reject"),
    Button(Verb.ASK_CHANGES, "press-changes"),
    Button(Verb.SHOW_ALL, "press-all"),
)


DAYS = tuple(f"day {number}" for number in range(1, 31))
LONG_CHART = Chart("Errors a day", "line", DAYS, (("errors", tuple(map(float, range(30)))),), "chart-1.png")


def report(**changed: Any) -> ReportView:
    """A week of fourteen instruments with 41 errors."""
    healthy = ReportView(
        title="Weekly error report",
        markdown="**41 errors** in 14 files, week of 30 November.\n\n- most: `spectro-03`, 17\n- none: `hplc-02`\n",
        tables=(
            Table(
                "Errors by instrument",
                ("instrument", "errors", "first seen"),
                (
                    ("spectro-03", "17", "Mon 30 Nov 08:12"),
                    ("spectro-07", "12", "Tue 1 Dec 14:40"),
                    ("balance-01", "9", "Wed 2 Dec 09:03"),
                    ("hplc-01", "3", "Fri 4 Dec 16:55"),
                ),
            ),
        ),
        charts=(Chart("Errors a day", "bar", ("Mon", "Tue", "Wed"), (("errors", (17.0, 12.0, 12.0)),)),),
        foot="weekly-error-report, slot Mon 7 Dec 2026 07:00 Europe/Oslo, version 1 (9f2c1a7b), "
        "approved by <@U0BOB000001>",
    )
    return replace(healthy, **changed)


def approval(**changed: Any) -> ApprovalView:
    """The card of the story's first version, open."""
    healthy = ApprovalView(
        routine="weekly-error-report",
        title="Weekly error report",
        version=1,
        digest="9f2c1a7b" + "0" * 56,
        rung="existing script",
        why="log-error-summary reads exactly such files; it was proven on them before",
        request="Every Monday compile last week's instrument logs into an error summary and email it to the lab list",
        asked_by=ALICE,
        author="",
        reads="files posted in <#C0LAB000001> after one slot and up to the next",
        sends=("<#C0LAB000001>", "e-mail to the lab list (lab@example.org)"),
        schedule="Mondays 07:00 Europe/Oslo",
        next_times=("Mon 7 Dec 2026 07:00", "Mon 14 Dec 2026 07:00", "Mon 21 Dec 2026 07:00"),
        checks=(
            CheckLine("OddFile", "every file has at least one line with a level I know"),
            CheckLine("NoFiles", "at least one file was posted"),
            CheckLine("UsualErrors", "the number of errors stays in its usual band"),
        ),
        imports=("kit",),
        unclear=(),
        kept=(Kept("lines read", 38_112, "lines"), Kept("errors found", 41, "entries")),
        sample_words="2 of 14 files, 5.8 KB",
        hearing=HearingView(fit=44, well=43, alone=40, deaf=("the older part of a file had been moved away",)),
        bill="Paid: $0.0850 for the draft. Each run costs no tokens, the cheapest loop at least $0.0330 "
        "(measured 0.50 tokens a byte on 2026-11-30). Break-even at run 3.",
        surprise="an instrument's log changes its format (OddFile hears it)",
        first_message="OddFile: spectro-07.log is 1.4 MB but none of its lines has a level I know. "
        "Run halted before the report.",
        preview=report(),
        script=SCRIPT,
        parameters='levels = ["DEBUG", "INFO", "WARN", "ERROR"]\n',
        buttons=BUTTONS,
    )
    return replace(healthy, **changed)


def fix(**changed: Any) -> ApprovalView:
    """Version 2: one file is read as JSON, and all else is as it was."""
    change = Change(
        from_version=1,
        diff=DIFF,
        replay=(
            "The earlier report would be different with this version. That is right if it is meant to count otherwise:",
            "Mon 7 Dec 2026 07:00: this version would stop there: OddFile, spectro-07.log is 1.4 MB of other lines",
        ),
        is_script_same=True,
        are_slots_same=True,
        are_checks_same=True,
        is_surprise_same=True,
    )
    terms = ("Without any file at its time it halts and says so.",)
    fixed = approval(version=2, change=change, answer="spectro-07 now logs JSON.", slot_terms=terms)
    return replace(fixed, **changed)


def decision(**changed: Any) -> DecisionWords:
    healthy = DecisionWords("Approved", BOB, datetime(2026, 12, 1, 14, 2, tzinfo=ZoneInfo("Europe/Oslo")))
    return replace(healthy, **changed)


def surprise(**changed: Any) -> SurpriseView:
    """The halted Monday of the story."""
    healthy = SurpriseView(
        cause=Cause.SURPRISE,
        routine="weekly-error-report",
        title="Weekly error report",
        slot="Mon 14 Dec 2026 07:00 Europe/Oslo",
        name="OddFile",
        message="spectro-07.log is 1.4 MB but none of its lines has a level I know.",
        seen="9,812 lines, none with DEBUG, INFO, WARN or ERROR",
        expected="at least one line with a level",
        rows=('{"ts":"2026-12-08T07:01:11Z","lvl":"info","msg":"lamp on"}', '{"ts":"2026-12-08T07:01:12Z"}'),
        foot="version 1 (9f2c1a7b)",
        next_step=NEXT_STEP[Cause.SURPRISE],
        buttons=(
            Button(Verb.RERUN, "press-rerun"),
            Button(Verb.SKIP, "press-skip"),
            Button(Verb.PAUSE, "press-pause"),
        ),
    )
    return replace(healthy, **changed)


def basis(**changed: Any) -> BasisView:
    """What the ranking of thirty books rests on."""
    healthy = BasisView(
        title="Ranked margin",
        rung="existing script",
        why="Computes the net margin of each table from its revenue and costs, and ranks them.",
        script="ranked-margin.py",
        read="30 files, 2,703,505 bytes, 72,030 lines, by a script in 1.9 s",
        kept=(Kept("rows read", 72_000, "rows"), Kept("numbers added", 144_000, "numbers")),
        looked_at="no model was asked; samples of 30 files, 48,212 of 2,703,505 bytes",
        notes=("Nobody was mailed: what is sent to people needs a teammate's approval, which a routine has.",),
        buttons=(Button(Verb.KEEP, "press-keep"),),
    )
    return replace(healthy, **changed)


def steps(**changed: Any) -> StepsView:
    healthy = StepsView(
        "Working on your request",
        (
            Step("Fetch 14 files", "complete", "3.1 MB"),
            Step("Look at a sample", "complete", "2 files, 5.8 KB"),
            Step("Rehearse on all of it", "in_progress"),
            Step("Write the card", "pending"),
        ),
    )
    return replace(healthy, **changed)


def question(**changed: Any) -> QuestionView:
    healthy = QuestionView(
        "I do not know who “the lab list” is. Where should the report go?",
        (
            QuestionField("addresses", "Addresses of the lab list", "separated by commas"),
            QuestionField(
                "zone",
                "Time zone",
                choices=(Choice("Oslo", "Europe/Oslo"), Choice("London", "Europe/London")),
                initial="Europe/Oslo",
            ),
        ),
        Button(Verb.ANSWER, "press-answer"),
    )
    return replace(healthy, **changed)
