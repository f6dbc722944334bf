"""A source in which old files stay: each slot gets what no report before was made from, by name and content."""

from __future__ import annotations

import os
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import pytest

from bot.work import hold, run
from bot.work.collect import look
from library.manifest import FilesSource
from sandbox.execute import SlotFacts
from sandbox.outcome import Surprised
from tests.approval.hands import finish
from tests.approval.stage import Stage
from tests.work.test_collect import Lab

NEW_ONLY = '"]\ntake = "new"'


@pytest.fixture
def new_lab(stage: Stage, tmp_path: Path) -> Callable[..., Lab]:
    (tmp_path / "lab").mkdir()
    sources = {"lab": {"root": str(tmp_path / "lab")}}

    def new(more: str = "", terms: str = "") -> Lab:
        source = f'kind = "files"\nfiles = ["{tmp_path}/lab/*.log{NEW_ONLY}{more}'
        return Lab(stage, tmp_path / "lab", source, sources, terms)

    return new


def reported(lab: Lab, run_id: int) -> dict[str, bytes]:
    """A slot whose report went out; what it was made from."""
    given = lab.inputs(run_id)
    assert not isinstance(given, Surprised), given.message
    run._note_inputs(lab.parts(), run_id, given)
    assert finish(lab.stage, run_id)
    return lab.read(given)


def test_what_a_report_was_made_from_is_not_taken_again(new_lab: Callable[..., Lab]) -> None:
    lab = new_lab()
    lab.put("a.log", b"1")
    assert reported(lab, lab.monday()) == {"a.log": b"1"}

    lab.put("b.log", b"2")
    assert reported(lab, lab.monday()) == {"b.log": b"2"}

    lab.put("a.log", b"1, and more")  # a file that changed is new
    assert reported(lab, lab.monday()) == {"a.log": b"1, and more"}


def test_a_file_that_was_only_touched_is_not_new(new_lab: Callable[..., Lab]) -> None:
    lab = new_lab()
    lab.put("a.log", b"1")
    reported(lab, lab.monday())

    os.utime(lab.folder / "a.log", (1_900_000_000, 1_900_000_000))
    lab.put("b.log", b"2")
    run_id = lab.monday()
    assert lab.read(lab.inputs(run_id)) == {"b.log": b"2"}
    assert lab.read(lab.inputs(run_id)) == {"b.log": b"2"}  # and so for every attempt


def test_nothing_new_is_a_surprise_that_says_how_many_files_are_there(new_lab: Callable[..., Lab]) -> None:
    lab = new_lab()
    lab.put("a.log", b"1")
    lab.put("b.log", b"2")
    reported(lab, lab.monday())

    found = lab.inputs(lab.monday())

    assert isinstance(found, Surprised)
    assert (found.name, found.seen) == ("NothingNew", "2 files, none of them new")
    assert str(lab.folder) in found.message


def test_what_a_halted_slot_had_stays_new(new_lab: Callable[..., Lab]) -> None:
    lab = new_lab()
    lab.put("a.log", b"1")
    halted = lab.monday()
    run._note_inputs(lab.parts(), halted, lab.inputs(halted))  # type: ignore[arg-type]
    assert finish(lab.stage, halted, Surprised("OddFile", "odd", "", ""))

    lab.put("b.log", b"2")
    assert reported(lab, lab.monday()) == {"a.log": b"1", "b.log": b"2"}


def test_a_slot_that_is_run_again_gets_what_it_had(new_lab: Callable[..., Lab]) -> None:
    lab = new_lab()
    lab.put("a.log", b"1")
    first = lab.monday()
    reported(lab, first)
    lab.put("b.log", b"2")
    reported(lab, lab.monday())

    assert lab.read(lab.inputs(first)) == {"a.log": b"1"}


def test_what_was_there_before_the_routine_began_is_left_alone(new_lab: Callable[..., Lab]) -> None:
    lab = new_lab('\nafter = "2026-09-07T05:00:00+00:00"')
    for name, day in (("old.log", "2026-09-06"), ("young.log", "2026-09-08")):
        lab.put(name, name.encode())
        at = datetime.fromisoformat(f"{day}T12:00:00+00:00").timestamp()
        os.utime(lab.folder / name, (at, at))

    assert reported(lab, lab.monday()) == {"young.log": b"young.log"}


def test_files_that_are_waited_for_are_new_ones(new_lab: Callable[..., Lab]) -> None:
    lab = new_lab(terms='wait_until = "10:00"\nwait_files = 1')
    lab.put("a.log", b"1")
    reported(lab, lab.monday())
    run_id = lab.monday()
    lab.stage.time.at = lab.stage.one("select max(due_at) from slot")
    assert hold.is_held(lab.parts(), run_id)

    lab.put("b.log", b"2")
    assert not hold.is_held(lab.parts(), run_id)


def test_without_a_holder_a_look_tells_all_that_is_there(new_lab: Callable[..., Lab]) -> None:
    lab = new_lab()
    lab.put("a.log", b"1")
    reported(lab, lab.monday())
    now = lab.stage.time.now()
    source = FilesSource((f"{lab.folder}/*.log",), only_new=True)
    assert [one.name for one in look(lab.parts(), source, SlotFacts(now, now, now, "UTC"))] == ["a.log"]
