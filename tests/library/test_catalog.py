"""The library's script folders: complete, golden on their own sample, short enough to be read on a card."""

import pytest

from library.catalog import CatalogError, load_catalog
from library.fill import fill
from library.manifest_text import read_manifest
from sandbox.drifts import DRIFTS
from sandbox.outcome import Report, Surprised
from tests.library.conftest import a_plan

SCRIPTS = sorted(load_catalog())


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_script_makes_its_expected_report_of_its_own_sample(lab, catalog, name):
    script = catalog[name]
    sample = {path.name: path.read_bytes() for path in sorted((script.folder / "sample").iterdir())}

    _, outcome = lab.fill_and_run(script, sample, **script.sample_answers)

    assert isinstance(outcome, Report)
    assert outcome.document() == (script.folder / "expected.md").read_text()
    assert {one.name for one in outcome.intermediates} == {one.name for one in script.intermediates}
    assert {one.name for one in script.checks} <= {one.name for one in outcome.checks}


@pytest.mark.parametrize("name", SCRIPTS)
def test_the_likeliest_surprise_really_raises(lab, catalog, name):
    script = catalog[name]
    sample = {path.name: path.read_bytes() for path in sorted((script.folder / "sample").iterdir())}
    filled, _ = lab.fill_and_run(script, sample, **script.sample_answers)
    victim = next(iter(sample))
    new_name, data = DRIFTS[script.surprise.drift].apply(victim, sample[victim], seed=1)
    lab.put({**sample, new_name: data})

    halted = lab.run(script, filled.parameters)

    assert isinstance(halted, Surprised)
    assert halted.name == script.surprise.name


def test_logs_that_are_json_already_have_a_likeliest_surprise_of_their_own(lab, catalog):
    script = catalog["log-error-summary"]
    logs = {f"{n}.log": b'{"level": "info", "msg": "x"}\n{"level": "error", "msg": "y"}\n' for n in "ab"}
    facts = lab.put(logs)
    filled = fill(script, facts)
    surprise = script.surprise_for(facts)
    _, data = DRIFTS[surprise.drift].apply("a.log", logs["a.log"], seed=1)
    lab.put({**logs, "a.log": data})

    halted = lab.run(script, filled.parameters)

    assert surprise.drift == "level-key-renamed"
    assert (halted.name, halted.file) == (surprise.name, "a.log")


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_script_is_short_and_its_manifest_reads_back(lab, catalog, name):
    script = catalog[name]
    sample = {path.name: path.read_bytes() for path in sorted((script.folder / "sample").iterdir())}
    folder = a_plan(script, fill(script, lab.put(sample), script.sample_answers).parameters)

    assert script.plan.count(b"\n") <= 105
    assert all(len(line) <= 120 for line in script.plan.decode().splitlines())
    assert read_manifest(folder.files["plan.toml"]).script == name


def test_a_folder_without_its_report_is_refused_by_name(tmp_path):
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "about.toml").write_text('title = "x"')

    with pytest.raises(CatalogError, match="library/broken"):
        load_catalog(tmp_path)
