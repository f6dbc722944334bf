"""Scripts of the team's own as folders: written out with a sample, and taken in after all that a draft passes."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bot.domain.words import RunState
from bot.store import proven
from bot.store.blobs import Blobs
from bot.store.plans import known
from bot.store.session import Database
from bot.store.tables_plans import PlanFile
from bot.store.tables_runs import RunInput
from bot.work import shelve
from bot.work.shelve import ShelfProblem
from bot.work.take_in import taken_in
from library.catalog import load_catalog
from library.manifest import EmailDestination
from library.manifest_text import read_manifest, write_manifest
from tests.hearing.hall import FACTS, Hall, a_plan, library_plan, sample_of
from tests.store.rows import a_routine, a_run
from tests.store.test_proven import an_approved

SCRIPT = load_catalog()["totals-by-category"]
NOW = datetime(2026, 9, 7, tzinfo=UTC)
DIARY = """
from kit import check, inputs, report

lines = [line for file in inputs() for line in file.path.read_text().splitlines()]
check("NoLines", all(file.path.stat().st_size for file in inputs()), "a file holds no line", expected="lines")
report(said=str(len(lines)))
"""


def a_folder(hall: Hall, at: Path, change: tuple[bytes, bytes] = (b"PartsAgree", b"PartsAgree")) -> Path:
    """A folder as `standby export` writes it, with a sample: a script of the library, changed by a person."""
    samples = hall.samples(sample_of(SCRIPT))
    plan = library_plan(SCRIPT, samples)
    manifest = replace(read_manifest(plan.files["plan.toml"]), script="", title="Spend of our sites")
    source = plan.files["plan.py"].replace(b"rows_read = 0\n", b"rows_read = 0\nours = True\n").replace(*change)
    files = {**plan.files, "plan.py": source, "plan.toml": write_manifest(manifest).encode()}
    replace(plan, files=files).write(at)
    (at / "inputs").mkdir()
    for name, data in sample_of(SCRIPT).items():
        (at / "inputs" / name).write_bytes(data)
    (at / "slot.json").write_bytes(FACTS.as_json())
    return at


def a_diary(hall: Hall, at: Path, days: int = 40) -> Path:
    """A folder around a small script of a person's, over files of plain words."""
    files = {f"{place}.txt": f"{place}: all quiet\n".encode() * days for place in ("dock", "yard")}
    samples = hall.samples(files)
    plan = a_plan(DIARY, samples, drift="file-empty", checks=("NoLines",))
    manifest = replace(read_manifest(plan.files["plan.toml"]), title="Lines of the site diary")
    recipients = EmailDestination("lab list", ("lab@example.org",))
    manifest = replace(manifest, destinations=(*manifest.destinations, recipients))
    replace(plan, files={**plan.files, "plan.toml": write_manifest(manifest).encode()}).write(at)
    (at / "inputs").mkdir()
    for name, data in files.items():
        (at / "inputs" / name).write_bytes(data)
    return at


def a_clean_run(database: Database, blobs: Blobs, folder: Path) -> None:
    """The folder's plan as that of an approved routine whose last run, over its inputs, came to a report."""
    with database.transaction() as session:
        plan = an_approved(session, a_routine(session, folder.name), (folder / "plan.py").read_bytes())
        for name in ("plan.toml", "report.md", "shape.json"):
            session.get_one(PlanFile, (plan.id, name)).body = (folder / name).read_bytes()
        run = a_run(session, plan, NOW, RunState.REPORTED)
        for path in (folder / "inputs").iterdir():
            kept = blobs.keep(lambda into, path=path: into.write(path.read_bytes()) and None)
            session.add(RunInput(run_id=known(run.id), name=path.name, sha256=kept.sha256, size_bytes=kept.size_bytes))
        proven.note_clean_run(session, known(plan.id), NOW, 1, ())


def test_what_ran_clean_here_is_written_out_with_its_sample_and_taken_in_elsewhere(
    database: Database, fresh_database: Callable[[], str], hall: Hall, tmp_path: Path
) -> None:
    # Given a plan of the team's own that ran clean over the files of a week
    blobs = Blobs(str(tmp_path / "blobs"))
    folder = a_diary(hall, tmp_path / "site-diary")
    a_clean_run(database, blobs, folder)

    # When it is written out, then the folder holds those files, tells so, and tells nobody where it read and posted
    said = shelve.written(database, blobs, "site-diary", tmp_path / "git")
    out = tmp_path / "git" / "site-diary"
    assert "2 files" in said and "this team's own data, whole" in said
    assert (out / "plan.py").read_bytes() == (folder / "plan.py").read_bytes()
    assert {path.name for path in (out / "inputs").iterdir()} == {"dock.txt", "yard.txt"}
    assert "lab@example.org" in (folder / "plan.toml").read_text()
    assert "lab@example.org" not in (out / "plan.toml").read_text() + (out / "slot.json").read_text()
    with pytest.raises(ShelfProblem, match="exists already"):
        shelve.written(database, blobs, "site-diary", tmp_path / "git")

    # When another installation takes it in, then it says how well it hears, and finds it for requests from now on
    with closing(Database(fresh_database())) as elsewhere:
        said = taken_in(elsewhere, hall.boxes, out, NOW)
        assert "site-diary was rehearsed twice on 2 files" in said
        assert "ways in which these files could change were tried; it copes with" in said
        assert "- It would not notice: " in said
        with elsewhere.transaction() as session:
            [(entry, shared)] = proven.sharing_words(session, "T9", "what do the site diaries say?")
            assert (entry.name, shared, entry.last_good_at) == ("site-diary", {"site", "diari"}, None)
        with pytest.raises(ShelfProblem, match="already, but for its parameters"):
            taken_in(elsewhere, hall.boxes, out, NOW)

        # And what was imported has no sample of its own here, which is said
        assert "Its inputs/ are empty, since it was imported" in shelve.written(
            elsewhere, blobs, "site-diary", tmp_path / "again"
        )


def test_a_sample_too_large_for_git_is_cut_at_the_end_of_a_line(tmp_path: Path, database: Database, hall: Hall) -> None:
    blobs = Blobs(str(tmp_path / "blobs"))
    a_clean_run(database, blobs, a_diary(hall, tmp_path / "site-diary", days=90_000))

    said = shelve.written(database, blobs, "site-diary", tmp_path / "git")

    cut = (tmp_path / "git" / "site-diary" / "inputs" / "dock.txt").read_bytes()
    assert "the first lines of 2,880,000" in said
    assert 900_000 < len(cut) <= shelve.SAMPLE_BYTES / 2
    assert cut.endswith(b"dock: all quiet\n")


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ((b"from kit import (", b"import socket\nfrom kit import ("), "imports socket"),
        pytest.param((b"check_steady(file", b"print(file"), "raised|twice|declares|check", marks=pytest.mark.slow),
        pytest.param((b"whole = sum(", b"whole = 1 / 0 * sum("), "ZeroDivisionError", marks=pytest.mark.slow),
        ((b"ours = True\n", b""), "the library has already"),
    ],
    ids=["gate", "a check that is gone", "crash", "twin"],
)
def test_what_does_not_pass_is_not_taken_in(
    database: Database, hall: Hall, tmp_path: Path, change: tuple[bytes, bytes], why: str
) -> None:
    folder = a_folder(hall, tmp_path / "site-spend", change)

    with pytest.raises(ShelfProblem, match=why):
        taken_in(database, hall.boxes, folder, NOW)

    with database.transaction() as session:
        assert proven.entries(session) == []


def test_a_folder_without_a_sample_is_told_what_it_needs(database: Database, hall: Hall, tmp_path: Path) -> None:
    folder = a_folder(hall, tmp_path / "site-spend")
    for path in (folder / "inputs").iterdir():
        path.unlink()

    with pytest.raises(ShelfProblem, match="Put the files of one slot into"):
        taken_in(database, hall.boxes, folder, NOW)


@pytest.mark.parametrize("name", ["inputs/dock.txt", "report.md"])
def test_a_folder_of_strangers_leads_to_no_file_of_this_computer(
    database: Database, hall: Hall, tmp_path: Path, name: str
) -> None:
    folder = a_diary(hall, tmp_path / "site-diary")
    (folder / name).unlink()
    (folder / name).symlink_to("/etc/passwd")

    with pytest.raises(ShelfProblem, match="has links"):
        taken_in(database, hall.boxes, folder, NOW)


def test_a_plan_without_checks_is_not_taken_in(database: Database, hall: Hall, tmp_path: Path) -> None:
    folder = a_folder(hall, tmp_path / "site-spend")
    manifest = read_manifest((folder / "plan.toml").read_bytes())
    (folder / "plan.toml").write_text(write_manifest(replace(manifest, checks=())))

    with pytest.raises(ShelfProblem, match="declares no check, so nothing could halt it"):
        taken_in(database, hall.boxes, folder, NOW)
