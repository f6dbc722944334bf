"""Which proven script a request gets: a team's own where the files are alike, with the library's as runners-up."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bot.agent.picker import NoFit, Pick, pick
from bot.agent.wanted import Wanted
from bot.domain.own import Own
from bot.domain.request import read
from library.catalog import load_catalog
from library.manifest import ChannelSource
from library.manifest_text import read_manifest, write_manifest
from library.match import Spoken
from library.own_script import script_of
from sandbox.sample import Sample
from sandbox.shape import shape_of
from tests import inside
from tests.library.conftest import a_plan

ASKED = "Every Monday at 07:00 post the total yield per category of the reactors"
PLAN = b"from kit import check, inputs, report\n"
ROWS = b"date,category,amount\n" + b"".join(b"2026-09-0%d,a%d,%d.50\n" % (n % 6 + 1, n % 3, 100 + n) for n in range(40))


def samples_of(folder: Path, **files: bytes) -> list[Sample]:
    for name, data in files.items():
        (folder / f"{name}.csv").write_bytes(data)
    return inside.samples([folder / f"{name}.csv" for name in sorted(files)])


def an_own(samples: list[Sample], *shared: str) -> Own:
    """A plan of the team's own that was made for files like these."""
    folder = a_plan(load_catalog()["top-list"], {"top": 3})
    manifest = replace(read_manifest(folder.files["plan.toml"]), title="Yield of reactors", script="")
    script = script_of("weekly-yield", PLAN, folder.files["report.md"], write_manifest(manifest).encode())
    shape = shape_of([one.facts for one in samples])
    at = datetime(2026, 9, 7, tzinfo=UTC)
    return Own("weekly-yield", script, manifest.parameters, shape, frozenset(shared), "Bob", 3, at, "CAROL")


def wanted(text: str = ASKED) -> Wanted:
    return Wanted(
        wish=read(text, "07:00"),
        channel_id="C9",
        zone="UTC",
        routine_name="",
        taken_names={"weekly-yield"},
        answers={},
        destinations={},
        allowed_domains=(),
        default_time="07:00",
        box_image="test",
        asked_at=datetime(2026, 9, 7, tzinfo=UTC),
    )


def test_a_plan_of_the_teams_own_is_proposed_anew_for_files_of_its_shape(
    tmp_path: Path, spoken: Callable[[str], Spoken]
) -> None:
    samples = samples_of(tmp_path, a=ROWS)

    found = pick(wanted(), samples, spoken(ASKED), [an_own(samples, "yield", "reactor", "total")])

    assert isinstance(found, Pick)
    assert found.own is not None
    assert found.folder.files["plan.py"] == PLAN
    assert (found.manifest.name, found.manifest.script) == ("weekly-yield-2", "")
    # Its number says nothing to people: its title has what was asked for
    assert found.manifest.title == "Yield of reactors: post the total yield per category of the reactors"
    assert (found.manifest.source, found.manifest.parameters) == (ChannelSource("C9"), {"top": 3})
    assert "weekly-yield of this team, approved by Bob; 3 clean runs" in found.manifest.why
    assert "Also considered: Totals by category" in found.manifest.why
    assert found.newest_at == datetime(2026, 9, 6, tzinfo=UTC)


def test_files_of_its_shape_under_other_names_are_those_it_expects_from_now_on(
    tmp_path: Path, spoken: Callable[[str], Spoken]
) -> None:
    own = an_own(samples_of(tmp_path, north=ROWS), "yield", "reactor", "total")
    own = replace(own, parameters={**own.parameters, "expected_files": {"north.csv": 1}})

    found = pick(wanted(), samples_of(tmp_path, east=ROWS, west=ROWS), spoken(ASKED), [own])

    assert isinstance(found, Pick)
    assert found.own is own
    assert found.manifest.parameters == {"top": 3, "expected_files": {"east.csv": 1, "west.csv": 1}}


@pytest.mark.parametrize(
    ("rows", "shared"),
    [
        (ROWS.replace(b"amount", b"amount_eur"), ("yield", "reactor", "total")),
        (ROWS, ("yield",)),
    ],
    ids=["another column", "too few words"],
)
def test_files_of_another_shape_or_too_few_words_get_the_librarys_script(
    tmp_path: Path, spoken: Callable[[str], Spoken], rows: bytes, shared: tuple[str, ...]
) -> None:
    own = an_own(samples_of(tmp_path, a=ROWS), *shared)

    found = pick(wanted(), samples_of(tmp_path, a=rows), spoken(ASKED), [own])

    assert isinstance(found, Pick)
    assert (found.own, found.manifest.script) == (None, "totals-by-category")


PAGE = b"<!DOCTYPE html><html><body>Log in</body></html>\n"


def test_what_cannot_be_read_is_said_before_anything_else(tmp_path: Path, spoken: Callable[[str], Spoken]) -> None:
    found = pick(wanted(), samples_of(tmp_path, page=PAGE), spoken(ASKED), [])
    assert isinstance(found, NoFit)
    assert found.why.startswith("page.csv cannot be used: it is an HTML page")
    assert "post the data itself here" in found.why and "ANTHROPIC_API_KEY" not in found.why

    found = pick(wanted(), samples_of(tmp_path, page=PAGE, words=b"hello\nthere\n"), spoken(ASKED), [])
    assert isinstance(found, NoFit)
    assert found.why.startswith("page.csv cannot be used: it is an HTML page")
    assert "None of my proven scripts fits" in found.why


def test_a_request_that_no_script_knows_is_told_which_of_its_words_those_are(
    tmp_path: Path, spoken: Callable[[str], Spoken]
) -> None:
    text = "Every Monday draw a heatmap of the amounts"

    found = pick(wanted(text), samples_of(tmp_path, a=ROWS), spoken(text), [])

    assert isinstance(found, NoFit)
    assert "Not understood: “draw a heatmap" in found.why
    assert "Top list" in found.why and "Log error summary" not in found.why  # of those that read tables
