"""The contract of a box, by its effects: what is denied really fails, and what is over is really gone."""

from __future__ import annotations

import dataclasses
import io
import os
import textwrap
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from library.manifest import Limits
from sandbox.client import Box, Boxes
from sandbox.errors import BoxError, BoxFileMissing, BoxFileTooLarge, BoxLost, BoxRefused, BoxTimeout
from sandbox.execute import PlanRefused, SlotFacts, stage
from sandbox.outcome import Crashed, Report, Surprised
from sandbox.reaper import reap_overdue
from sandbox.sample import sample_files
from tests.kit.conftest import a_plan_folder

DUE = datetime(2026, 9, 7, 5, tzinfo=UTC)
FACTS = SlotFacts(DUE, DUE - timedelta(days=7), DUE, "Europe/Oslo")
LIMITS = Limits(time_s=20, memory_mb=512)


def python(box: Box, script: str) -> str:
    """What it printed; a traceback may quote the script itself and is left out."""
    return box.run(["python3", "-c", textwrap.dedent(script)], timeout_s=60).stdout


def test_a_box_is_sealed(provider: Boxes) -> None:
    assert [proof for proof in provider.prove_sealed() if not proof.holds] == []


@pytest.mark.parametrize("address", ["('1.1.1.1', 443)", "('8.8.8.8', 53)", "('169.254.169.254', 80)"])
def test_a_connection_really_fails(box: Box, address: str) -> None:
    connect = (
        f"import socket; socket.create_connection({address}, 5).sendall(b'GET / HTTP/1.0\\r\\n'); print('reached')"
    )

    assert "reached" not in python(box, connect)


def test_no_name_is_resolved(box: Box) -> None:
    lookup = "import socket; print('reached', socket.getaddrinfo('example.org', 80)[0][4])"

    assert "reached" not in python(box, lookup)


def test_nothing_can_be_installed(box: Box) -> None:
    assert (
        box.run(["python3", "-m", "pip", "install", "--timeout", "5", "--retries", "0", "six"], timeout_s=60).code != 0
    )


def test_a_command_says_what_it_did_and_how_it_ended(box: Box) -> None:
    ended = box.run(["bash", "-c", "pwd; echo err >&2; exit 7"], timeout_s=30, env={"A": "1"})

    assert (ended.code, ended.stdout, ended.stderr) == (7, "/home/user\n", "err\n")


def test_words_and_variables_arrive_as_given(box: Box) -> None:
    words = ["two words", "it's", "$(id)", "æ ✓", "line\nbreak"]
    show = "import os, sys; print(sys.argv[1:] + [os.environ['SLOT']])"

    assert box.run(["python3", "-c", show, *words], timeout_s=30, env={"SLOT": "a b"}).stdout == f"{[*words, 'a b']}\n"


def test_a_file_comes_back_as_it_was_put_whatever_its_name(box: Box) -> None:
    data = os.urandom(100_000)
    for name in ("plain.csv", "in puts/æ 'quoted\".csv", "100%.csv"):
        box.put(name, data)
        assert box.get(name, len(data)) == data


def test_a_large_file_streams_both_ways(box: Box) -> None:
    data = os.urandom(1 << 20) * 40
    down = io.BytesIO()
    box.put("big", io.BytesIO(data))

    assert box.get_stream("big", down, len(data)) == len(data)
    assert down.getvalue() == data


def test_what_is_not_there_or_too_large_is_an_error(box: Box) -> None:
    box.put("file", b"12345")
    with pytest.raises(BoxFileMissing):
        box.get("missing", 10)
    with pytest.raises(BoxFileTooLarge):
        box.get("file", 4)


def test_one_box_has_nothing_of_another(provider: Boxes, box: Box) -> None:
    box.put("secret-of-the-first", b"1")
    with provider.open("contract", tags={}, lifetime_s=120) as other:
        found = python(other, "import os; print([f for _, _, fs in os.walk('/home') for f in fs if 'secret-of' in f])")

    assert found == "[]\n"


def test_a_command_beyond_its_time_ends_the_box(provider: Boxes) -> None:
    with provider.open("contract", tags={}, lifetime_s=120) as box:
        with pytest.raises(BoxTimeout):
            box.run(["bash", "-c", "setsid sleep 300 & sleep 300"], timeout_s=2)
        with pytest.raises(BoxError):
            box.run(["true"], timeout_s=10)


def test_a_box_ends_at_its_time(provider: Boxes) -> None:
    with provider.open("contract", tags={"which": "short"}, lifetime_s=2) as box:
        over_at = time.monotonic() + 10
        with pytest.raises(BoxLost):
            while time.monotonic() < over_at:
                box.put("late", b"1")
                time.sleep(0.2)
        assert box.id not in [each.id for each in provider.listed()]


def test_boxes_are_listed_by_their_tags_and_gone_after_their_block(provider: Boxes) -> None:
    mark = str(time.time_ns())
    with provider.open("contract", tags={"mark": mark}, lifetime_s=120) as box:
        [listed] = provider.listed({"mark": mark})
        assert (listed.id, listed.tags["purpose"]) == (box.id, "contract")

    assert provider.listed({"mark": mark}) == []
    assert provider.kill(box.id) is False


def test_a_wrong_key_is_refused(provider: Boxes) -> None:
    stranger = Boxes(dataclasses.replace(provider.settings, api_key="e2b_" + "0" * 40))
    with pytest.raises(BoxRefused), stranger.open("contract", tags={}, lifetime_s=60):
        pass


def test_the_reaper_leaves_boxes_in_use_alone(provider: Boxes, box: Box) -> None:
    assert box.id not in reap_overdue(provider)
    assert box.run(["true"], timeout_s=20).code == 0


def test_a_plan_runs_as_approved_and_ends_as_what_it_is(box: Box, tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_bytes(b"x,y\n1,2\n3,4\n")
    staged = stage(box, {"a.csv": tmp_path / "a.csv"})
    count = "import duckdb, polars\nfrom kit import report\nfound = duckdb.sql(\"from 'inputs/a.csv' select sum(x)\")\n"
    count += "report(total=int(found.fetchall()[0][0]))\n"
    halt = "from kit import check\ncheck('Odd', False, 'odd')\n"

    report = staged.run(a_plan_folder(count, report="Total {{ total }}"), FACTS, LIMITS)
    assert isinstance(report, Report) and "Total 4" in report.markdown
    assert isinstance(staged.run(a_plan_folder("1 / 0"), FACTS, LIMITS), Crashed)
    assert isinstance(staged.run(a_plan_folder(halt), FACTS, LIMITS), Surprised)
    assert [sample.facts.lines for sample in sample_files(box, ["a.csv"])] == [3]


def test_bytes_that_were_not_approved_do_not_run(box: Box) -> None:
    staged, folder = stage(box, {}), a_plan_folder("print(1)")
    staged.run(folder, FACTS, LIMITS)  # which brings the kit
    box.put("kit/__init__.py", b"print('another kit')")

    with pytest.raises(PlanRefused):
        staged.run(folder, FACTS, LIMITS)


def test_many_small_files_come_in_one_request_each_to_its_path(box: Box) -> None:
    box.put("kept/b.txt", b"old")
    files = {f"deep/er/{number}.txt": bytes([number]) * number for number in range(60)} | {"kept/b.txt": b""}

    box.put_all(files)

    assert {path: box.get(path, 1000) for path in files} == files
