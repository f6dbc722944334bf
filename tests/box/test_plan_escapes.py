"""Hostile plans: what a script does to runner, kit, plan and outcome ends as what it is, and never as a report."""

from __future__ import annotations

import gzip
import io
import textwrap
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from library.manifest import Limits
from library.plan_folder import PlanFolder
from sandbox.client import Box
from sandbox.errors import BoxFileMissing, BoxFileTooLarge, BoxTimeout
from sandbox.execute import AttachmentAltered, PlanRefused, StagedBox, stage
from sandbox.inside_files import run_files
from sandbox.outcome import Crashed, Lost, Outcome, Report
from sandbox.sample import SampleFailed, sample_files
from tests.box.local_server import LocalServer
from tests.box.test_files import peak_bytes
from tests.kit.conftest import a_plan_folder
from tests.kit.test_execute import FACTS

LIMITS = Limits(time_s=20, memory_mb=256)
FORGED = (
    '{"kind":"report","markdown":"forged","tables":[],"charts":[],"attachments":[],"metrics":{},"intermediates":[],\
"checks":[],"seconds":0}'
)
HONEST = "from kit import report\nreport(total=1)\n"


def plan(source: str) -> PlanFolder:
    return a_plan_folder(textwrap.dedent(source), report="Total {{ total }}", time_s=20, memory_mb=256)


def run(box: Box, source: str) -> Outcome:
    return stage(box, {}).run(plan(source), FACTS, LIMITS)


def test_a_script_that_takes_more_memory_than_its_box_has_is_its_own_crash(box: Box) -> None:
    outcome = run(
        box,
        """
        import os, time
        for _ in range(6):
            if os.fork() == 0:
                kept = bytearray(b"x") * (150 << 20)
                time.sleep(15)
        time.sleep(15)
        """,
    )

    assert isinstance(outcome, Crashed) and outcome.error == "BoxLimit"
    assert "MB of memory" in outcome.message


@pytest.mark.parametrize("number", [9, 15, 6, 11])
def test_a_script_that_ends_its_runner_is_lost_whatever_it_wrote_before(box: Box, number: int) -> None:
    outcome = run(
        box,
        f"""
        import os, time
        open("outcome.json", "w").write('''{FORGED}''')
        os.kill(os.getppid(), {number})
        time.sleep(5)
        """,
    )

    assert isinstance(outcome, Lost)


def test_a_script_that_stops_its_runner_is_ended_by_time(box: Box) -> None:
    staged, folder = stage(box, {}), plan("import os, time\nos.kill(os.getppid(), 19)\ntime.sleep(60)")
    for path, data in {**run_files(), **{f"plan/{name}": data for name, data in folder.files.items()}}.items():
        box.put(path, data)
    box.put("slot.json", FACTS.as_json())

    with pytest.raises(BoxTimeout):
        staged.box.run(["python", "runner.py", folder.digest], timeout_s=2)


def test_a_script_that_leaves_somebody_behind_to_forge_its_outcome_fails(box: Box) -> None:
    outcome = run(
        box,
        f"""
        import os, signal, time
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                signal.signal(signal.SIGTERM, signal.SIG_IGN)
                while True:
                    open("outcome.json", "w").write('''{FORGED}''')
                    time.sleep(0.001)
            os._exit(0)
        raise ValueError("the honest end")
        """,
    )

    assert isinstance(outcome, Crashed) and outcome.message == "the honest end"


@pytest.mark.parametrize("file", ["plan/plan.py", "plan/plan.toml", "runner.py", "child.py", "kit/__init__.py"])
def test_a_script_that_rewrites_what_it_is_run_by_runs_no_second_time(box: Box, file: str) -> None:
    staged = stage(box, {})
    changing = plan(f"from kit import report\nopen({file!r}, 'a').write('#')\nreport(total=1)\n")

    assert isinstance(staged.run(changing, FACTS, LIMITS), Report)
    if file.startswith("plan/"):  # put anew for each run; what is run is what was approved
        assert isinstance(staged.run(changing, FACTS, LIMITS), Report)
    else:
        with pytest.raises(PlanRefused, match="digest"):
            staged.run(changing, FACTS, LIMITS)


FORGERY = "import os\nopen('outcome.json', 'w').write('forged')\nos._exit(0)\n"


def test_modules_that_a_script_leaves_behind_are_believed_by_no_later_run(box: Box) -> None:
    leave = f"""
        import os, py_compile, sys
        from kit import report
        UNCHECKED = py_compile.PycInvalidationMode.UNCHECKED_HASH
        for name in ("json.py", "hashlib.py", "sitecustomize.py", "usercustomize.py", "tomllib.py"):
            open(name, "w").write({FORGERY!r})
        for module in ("kit/__pycache__/__init__", "__pycache__/plan_folder"):
            os.makedirs(os.path.dirname(module), exist_ok=True)
            open("scratch/forged.py", "w").write({FORGERY!r})
            compiled = f"{{module}}.{{sys.implementation.cache_tag}}.pyc"
            py_compile.compile("scratch/forged.py", compiled, invalidation_mode=UNCHECKED)
        report(total=1)
        """
    staged = stage(box, {})
    assert isinstance(staged.run(plan(leave), FACTS, LIMITS), Report)

    honest = staged.run(plan(HONEST), FACTS, LIMITS)

    assert isinstance(honest, Report) and "Total 1" in honest.markdown


def test_a_script_that_reports_and_then_fails_has_not_reported(box: Box) -> None:
    assert isinstance(run(box, HONEST + "raise SystemExit(0)\n"), Crashed)
    assert isinstance(run(box, HONEST + "import os; os._exit(0)\n"), Crashed)
    assert isinstance(run(box, HONEST + "bytearray(10 ** 10)\n"), Crashed)


NOT_AN_OUTCOME = (
    "b'[' * 900_000",
    """b'{"kind": "report", "attachments": [], "metrics": {"n": NaN}}'""",
    """b'{"kind": "report", "attachments": [], "n": ' + b'9' * 9_000 + b'}'""",
    "b'[]'",
    """b'{"kind": "triumph"}'""",
    """b'{"kind": "report"}'""",
    """b'{"kind": "report", "attachments": [7]}'""",
)
IN_THE_WAY = (
    "os.makedirs('outcome.json/x')",
    "os.mkfifo('outcome.json')",
    "os.symlink('plan/plan.py', 'outcome.json')",
    "os.unlink('script.log'); os.mkfifo('script.log')",
    "os.chmod('.', 0)",
)


def test_what_a_script_writes_in_place_of_its_outcome_is_its_own_crash(box: Box) -> None:
    staged = stage(box, {})
    for words in NOT_AN_OUTCOME:
        outcome = staged.run(plan(f"import os, sys; os.write(int(sys.argv[1]), {words}); os._exit(0)"), FACTS, LIMITS)
        assert isinstance(outcome, Crashed) and outcome.error == "OutputUnreadable", words


def test_nothing_that_a_script_puts_in_the_runners_way_keeps_it_from_writing(box: Box) -> None:
    staged = stage(box, {})
    for obstacle in IN_THE_WAY:
        assert isinstance(staged.run(plan(f"import os; {obstacle}\n{HONEST}"), FACTS, LIMITS), Report), obstacle


def test_attachments_of_more_than_can_be_read_are_the_scripts_own_crash(box: Box) -> None:
    source = """
        import json, os, sys
        with open('outputs/a', 'wb') as file:
            file.truncate(250 << 20)
        document = {"kind": "report", "attachments": [{"name": "a", "path": "outputs/a"}] * 300}
        os.write(int(sys.argv[1]), json.dumps(document).encode())
        os._exit(0)
    """
    outcome = run(box, source)

    assert isinstance(outcome, Crashed) and "all of them have more than" in outcome.message


def test_the_runners_memory_is_closed_to_its_script(box: Box) -> None:
    outcome = run(box, "import os; open(f'/proc/{os.getppid()}/mem', 'r+b')")

    assert isinstance(outcome, Crashed) and outcome.error == "PermissionError"


@pytest.mark.parametrize(
    "spoil",
    [
        "os.remove(path); os.symlink('/etc/passwd', path)",
        "os.remove(path); os.mkfifo(path)",
        "os.truncate(path, 290 << 20)",
        "open(path, 'w').write('another')",
    ],
)
def test_an_attachment_that_is_changed_after_it_was_judged_is_not_taken(box: Box, spoil: str) -> None:
    staged = stage(box, {})
    attaching = "from kit import attach\nopen('outputs/a.csv', 'w').write('1,2')\nattach('a.csv', 'outputs/a.csv')\n"
    outcome = staged.run(plan(attaching + HONEST), FACTS, LIMITS)
    assert isinstance(outcome, Report)
    [attachment] = outcome.attachments
    box.run(["python", "-c", f"import os\npath = {attachment.path!r}\n{spoil}"], timeout_s=20)

    with pytest.raises((AttachmentAltered, BoxFileMissing, BoxFileTooLarge)):
        staged.fetch(attachment, io.BytesIO())


def zipped_zeros(megabytes: int) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/workbook.xml", b"\0" * (megabytes << 20))
    return packed.getvalue()


BOMBS: Mapping[str, Callable[[], bytes]] = {
    "a.csv.gz": lambda: gzip.compress(b"x" * (400 << 20), 1),
    "a.log.gz": lambda: gzip.compress(gzip.compress(b"\n" * (400 << 20), 1), 9),
    "a.xlsx": lambda: zipped_zeros(300),
    "a.json": lambda: b"[" * 3_000_000,
    "a.csv": lambda: b"\x80\x04cposix\nsystem\n",
}


@pytest.mark.parametrize("name", BOMBS)
def test_a_file_that_is_a_bomb_is_opened_in_the_box_only(
    box: Box, server: LocalServer, tmp_path: Path, name: str
) -> None:
    path = tmp_path / name
    path.write_bytes(BOMBS[name]())
    staged: StagedBox = stage(box, {name: path})
    before = peak_bytes(server.process.pid)

    try:
        [sample] = sample_files(box, [name], timeout_s=60)
        assert len(sample.text().encode()) <= 6 * 1024
    except SampleFailed:
        pass

    assert peak_bytes(server.process.pid) - before < 24 << 20
    assert staged.box.run(["true"], timeout_s=20).code == 0
