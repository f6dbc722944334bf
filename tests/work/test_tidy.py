"""Data is kept for as long as it is said, and not longer; what was approved stays."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from bot.store.tables import Run, RunInput, SharedFile
from bot.work import tidy
from bot.work.verify import problems
from tests.approval.hands import finish, next_monday, press, proposed
from tests.approval.outside import LAB, TEAM
from tests.approval.stage import Stage
from tests.work.queued import waiting


def kept(stage: Stage, name: str, run_id: int) -> str:
    """A file that was posted now, is kept, and was an input of a run; its sha256."""
    parts = stage.worker(0)
    sha256 = parts.blobs.keep(lambda into: into.write(name.encode()) and None).sha256
    with stage.behind.transaction() as session:
        session.add(
            SharedFile(
                team_id=TEAM, channel_id=LAB, thread_ts="9.0", file_id=name, name=name, size_bytes=9, mimetype="",
                url="", posted_by="ALICE", posted_at=stage.time.now(), sha256=sha256,
            )
        )  # fmt: skip
        session.add(RunInput(run_id=run_id, name=name, sha256=sha256, size_bytes=9))
    return sha256


def is_there(stage: Stage, sha256: str) -> bool:
    try:
        stage.worker(0).blobs.open(sha256).close()
    except FileNotFoundError:
        return False
    return True


def after(stage: Stage, days: int) -> None:
    stage.time.at += timedelta(days=days)
    parts = stage.worker(0)
    settings = parts.settings.model_copy(update={"keep_inputs_days": 100, "keep_attachments_days": 50})
    tidy.tidy(replace(parts, settings=settings))


def test_inputs_go_after_their_time_and_approvals_stay(stage: Stage) -> None:
    press(stage, proposed(stage))
    run_id = next_monday(stage)
    old = kept(stage, "old.log", run_id)
    assert finish(stage, run_id)
    stage.tamper("update slot set state = 'delivered'")

    after(stage, 99)
    assert is_there(stage, old)
    after(stage, 2)
    assert not is_there(stage, old)

    assert stage.one("select body->>'files' from history where kind = 'data.deleted'") == "1"
    assert stage.one("select count(*) from decision where verb = 'approve'") == 1
    assert problems(stage.behind) == []


def test_what_something_unsettled_still_needs_stays(stage: Stage) -> None:
    press(stage, proposed(stage))
    run_id = next_monday(stage)
    needed = kept(stage, "needed.log", run_id)
    assert finish(stage, run_id)
    stage.tamper("update slot set state = 'halted'")

    after(stage, 200)

    assert is_there(stage, needed)


def test_attachments_have_a_time_of_their_own(stage: Stage) -> None:
    press(stage, proposed(stage))
    run_id = next_monday(stage)
    sha256 = stage.worker(0).blobs.keep(lambda into: into.write(b"a chart") and None).sha256
    assert finish(stage, run_id)
    with stage.behind.transaction() as session:
        session.get_one(Run, run_id).kept = {"chart.png": sha256}

    after(stage, 49)
    assert is_there(stage, sha256)
    after(stage, 2)
    assert not is_there(stage, sha256)
    assert stage.one("select kept from run") == {}


def test_it_is_queued_once_a_day(stage: Stage) -> None:
    for hours in (0, 1, 24):
        stage.time.at += timedelta(hours=hours)
        with stage.behind.transaction() as session:
            tidy.queue_daily(session, stage.time.now())

    assert [name for name, _ in waiting(stage.behind)] == ["tidy", "tidy"]
