"""A look at the files that gives no answer: the surprise stays open, and its thread says so."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from pydantic import SecretStr

from bot.agent.client import Model
from bot.agent.config import ModelSettings
from bot.store.tables_runs import RunInput
from bot.work.agent_parts import AgentParts
from bot.work.case import load_case
from bot.work.resume import resume, still_missing
from sandbox.outcome import Surprised
from tests.approval.hands import finish, next_monday, press, proposed
from tests.approval.stage import Stage
from tests.box.conftest import start_or_skip
from tests.box.local_server import LocalServer

NOBODY = "http://127.0.0.1:9"  # a model that would be asked is not there


@pytest.fixture
def boxes(tmp_path: Path) -> Iterator[LocalServer]:
    server = start_or_skip(tmp_path, ("--faults",))
    yield server
    server.stop()


@pytest.mark.parametrize("has_model", [True, False])
def test_where_no_sample_comes_back_people_are_told_and_nothing_is_lost(
    stage: Stage, boxes: LocalServer, has_model: bool
) -> None:
    # Given a run that halted over one file
    press(stage, proposed(stage))
    run_id = next_monday(stage)
    parts = stage.worker(0)
    kept = parts.blobs.keep(lambda into: into.write(b"2026-09-01 INFO fine\n") and None)
    with stage.behind.transaction() as session:
        session.add(RunInput(run_id=run_id, name="a.log", sha256=kept.sha256, size_bytes=kept.size_bytes))
    assert finish(stage, run_id, Surprised("OddFile", "a.log has no line with a level", file="a.log"))
    surprise_id = int(stage.one("select id from surprise"))

    # When the box answers no look at it
    boxes.fault("status", "/files", method="GET", status=404, times=9)
    model = Model(ModelSettings(key=SecretStr("k"), base_url=NOBODY)) if has_model else None
    resume(AgentParts(**{**vars(parts), "boxes": boxes.boxes()}, model=model), surprise_id)

    # Then the thread says what happened and what people can do, and the surprise is still open
    [said] = [view for key, view in stage.channel.shown.items() if key.endswith(":words")]
    assert "The look at the files left no answer" in str(said)
    assert "The surprise stays open" in str(said)
    assert stage.one("select state from surprise") == "open"


@pytest.mark.parametrize(
    ("name", "expected", "words"),
    [
        ("NoInput", "files", ""),  # the message of the halt says what to post, and once is enough
        ("SameContent", "each content once; delete one", "What helps: each content once; delete one."),
    ],
)
def test_a_run_that_halted_before_its_script_says_what_helps(
    stage: Stage, name: str, expected: str, words: str
) -> None:
    press(stage, proposed(stage))
    assert finish(stage, next_monday(stage), Surprised(name, "halted", expected=expected))

    resume(AgentParts(**vars(stage.worker(0)), model=None), int(stage.one("select id from surprise")))

    said = [view for key, view in stage.channel.shown.items() if key.endswith(":words")]
    assert [words in str(one) for one in said] == ([True] if words else [])


@pytest.mark.parametrize(
    ("name", "begins"),
    [("MissingFile", "Missing: a.csv. If it is only late, leave this form: post it"), ("OddHeader", "")],
)
def test_a_form_about_a_file_that_came_instead_says_first_what_is_missing(stage: Stage, name: str, begins: str) -> None:
    press(stage, proposed(stage))
    assert finish(stage, next_monday(stage), Surprised(name, "missing: a.csv"))
    case = load_case(stage.worker(0), int(stage.one("select id from surprise")))
    assert case is not None

    words = still_missing(case)

    assert words.startswith(begins) and bool(words) is bool(begins)
