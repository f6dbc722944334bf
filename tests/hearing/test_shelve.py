"""Scripts of the team's own as folders: taken in after a rehearsal in a box, listed, and written out the same."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bot.store import proven
from bot.store.session import Database
from bot.work import shelve
from library.catalog import load_catalog
from library.manifest_text import read_manifest, write_manifest
from tests.hearing.hall import FACTS, Hall, library_plan, sample_of

SCRIPT = load_catalog()["totals-by-category"]
NOW = datetime(2026, 9, 7, tzinfo=UTC)


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


def test_a_folder_is_rehearsed_taken_in_found_and_written_out_again(
    database: Database, hall: Hall, tmp_path: Path
) -> None:
    folder = a_folder(hall, tmp_path / "site-spend")

    said = shelve.taken_in(database, hall.boxes, folder, NOW)

    assert "site-spend was rehearsed twice on 3 files" in said
    assert "approved" in shelve.listed(database)
    with database.transaction() as session:
        [(entry, shared)] = proven.sharing_words(session, "T1", "what did the sites spend?")
        assert (entry.name, shared, entry.last_good_at) == ("site-spend", {"site", "spend"}, None)
    out = shelve.written(database, "site-spend", tmp_path / "git")
    assert (out / "plan.py").read_bytes() == (folder / "plan.py").read_bytes()
    with pytest.raises(shelve.ShelfProblem, match="exists already"):
        shelve.written(database, "site-spend", tmp_path / "git")
    with pytest.raises(shelve.ShelfProblem, match="already, but for its parameters"):
        shelve.taken_in(database, hall.boxes, folder, NOW)


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

    with pytest.raises(shelve.ShelfProblem, match=why):
        shelve.taken_in(database, hall.boxes, folder, NOW)

    with database.transaction() as session:
        assert proven.entries(session) == []


def test_a_folder_without_a_sample_is_told_what_it_needs(database: Database, hall: Hall, tmp_path: Path) -> None:
    folder = a_folder(hall, tmp_path / "site-spend")
    for path in (folder / "inputs").iterdir():
        path.unlink()

    with pytest.raises(shelve.ShelfProblem, match="Put the files of one slot into"):
        shelve.taken_in(database, hall.boxes, folder, NOW)
