"""Plans run in a real box: staged once, run twice, drifted and put back; what fails is an outcome or an error."""

import hashlib
import io
import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from library.catalog import load_catalog
from library.fill import fill
from library.manifest import Limits
from library.plan_folder import PlanFolder, digest_of
from sandbox.drifting import drifted
from sandbox.errors import BoxError, BoxLost
from sandbox.execute import AttachmentAltered, InputNameRefused, PlanRefused, SlotFacts, run_plan, stage
from sandbox.inside_files import look_files, run_files
from sandbox.outcome import Crashed, Lost, Report, Surprised
from sandbox.sample import sample_files
from tests.box.conftest import start_or_skip
from tests.kit.conftest import a_plan_folder
from tests.library.conftest import a_plan
from tests.library.weeks import a_week_of_logs, counted

DUE = datetime(2026, 9, 7, 5, tzinfo=UTC)
FACTS = SlotFacts(DUE, DUE - timedelta(days=7), DUE, "Europe/Oslo")
LIMITS = Limits(time_s=20, memory_mb=512)


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    server = start_or_skip(tmp_path_factory.mktemp("boxes"), ("--faults",))
    yield server
    server.stop()


@pytest.fixture
def box(server):
    with server.boxes().open("test", tags={}, lifetime_s=120) as box:
        yield box


@pytest.fixture
def week(tmp_path: Path) -> dict[str, Path]:
    paths = {}
    for name, data in a_week_of_logs().items():
        (tmp_path / name).write_bytes(data)
        paths[name] = tmp_path / name
    return paths


def test_the_whole_way_of_a_proven_script(box, week):
    script = load_catalog()["log-error-summary"]
    staged = stage(box, week)
    samples = sample_files(box, sorted(week))
    folder = a_plan(script, fill(script, [sample.facts for sample in samples]).parameters)

    first = staged.run(folder, FACTS, LIMITS)
    second = staged.run(folder, FACTS, LIMITS)
    with drifted(box, script.surprise.drift, [sample.facts for sample in samples], week) as name:
        halted = staged.run(folder, FACTS, LIMITS)
    third = staged.run(folder, FACTS, LIMITS)

    assert isinstance(first, Report), first
    assert first.metrics["errors"] == counted(a_week_of_logs(), "ERROR")
    assert first.same_as(second) and first.same_as(third)
    assert isinstance(halted, Surprised)
    assert (halted.name, halted.file) == ("OddFile", name)


def test_a_chart_that_slack_cannot_draw_is_drawn_in_the_box(box):
    plan = "from kit import chart, report\nchart('Days', [str(n) for n in range(60)], {'n': range(60)})\nreport()\n"
    staged = stage(box, {})
    first, second = (staged.run(a_plan_folder(plan), FACTS, LIMITS) for _ in range(2))
    into = io.BytesIO()

    staged.fetch(first.attachments[0], into)

    assert first.same_as(second)
    assert first.charts[0].picture == first.attachments[0].name == "chart-1.png"
    assert into.getvalue().startswith(b"\x89PNG")


def test_an_attachment_is_fetched_whole_and_a_changed_one_is_not_delivered(box):
    plan = "from kit import attach, report\nopen('outputs/x.bin', 'wb').write(b'x' * 300_000)\n"
    staged = stage(box, {})
    report = staged.run(a_plan_folder(plan + "attach('x.bin', 'outputs/x.bin')\nreport()"), FACTS, LIMITS)
    into = io.BytesIO()

    staged.fetch(report.attachments[0], into)

    assert into.getvalue() == b"x" * 300_000
    box.put("outputs/x.bin", b"y" * 300_000)
    with pytest.raises(AttachmentAltered):
        staged.fetch(report.attachments[0], io.BytesIO())


@pytest.mark.parametrize(
    ("plan", "ending"),
    [
        ("1 / 0", Crashed),
        ("import os\nos._exit(0)", Crashed),
        ("import os, signal\nos.kill(os.getppid(), signal.SIGKILL)", Lost),
        ("import time\ntime.sleep(60)", Crashed),
        ("import socket\nsocket.create_connection(('127.0.0.1', 80), timeout=2)", Crashed),
    ],
)
def test_a_script_that_fails_is_never_a_report(box, plan, ending):
    outcome = run_plan(box, a_plan_folder(plan, time_s=3), {}, FACTS, Limits(3, 512))

    assert isinstance(outcome, ending), outcome


def test_an_earlier_outcome_is_never_taken_for_this_run(box):
    staged = stage(box, {})
    assert isinstance(staged.run(a_plan_folder("from kit import report\nreport()"), FACTS, LIMITS), Report)

    killed = staged.run(a_plan_folder("import os, signal\nos.kill(os.getppid(), signal.SIGKILL)"), FACTS, LIMITS)

    assert isinstance(killed, Lost)


def test_a_plan_of_a_kit_that_is_not_kept_is_refused_before_anything_runs(box):
    folder = a_plan_folder("from kit import report\nreport()")
    other = PlanFolder({**folder.files, "box.json": b'{"image": "test", "kit": "0123456789"}'})

    with pytest.raises(PlanRefused, match="approved with kit 01234567"):
        run_plan(box, other, {}, FACTS, LIMITS)


def test_an_upgrade_changes_no_approved_plan_as_it_runs_on_the_kit_it_was_approved_with(box, tmp_path):
    plan = "from kit import report\nimport kit\nreport(kit=getattr(kit, 'VERSION', 'new'))"
    older = {name: data.decode() for name, data in (run_files() | look_files()).items()}
    older["kit/__init__.py"] += "\nVERSION = 'old'\n"
    archive = json.dumps(older).encode()
    digest = hashlib.sha256(archive).hexdigest()
    (tmp_path / digest).write_bytes(archive)
    ran = {name: text.encode() for name, text in older.items() if not name.startswith("look/")}
    box_json = json.dumps({"image": "test", "kit": digest_of(ran), "kit_archive": digest}).encode()
    folder = a_plan_folder(plan, "{{kit}}")
    approved = PlanFolder({**folder.files, "box.json": box_json})

    staged = stage(box, {}, kept=lambda name: (tmp_path / name).open("rb"))
    markdowns = [staged.run(one, FACTS, LIMITS).markdown for one in (approved, folder, approved)]

    assert markdowns == ["old", "new", "old"]


def test_a_kept_kit_that_is_not_what_its_name_says_is_refused(box, tmp_path):
    folder = a_plan_folder("from kit import report\nreport()")
    box_json = b'{"image": "test", "kit": "0123456789", "kit_archive": "9876543210"}'
    (tmp_path / "9876543210").write_bytes(b"{}")

    with pytest.raises(PlanRefused, match="is not kept here"):
        other = PlanFolder({**folder.files, "box.json": box_json})
        run_plan(box, other, {}, FACTS, LIMITS, kept=lambda name: (tmp_path / name).open("rb"))


def test_bytes_changed_in_the_box_are_refused_there(box):
    staged = stage(box, {})
    box.put("kit/extra.py", b"# not approved\n")

    with pytest.raises(PlanRefused, match="the kit in the box"):
        staged.run(a_plan_folder("from kit import report\nreport()"), FACTS, LIMITS)


@pytest.mark.parametrize("name", ["../plan/plan.py", "/etc/passwd", "", "..", "a\nb", "a\\b", "x" * 300])
def test_a_name_that_is_no_plain_name_is_refused(box, week, name):
    with pytest.raises(InputNameRefused):
        stage(box, {name: next(iter(week.values()))})


def test_a_box_that_is_lost_while_an_input_is_drifted_says_so_and_nothing_else(server, box, week):
    stage(box, week)
    facts = [sample.facts for sample in sample_files(box, sorted(week))]

    with pytest.raises(ZeroDivisionError), drifted(box, "log-to-json", facts, week):
        server.boxes().kill(box.id)
        raise ZeroDivisionError("what went wrong first")


def test_a_box_that_is_gone_is_an_error_and_never_an_outcome(server, box):
    staged = stage(box, {})
    server.boxes().kill(box.id)

    with pytest.raises(BoxError) as raised:
        staged.run(a_plan_folder("from kit import report\nreport()"), FACTS, LIMITS)

    assert isinstance(raised.value, BoxLost)
