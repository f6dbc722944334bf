"""Whatever is changed behind Standby's back is found, named in words, and by then counts for nothing."""

from __future__ import annotations

import json
from dataclasses import fields, replace
from itertools import pairwise
from pathlib import Path

import pytest

from bot.store.history import append, begin_seal
from bot.store.seal import Seal
from bot.store.tables_talk import Task
from bot.work.verify import audit_lines, newest_problems, problems
from library.manifest import (
    ChannelDestination,
    ChannelSource,
    DeclaredCheck,
    DeclaredIntermediate,
    EmailDestination,
    FilesSource,
    LikeliestSurprise,
    Limits,
    Manifest,
    QuerySource,
)
from library.manifest_schedule import Schedule, SlotTerms
from library.manifest_text import read_manifest
from library.plan_folder import FILES
from tests.approval.hands import finish, next_monday, press, proposed, send
from tests.approval.meddling import forged_history
from tests.approval.oracle import Oracle, Version
from tests.approval.stage import SEAL, Stage, files


@pytest.fixture
def lived(stage: Stage) -> Stage:
    """A week in which everything went well: approved, run, delivered."""
    press(stage, proposed(stage))
    assert finish(stage, next_monday(stage))
    send(stage)
    return stage


def found(stage: Stage) -> str:
    return "\n".join(problems(stage.behind))


def test_what_nobody_touched_holds(lived: Stage) -> None:
    assert problems(lived.behind) == []
    assert len(lived.post.taken) == 1


TAMPERED = {
    "a byte of the script": (
        "update plan_file set body = body || '\\x0a' where name = 'plan.py'", "its files have the digest"
    ),
    "a file taken out": ("delete from plan_file where name = 'report.md'", "its files cannot be read"),
    "a script that hides something": (
        "update plan_file set body = '\\x2320e280ae0a' where name = 'plan.py'", "does not pass the source gate"
    ),
    "the row's digest": ("update plan set digest = repeat('a', 64)", "its row says aaaaaaaa"),
    "the card's digest": ("update card set digest = repeat('a', 64)", "its card showed aaaaaaaa"),
    "the decision's digest": ("update decision set digest = repeat('a', 64)", "the approve was about aaaaaaaa"),
    "who approved": ("update decision set person_id = 'EVE'", "knows no approve by EVE"),
    "an approval by the requester": ("update decision set person_id = 'ALICE'", "ALICE approved it and had asked"),
    "who asked": ("update plan set requester_id = 'EVE'", "knows no proposal of it"),
    "who wrote it": ("update plan set author_id = 'EVE'", "knows no proposal of it"),
    "what its card shows of the rehearsal": (
        "update plan set rehearsal = jsonb_set(rehearsal, '{replay}', '[\"All 12 earlier reports are identical.\"]')",
        "knows no proposal of it",
    ),
    "the decision taken out": ("delete from decision", "nobody approved version 1, which is current"),
    "a decision on another card": ("update decision set card_id = card_id + 1", "made on a card of another version"),
    "the digest that ran": ("update run set digest = repeat('a', 64)", "ran aaaaaaaa"),
    "how the run ended": ("update run set state = 'halted'", "no end of run 1 as halted"),
    "the current version": ("update routine set current_plan_id = 99", "belongs to another routine"),
    "an entry of the history": (
        """update history set body = jsonb_set(body, '{by}', '"EVE"') where kind = 'plan.approve'""",
        "The history breaks at entry",
    ),
    "an entry taken out": ("delete from history where kind = 'plan.approve'", "The history breaks at entry"),
    "the last entries taken out": ("delete from history where kind <> 'plan.proposed'", "knows no approve by BOB"),
}  # fmt: skip


@pytest.mark.parametrize("what", TAMPERED)
def test_a_changed_row_is_named(lived: Stage, what: str) -> None:
    statement, words = TAMPERED[what]
    lived.tamper(statement)

    assert words in found(lived)


def test_an_entry_that_somebody_else_added_is_named_and_its_approval_runs_nothing(lived: Stage) -> None:
    """Whoever may write to the history can give an entry the right hashes, and has no key to seal it."""
    version = Version(lived.propose(another(lived), files("weekly-error-report", "b"), "ALICE", "", None), 1,
                      files("weekly-error-report", "b"), "ALICE", "")  # fmt: skip
    forged_history(lived, Oracle(), version)

    assert "was not written by Standby: its seal does not fit" in found(lived)
    assert newest_problems(lived.behind) != []
    assert not finish(lived, lived.one("select max(id) from run"))
    assert "history knows of no such approval" in lived.one("select reason from slot order by id desc limit 1")


def another(stage: Stage) -> Task:
    return stage.task(stage.one("select min(id) from task"))


def test_a_history_written_anew_without_seals_is_named(lived: Stage) -> None:
    lived.tamper("update history set seal = ''")
    assert "bears a seal, although there is a key" in found(lived)
    lived.tamper("update history set seal = repeat('a', 64) where id = (select max(id) from history)")
    assert "bear no seal, and nothing says why" in found(lived)


def test_a_tail_that_was_cut_off_is_named(stage: Stage, tmp_path: Path) -> None:
    # Given a history whose newest entry is noted outside the database
    stage.behind.seal = replace(SEAL, head_file=tmp_path / "history.head")
    with stage.behind.transaction() as session:
        for kind in ("a.first", "a.second", "a.third"):
            append(session, stage.time.now(), kind, {})
    assert found(stage) == ""

    # When the newest are taken out, then that is named; also where others took their place
    stage.tamper("delete from history where kind = 'a.third'")
    assert "that entry is gone or another: what is newest was cut off" in found(stage)
    assert "cut off" in newest_problems(stage.behind)[0]
    with stage.worker(0).db.transaction() as session:  # which notes nothing, as another machine would
        append(session, stage.time.now(), "another.third", {})
    assert "cut off" in found(stage)


def test_a_history_from_before_there_was_a_key_is_sealed_by_the_next_start_and_holds(stage: Stage) -> None:
    # Given an install from before there were keys, with an approved version
    stage.databases[0].seal = stage.behind.seal = Seal()
    press(stage, proposed(stage))
    assert problems(stage.behind) == []
    run_id = next_monday(stage)

    # When a part starts with a key, then one entry seals what is there, once
    stage.databases[0].seal = stage.behind.seal = SEAL
    for _ in range(2):
        with stage.behind.transaction() as session:
            assert begin_seal(session, stage.time.now())
    assert stage.one("select count(*) from history where kind = 'history.sealed'") == 1
    assert problems(stage.behind) == []

    # Then what was approved before still runs, and old entries are bound too
    assert finish(stage, run_id)
    stage.tamper("""update history set body = jsonb_set(body, '{by}', '"EVE"') where kind = 'plan.approve'""")
    stage.tamper("update decision set person_id = 'EVE'")
    assert not finish(stage, next_monday(stage))


def test_another_key_than_the_one_that_sealed_is_found_at_the_start(lived: Stage) -> None:
    lived.behind.seal = Seal(b"another key than that of the history")
    with lived.behind.transaction() as session:
        assert not begin_seal(session, lived.time.now())


def test_the_audit_is_the_whole_chain_as_json_lines(lived: Stage) -> None:
    entries = [json.loads(line) for line in audit_lines(lived.behind)]

    kinds = [entry["kind"] for entry in entries]
    assert kinds == ["plan.proposed", "plan.approve", "run.reported", "delivery.sent", "delivery.sent"]
    assert all(later["previous"] == earlier["hash"] for earlier, later in pairwise(entries))
    assert entries[1]["body"]["by"] == "BOB"


ZONE = 'zone = "Europe/Oslo"\n'
CHANNEL = '[source]\nkind = "channel"\nchannel = "C0LAB000001"'
QUERY = '[source]\nkind = "query"\nconnection = "books"\nquery = "select 1"\nfile = "rows.parquet"'

FILES_SOURCE = '[source]\nkind = "files"\nfiles = ["/srv/lab/*.log"]'
FIELDS = {
    "name": ("weekly-error-report", "weekly-error-rapport"),
    "title": ("Weekly error report", "Weekly error rapport"),
    "rung": ("existing script", "plan as code"),
    "why": ("reads exactly", "reads mostly"),
    "script": ("log-error-summary", "ranked-margin"),
    "schedule.cron": ("0 7 * * mon", "0 8 * * mon"),
    "schedule.zone": ("Europe/Oslo", "Europe/Paris"),
    "schedule.rule": ('cron = "0 7 * * mon"', 'rule = "last mon of the month at 07:00"'),
    "schedule.anchor": ('cron = "0 7 * * mon"', 'rule = "every 2 weeks on mon at 07:00"\nanchor = "2026-12-07"'),
    "schedule.overlap": (ZONE, ZONE + 'overlap = "wait"\n'),
    "schedule.catch_up_h": (ZONE, ZONE + "catch_up_h = 400\n"),
    "schedule.late_min": (ZONE, ZONE + "late_min = 40000\n"),
    "schedule.wait_until": (ZONE, ZONE + 'wait_until = "10:00"\n'),
    "schedule.wait_files": (ZONE, ZONE + 'wait_until = "10:00"\nwait_files = 2\n'),
    "schedule.holidays": (ZONE, ZONE + 'holidays = "NO"\n'),
    "schedule.on_holiday": (ZONE, ZONE + 'holidays = "NO"\non_holiday = "shift"\n'),
    "source.channel": ('[source]\nkind = "channel"\nchannel = "C0LAB', '[source]\nkind = "channel"\nchannel = "C9LAB'),
    "source.files": (CHANNEL, FILES_SOURCE),
    "source.only_new": (CHANNEL, f"{FILES_SOURCE}\ntake = \"new\""),
    "source.after": (CHANNEL, f"{FILES_SOURCE}\ntake = \"new\"\nafter = \"2026-09-07T05:00:00+00:00\""),
    "source.connection": (CHANNEL, QUERY),
    "source.query": (CHANNEL, QUERY),
    "source.file": (CHANNEL, QUERY),
    "destinations.channel": (
        '[[destinations]]\nkind = "channel"\nchannel = "C0', '[[destinations]]\nkind = "channel"\nchannel = "C9'
    ),
    "destinations.name": ("lab list", "lab friends"),
    "destinations.addresses": ("lab@example.org", "eve@example.org"),
    "checks.name": ('[[checks]]\nname = "OddFile"', '[[checks]]\nname = "EvenFile"'),
    "checks.says": ("has a line with a level", "has a line"),
    "intermediates.name": ("lines read", "lines seen"),
    "intermediates.unit": ('unit = "lines"', 'unit = "rows"'),
    "surprise.name": ('[surprise]\nname = "OddFile"', '[surprise]\nname = "EvenFile"'),
    "surprise.drift": ("log-to-json", "log-to-csv"),
    "surprise.why": ("firmware changes", "nobody changes"),
    "limits.time_s": ("time_s = 300", "time_s = 301"),
    "limits.memory_mb": ("memory_mb = 1024", "memory_mb = 4096"),
    "parameters": ("[parameters]", "[parameters]\nlevels = 1"),
    "only": (
        "[parameters]", '[only]\ndue_at = "2026-12-07T06:00:00+00:00"\nleave_out = ["a.log"]\n\n[parameters]'
    ),
}  # fmt: skip


def test_every_field_of_the_manifest_has_its_test() -> None:
    parts = {"schedule": Schedule, "surprise": LikeliestSurprise, "limits": Limits}
    lists = {
        "source": (ChannelSource, FilesSource, QuerySource),
        "destinations": (ChannelDestination, EmailDestination),
        "checks": (DeclaredCheck,),
    }
    lists |= {"intermediates": (DeclaredIntermediate,)}
    wanted = {one.name for one in fields(Manifest)} - parts.keys() - lists.keys()
    wanted |= {f"{part}.{one.name}" for part, kind in parts.items() for one in fields(kind)}
    wanted |= {f"schedule.{one.name}" for one in fields(SlotTerms)}
    wanted -= {"schedule.terms"}
    wanted |= {f"{part}.{one.name}" for part, kinds in lists.items() for kind in kinds for one in fields(kind)}
    assert wanted == FIELDS.keys()


@pytest.mark.parametrize("field", FIELDS)
def test_AP_14_any_field_of_the_manifest_voids_what_was_approved(stage: Stage, field: str) -> None:
    # Given a version that is approved, and one that waits
    approved, waiting = proposed(stage), proposed(stage, routine="weekly-error-report-two")
    assert press(stage, approved).accepted
    run_id = next_monday(stage)

    # When one field of what is stored reads otherwise
    old, new = FIELDS[field]
    for plan_id in (approved, waiting):
        body = bytes(stage.one("select body from plan_file where plan_id = :p and name = 'plan.toml'", p=plan_id))
        assert old.encode() in body
        changed = body.replace(old.encode(), new.encode())
        assert read_manifest(changed) != read_manifest(body), "a field differs, and the plan states it validly"
        stage.tamper(
            "update plan_file set body = :body where plan_id = :p and name = 'plan.toml'", body=changed, p=plan_id
        )

    # Then it can be approved no more, and is not claimed for its slot
    assert "no longer what this card showed" in press(stage, waiting).text
    assert not finish(stage, run_id)
    assert stage.one("select state from slot") == "blocked"
    assert "the digest differs" in stage.one("select reason from slot")


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("where", ["at its start", "in its middle", "at its end"])
def test_a_byte_of_any_file_voids_what_was_approved(stage: Stage, name: str, where: str) -> None:
    # Given a version that is approved, and one that waits
    plan_id = proposed(stage)
    waiting = proposed(stage, routine="other-report")
    assert press(stage, plan_id).accepted
    run_id = next_monday(stage)

    # When one byte of one file is changed behind Standby's back
    at = {"at its start": "0", "in its middle": "length(body) / 2", "at its end": "length(body) - 1"}[where]
    stage.tamper(f"update plan_file set body = set_byte(body, {at}, get_byte(body, {at}) # 1) where name = '{name}'")

    # Then the one that waits cannot be approved, and the approved one is not claimed: nothing is handed over
    assert "no longer what this card showed" in press(stage, waiting).text
    assert not finish(stage, run_id)
    assert stage.one("select state from slot") == "blocked"
    assert "have the digest" in found(stage) or "cannot be read" in found(stage)
