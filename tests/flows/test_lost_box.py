"""A box that gives no outcome says nothing about the plan: it is the box's error, never the script's."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from bot.work.briefing import resume_md
from bot.work.compose import composed
from bot.work.rehearse import rehearse
from sandbox.errors import BoxLost
from sandbox.execute import stage
from sandbox.sample import sample_files
from tests.box.local_server import LocalServer
from tests.evals.drafts import SLOT, TERMS, inputs
from tests.flows.silence import MONDAYS, PLAN, REPORT, TOML

DRAFT = {"plan.py": PLAN.encode(), "report.md": REPORT.encode(), "plan.toml": TOML.encode()}


@pytest.mark.slow  # a box of its own
def test_an_outcome_that_is_gone_is_no_reason_to_change_the_script(box_server: LocalServer, tmp_path: Path) -> None:
    paths = inputs(tmp_path)
    with box_server.boxes().open("rehearsal", tags={}, lifetime_s=300) as box:
        staged = stage(box, paths)
        samples = sample_files(box, sorted(paths))
        plan = composed(DRAFT, TERMS, MONDAYS, samples)
        box_server.fault("status", "/files", method="GET", status=404, message="there is no such file", times=9)

        with pytest.raises(BoxLost, match="left no outcome"):
            rehearse(staged, plan, paths, SLOT, samples, partial(resume_md, "drafts"))
