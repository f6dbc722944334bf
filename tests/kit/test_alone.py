"""A script that left Standby: exported, run by plain Python anywhere, and rehearsed in a box."""

import json
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from bot.store import plans
from bot.store.blobs import Blobs
from bot.store.plans import known
from bot.store.session import Database
from bot.work.export import ExportProblem, export, write_folder
from bot.work.rehearse_folder import FolderProblem, rehearse_folder
from library.catalog import load_catalog
from library.fill import fill
from sandbox.execute import SlotFacts
from sandbox.inside_files import run_files
from tests import inside
from tests.box.conftest import start_or_skip
from tests.library.conftest import a_plan
from tests.library.weeks import a_week_of_logs, counted
from tests.store.rows import a_plan as a_plan_row
from tests.store.rows import a_routine

NOW = datetime(2026, 9, 7, 5, tzinfo=UTC)
FACTS = SlotFacts(NOW, NOW - timedelta(days=7), NOW, "Europe/Oslo")


@pytest.fixture
def week(tmp_path: Path) -> Path:
    folder = tmp_path / "week"
    folder.mkdir()
    for name, data in a_week_of_logs().items():
        (folder / name).write_bytes(data)
    return folder


@pytest.fixture
def plan(week: Path):
    script = load_catalog()["log-error-summary"]
    return a_plan(script, fill(script, inside.look(sorted(week.iterdir()))).parameters)


@pytest.fixture
def folder(tmp_path: Path, plan, week: Path) -> Path:
    kit = {path: data for path, data in run_files().items() if path.startswith("kit/")}
    write_folder(tmp_path / "weekly", plan, kit, FACTS)
    for path in week.iterdir():
        path.rename(tmp_path / "weekly" / "inputs" / path.name)
    return tmp_path / "weekly"


def python(folder: Path) -> subprocess.CompletedProcess[str]:
    """From another place, without anything of ours but the folder."""
    command = [sys.executable, str(folder / "plan.py")]
    return subprocess.run(command, cwd="/", env={"PATH": ""}, capture_output=True, text=True, check=False)


def test_an_exported_folder_prints_its_report_wherever_it_is_run(folder):
    ended = python(folder)

    assert ended.returncode == 0, ended.stderr
    assert str(counted(a_week_of_logs(), "ERROR")) in ended.stdout and "| spectro-01.log |" in ended.stdout
    assert (folder / "outputs" / "report.md").read_text() == ended.stdout


def test_a_surprise_outside_standby_prints_no_report(folder):
    (folder / "inputs" / "spectro-03.log").write_text('{"level": "error"}\n')

    ended = python(folder)

    assert (ended.returncode, ended.stdout) == (1, "")
    assert "Halted before the report: OddFile: spectro-03.log is 19 bytes" in ended.stderr
    assert not (folder / "outputs" / "report.md").exists()


def test_an_exported_folder_without_input_says_in_a_sentence_where_it_goes(folder):
    for path in (folder / "inputs").iterdir():
        path.unlink()

    ended = python(folder)

    assert (ended.returncode, ended.stdout) == (1, "")
    assert "Traceback" not in ended.stderr
    assert "no file was posted" in ended.stderr
    assert f"into {folder / 'inputs'} and run plan.py again" in ended.stderr


def test_an_error_of_the_script_itself_is_told_as_python_does(folder):
    with (folder / "plan.py").open("a") as script:
        script.write("\n1 / 0\n")

    ended = python(folder)

    assert ended.returncode == 1
    assert "Traceback" in ended.stderr and "ZeroDivisionError" in ended.stderr


def test_a_library_that_is_missing_is_told_in_a_sentence(folder):
    with (folder / "plan.py").open("a") as script:
        script.write("\nimport a_library_of_nobody\n")

    ended = python(folder)

    assert (ended.returncode, ended.stdout) == (1, "")
    assert ended.stderr == (
        "This script needs a_library_of_nobody, which this Python lacks: pip install a_library_of_nobody\n"
    )
    assert "duckdb==" in (folder / "requirements.txt").read_text()


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    server = start_or_skip(tmp_path_factory.mktemp("boxes"), ())
    yield server
    server.stop()


def test_a_folder_is_rehearsed_in_a_box_and_told_in_words(server, folder):
    words, is_report = rehearse_folder(server.boxes(), folder)
    (folder / "inputs" / "spectro-03.log").write_text('{"level": "error"}\n')
    odd, odd_is_report = rehearse_folder(server.boxes(), folder)

    assert is_report and "spectro-01.log" in words
    assert not odd_is_report and odd.startswith("Halted before the report: OddFile")


def test_a_folder_of_something_else_is_refused_in_words(server, tmp_path):
    with pytest.raises(FolderProblem, match="standby export"):
        rehearse_folder(server.boxes(), tmp_path)


def test_a_routine_is_exported_with_its_bytes_its_kit_and_its_time(request, database_url, tmp_path, plan):
    database, blobs = Database(database_url), Blobs(str(tmp_path / "blobs"))
    request.addfinalizer(database.close)
    with database.transaction() as session:
        routine = a_routine(session, "weekly")
        routine.current_plan_id = known(a_plan_row(session, routine).id)
        plans.add_files(session, routine.current_plan_id, plan.files)

    made = export(database, blobs, "weekly", tmp_path / "out", NOW)

    assert {name: (made / name).read_bytes() for name in plan.files} == dict(plan.files)
    assert (made / "kit" / "logs.py").is_file() and (made / "inputs").is_dir()
    assert json.loads((made / "slot.json").read_text())["due_at"] == "2026-09-07T05:00:00Z"
    with pytest.raises(ExportProblem, match="written over"):
        export(database, blobs, "weekly", tmp_path / "out", NOW)
    with pytest.raises(ExportProblem, match="Routines: weekly"):
        export(database, blobs, "daily", tmp_path / "out", NOW)
