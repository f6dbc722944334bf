"""A slot's files from a source: taken once, whole or not at all; what is odd is a surprise, no source a fault."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars
import pytest
from sqlalchemy.engine import make_url

from bot.domain.ports import WorkspaceFile
from bot.domain.words import Verb
from bot.source_settings import SourceSettings
from bot.store.collected import Holder
from bot.store.tables import Run, Slot
from bot.store.talk import note_file
from bot.work import hold, inputs, run, tidy
from bot.work.collect import collect
from bot.work.parts import JobParts
from bot.work.slot_facts import slot_facts
from bot.work.staging import Input
from library.manifest_text import read_manifest
from sandbox.outcome import Surprised
from tests.approval.hands import finish, next_monday, press
from tests.approval.outside import LAB, TEAM
from tests.approval.stage import Stage, files
from tests.sources.web_peer import Page, WebPeer, web_peer
from tests.work.queued import waiting

CHANNEL = 'kind = "channel"\nchannel = "C0LAB000001"'


class Lab:
    """A routine that reads from sources, its folder, and a hand that runs its slots."""

    def __init__(self, stage: Stage, folder: Path, source: str, sources: dict[str, dict[str, Any]], terms: str) -> None:
        self.stage, self.folder = stage, folder
        self.sources = {name: SourceSettings.model_validate(one) for name, one in sources.items()}
        task = stage.new_task("1.0")
        plan = files("weekly-error-report", "count")
        manifest = plan["plan.toml"].decode().replace(CHANNEL, source, 1)
        plan["plan.toml"] = manifest.replace("[source]", f"{terms}\n[source]").encode()
        self.plan_id = stage.propose(task, plan, "ALICE", "", None)
        assert press(stage, self.plan_id).accepted

    def put(self, name: str, body: bytes) -> None:
        (self.folder / name).write_bytes(body)

    def parts(self, **settings: Any) -> JobParts:
        worker = self.stage.worker(0)
        return replace(worker, settings=worker.settings.model_copy(update={"sources": self.sources, **settings}))

    def monday(self) -> int:
        """The id of the next slot's run."""
        return next_monday(self.stage)

    def inputs(self, run_id: int, **settings: Any) -> list[Input] | Surprised:
        """What the run would be given."""
        return self.inputs_with(self.parts(**settings), run_id)

    def inputs_with(self, parts: JobParts, run_id: int) -> list[Input] | Surprised:
        with parts.db.transaction() as session:
            row = session.get_one(Run, run_id)
            slot = session.get_one(Slot, row.slot_id)
            manifest = read_manifest(self.stage.rows("select body from plan_file where name = 'plan.toml'")[0][0])
            facts = slot_facts(session, slot, manifest)
        found = inputs.inputs_of_slot(parts, row.slot_id, row.plan_id, manifest, facts)
        return found if isinstance(found, Surprised) else [Input(o.name, o.sha256, o.size_bytes) for o in found]

    def read(self, given: list[Input] | Surprised) -> dict[str, bytes]:
        assert not isinstance(given, Surprised), given.message
        blobs = self.parts().blobs
        return {one.name: blobs.open(one.sha256).read() for one in given}

    def told(self, run_id: int) -> tuple[str, str, str]:
        """State of the slot, what it is called, and the words."""
        return self.stage.rows(
            "select slot.state, surprise.name, surprise.body->>'message' from run join slot on slot.id = slot_id"
            " join surprise on surprise.id = slot.surprise_id where run.id = :r", r=run_id,
        )[0]  # fmt: skip


@pytest.fixture
def new_lab(stage: Stage, tmp_path: Path) -> Callable[..., Lab]:
    (tmp_path / "lab").mkdir()
    pattern = f"{tmp_path}/lab/*.log"

    def new(pattern: str = pattern, terms: str = "", **sources: dict[str, Any]) -> Lab:
        there = sources or {"lab": {"root": str(tmp_path / "lab")}}
        return Lab(stage, tmp_path / "lab", f'kind = "files"\nfiles = ["{pattern}"]', there, terms)

    return new


def test_a_slot_gets_what_its_days_mean(new_lab: Callable[..., Lab], tmp_path: Path) -> None:
    lab = new_lab(f"{tmp_path}/lab/*-{{since:%G-W%V}}.log")
    run_id = lab.monday()
    lab.put("mill-2026-W49.log", b"this week")
    lab.put("mill-2026-W48.log", b"another week")
    assert lab.read(lab.inputs(run_id)) == {"mill-2026-W49.log": b"this week"}


def test_what_was_taken_for_a_slot_stays_its_input_until_somebody_reruns_it(new_lab: Callable[..., Lab]) -> None:
    lab = new_lab()
    lab.put("a.log", b"monday")
    run_id = lab.monday()
    lab.inputs(run_id)
    lab.put("a.log", b"tuesday")
    assert lab.read(lab.inputs(run_id)) == {"a.log": b"monday"}

    assert finish(lab.stage, run_id, Surprised("OddFile", "odd", "", ""))
    surprise = lab.stage.one("select max(id) from surprise")
    button = lab.stage.button_of_surprise(surprise, Verb.RERUN)
    lab.stage.worker(0)
    again = _press_rerun(lab, button, surprise)
    assert lab.read(lab.inputs(again)) == {"a.log": b"tuesday"}


def _press_rerun(lab: Lab, button: str, surprise: int) -> int:
    from bot.domain.ports import MessageRef  # noqa: PLC0415
    from bot.work import decide, tell  # noqa: PLC0415
    from tests.approval.hands import person  # noqa: PLC0415

    tell.tell(lab.parts(), surprise)
    channel, ts = lab.stage.rows("select channel_id, ts from post where key = :k", k=f"surprise:{surprise}")[0]
    answer = decide.press(lab.parts(), button, Verb.RERUN, person("BOB"), MessageRef(channel, ts))
    assert answer.accepted, answer.text
    return int(lab.stage.one("select max(id) from run"))


def test_an_attempt_goes_on_where_the_one_before_it_ended(stage: Stage, tmp_path: Path) -> None:
    with web_peer() as web:
        web.pages = {"/a.csv": Page(b"a" * 10), "/b.csv": Page(status=503)}
        source = f'kind = "files"\nfiles = ["{web.url("/a.csv")}", "{web.url("/b.csv")}"]'
        lab = Lab(stage, tmp_path, source, {"web": {"root": web.url("/"), "private": True}}, "")
        web.pages["/b.csv"] = Page(b"b" * 10, cut_at=1, cuts=99)
        run_id = lab.monday()
        run.run(lab.parts(), run_id)
        assert stage.one("select source_tries from run where id = :r", r=run_id) == 1
        assert stage.rows("select name from collected") == [("a.csv",)]
        assert _gets(web, "/a.csv") == 1

        web.pages["/b.csv"] = Page(b"b" * 10)
        assert lab.read(lab.inputs(run_id)) == {"a.csv": b"a" * 10, "b.csv": b"b" * 10}
        assert _gets(web, "/a.csv") == 1


def _gets(web: WebPeer, path: str) -> int:
    return sum(method == "GET" and asked == path for method, asked, _ in web.asked)


def _told_after_four_tries(lab: Lab, run_id: int) -> str:
    for tries in range(1, 4):
        run.run(lab.parts(), run_id)
        assert lab.stage.rows("select state, source_tries from run where id = :r", r=run_id) == [("queued", tries)]
    run.run(lab.parts(), run_id)
    state, name, message = lab.told(run_id)
    assert (state, name) == ("failed", "source")
    assert "tried 4 times" in message
    return message


def test_a_source_that_stays_away_is_a_fault_and_wakes_nobody(new_lab: Callable[..., Lab]) -> None:
    address = "http://127.0.0.1:9/a.csv"
    lab = new_lab(address, web={"root": "http://127.0.0.1:9/", "private": True})
    run_id = lab.monday()
    message = _told_after_four_tries(lab, run_id)
    assert address in message
    assert "resume" not in [job for job, _ in waiting(lab.stage.behind)]


def test_files_that_slack_does_not_hand_out_just_now_are_asked_for_again(stage: Stage, tmp_path: Path) -> None:
    lab = Lab(stage, tmp_path, CHANNEL, {}, "")
    with lab.parts().db.transaction() as session:
        file = WorkspaceFile("F1", "a.log", 9, "text/plain", "https://files.slack.com/F1")
        note_file(session, TEAM, LAB, "2.0", "ALICE", stage.time.now(), file)
    run_id = lab.monday()
    stage.channel.is_away = True
    message = _told_after_four_tries(lab, run_id)
    assert "a.log could not be fetched just now" in message


def test_a_wrong_login_is_a_fault_at_once(stage: Stage, tmp_path: Path) -> None:
    with web_peer() as web:
        web.pages["/a.csv"] = Page(b"x", login="Bearer right-token")
        sources = {"web": {"root": web.url("/"), "private": True, "token": "wrong-token"}}
        lab = Lab(stage, tmp_path, f'kind = "files"\nfiles = ["{web.url("/a.csv")}"]', sources, "")
        run_id = lab.monday()
        run.run(lab.parts(), run_id)
    state, name, message = lab.told(run_id)
    assert (state, name) == ("failed", "source")
    assert "STANDBY_SOURCES" in message
    assert "wrong-token" not in message


def test_a_setting_that_was_taken_away_stops_the_routine_in_words(new_lab: Callable[..., Lab]) -> None:
    lab = new_lab()
    lab.put("a.log", b"x")
    lab.sources = {}
    run_id = lab.monday()
    run.run(lab.parts(), run_id)
    assert lab.told(run_id)[:2] == ("failed", "source")
    assert "no source of its settings covers it for this channel" in lab.told(run_id)[2]


def test_nothing_there_is_a_surprise(new_lab: Callable[..., Lab]) -> None:
    lab = new_lab()
    found = lab.inputs(lab.monday())
    assert isinstance(found, Surprised)
    assert found.name == "NoInput"
    assert str(lab.folder) in found.message


def test_two_names_for_the_same_bytes_are_a_surprise(new_lab: Callable[..., Lab]) -> None:
    lab = new_lab()
    lab.put("a.log", b"same")
    lab.put("b.log", b"same")
    found = lab.inputs(lab.monday())
    assert isinstance(found, Surprised)
    assert found.name == "SameContent"


def test_the_same_bytes_as_for_the_report_before_are_a_surprise(new_lab: Callable[..., Lab]) -> None:
    lab = new_lab()
    lab.put("a.log", b"week 49")
    first = lab.monday()
    given = lab.inputs(first)
    assert not isinstance(given, Surprised)
    run._note_inputs(lab.parts(), first, given)
    assert finish(lab.stage, first)

    second = lab.monday()
    stale = lab.inputs(second)
    assert isinstance(stale, Surprised)
    assert stale.name == "Unchanged"
    assert finish(lab.stage, second, stale)

    lab.put("a.log", b"week 51")
    assert lab.read(lab.inputs(lab.monday())) == {"a.log": b"week 51"}


def test_files_that_come_late_are_waited_for(new_lab: Callable[..., Lab]) -> None:
    lab = new_lab(terms='wait_until = "10:00"\nwait_files = 2')
    lab.put("a.log", b"1")
    run_id = lab.monday()
    lab.stage.time.at = lab.stage.one("select max(due_at) from slot")
    assert hold.is_held(lab.parts(), run_id)

    lab.put("b.log", b"2")
    assert not hold.is_held(lab.parts(), run_id)


def test_files_that_never_come_halt_the_slot_when_the_wait_is_over(new_lab: Callable[..., Lab]) -> None:
    lab = new_lab(terms='wait_until = "10:00"\nwait_files = 2')
    lab.put("a.log", b"1")
    run_id = lab.monday()
    due_at = lab.stage.one("select max(due_at) from slot")
    lab.stage.time.at = due_at.replace(hour=9, minute=1)  # 10:01 in Oslo
    assert hold.is_held(lab.parts(), run_id)
    assert lab.told(run_id)[:2] == ("halted", "FilesMissing")


@pytest.mark.slow
def test_ten_thousand_small_files_are_taken(new_lab: Callable[..., Lab]) -> None:
    lab = new_lab()
    for number in range(10_000):
        lab.put(f"{number:05}.log", b"%d" % number)
    found = lab.inputs(lab.monday())
    assert not isinstance(found, Surprised)
    assert len(found) == 10_000


def test_what_was_taken_goes_after_its_time(new_lab: Callable[..., Lab]) -> None:
    lab = new_lab()
    lab.put("a.log", b"old")
    run_id = lab.monday()
    (one,) = lab.inputs(run_id)  # type: ignore[misc]
    assert finish(lab.stage, run_id)
    lab.stage.tamper("update slot set state = 'delivered'")
    for days, is_there in ((99, True), (2, False)):
        lab.stage.time.pass_by(days=days)
        tidy.tidy(lab.parts(keep_inputs_days=100))
        assert (lab.stage.one("select sha256 from collected") == one.sha256) is is_there
    with pytest.raises(FileNotFoundError):
        lab.parts().blobs.open(one.sha256)


def test_a_task_takes_again_only_what_changed(stage: Stage, new_lab: Callable[..., Lab]) -> None:
    lab = new_lab()
    lab.put("a.log", b"1")
    run_id = lab.monday()
    parts = lab.parts()
    with parts.db.transaction() as session:
        slot = session.get_one(Slot, session.get_one(Run, run_id).slot_id)
        manifest = read_manifest(stage.rows("select body from plan_file where name = 'plan.toml'")[0][0])
        facts = slot_facts(session, slot, manifest)
    holder = Holder(task_id=int(stage.one("select max(id) from task")))
    collect(parts, manifest.source, facts, holder)  # type: ignore[arg-type]
    first = stage.rows("select id from collected order by name")
    lab.put("b.log", b"2")
    collect(parts, manifest.source, facts, holder)  # type: ignore[arg-type]
    assert stage.rows("select id from collected order by name")[:1] == first
    assert stage.one("select count(*) from collected") == 2


def test_a_source_of_other_channels_is_none_here(new_lab: Callable[..., Lab], tmp_path: Path) -> None:
    lab = new_lab(lab={"root": str(tmp_path / "lab"), "channels": ["C0OTHER00001"]})
    lab.put("a.log", b"x")
    run_id = lab.monday()
    run.run(lab.parts(), run_id)
    assert lab.told(run_id)[:2] == ("failed", "source")
    assert "covers it for this channel" in lab.told(run_id)[2]


def test_the_rows_of_a_query_are_a_slots_file_and_stay_it(stage: Stage, tmp_path: Path, database_url: str) -> None:
    address = make_url(database_url)
    root = address._replace(drivername="postgresql", username=None, password=None).render_as_string(hide_password=False)
    query = "select {slot}::timestamptz as due, now() as asked"
    source = f'kind = "query"\nconnection = "books"\nquery = "{query}"\nfile = "rows.parquet"'
    lab = Lab(stage, tmp_path, source, {"books": {"root": root, "user": address.username}}, "")
    run_id = lab.monday()
    first = lab.read(lab.inputs(run_id))
    found = polars.read_parquet(first["rows.parquet"])
    assert found["due"][0] == stage.one("select max(due_at) from slot")
    assert lab.read(lab.inputs(run_id)) == first

    lab.sources = {}
    assert lab.read(lab.inputs(run_id)) == first  # it was taken already


def test_a_source_that_cannot_be_looked_at_is_no_missing_file(new_lab: Callable[..., Lab]) -> None:
    away = {"root": "http://127.0.0.1:9/", "private": True}
    lab = new_lab("http://127.0.0.1:9/a.csv", terms='wait_until = "10:00"', web=away)
    run_id = lab.monday()
    due_at = lab.stage.one("select max(due_at) from slot")
    lab.stage.time.at = due_at
    assert hold.is_held(lab.parts(), run_id)
    lab.stage.time.at = due_at.replace(hour=9, minute=1)  # 10:01 in Oslo
    assert not hold.is_held(lab.parts(), run_id)
    assert lab.stage.one("select state from run where id = :r", r=run_id) == "queued"


def test_a_source_that_answers_late_makes_no_slot_too_late(new_lab: Callable[..., Lab]) -> None:
    lab = new_lab(
        "http://127.0.0.1:9/a.csv", terms="late_min = 5", web={"root": "http://127.0.0.1:9/", "private": True}
    )
    run_id = lab.monday()
    lab.stage.time.at = lab.stage.one("select max(due_at) from slot")
    run.run(lab.parts(), run_id)
    lab.stage.time.pass_by(days=10 / 1440)
    for _ in range(3):
        run.run(lab.parts(), run_id)
    assert lab.told(run_id)[:2] == ("failed", "source")
