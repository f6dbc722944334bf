"""A plan keeps running on the kit it was approved with, whoever wrote it: it names the archive that is kept for it."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from hashlib import sha256

from bot.work.compose import Terms, composed
from library.manifest import ChannelDestination, ChannelSource
from sandbox.kits import kit_archive
from tests.flows import silence

TERMS = Terms(
    name="", taken=frozenset(), why="No proven script does this.", when="", zone="Europe/Oslo",
    asked_at=datetime(2026, 11, 30, tzinfo=UTC),
    source=ChannelSource("C1"), destinations=(ChannelDestination("C1"),), box_image="base",
)  # fmt: skip
DRAFT = {
    "plan.py": silence.PLAN.encode(), "report.md": silence.REPORT.encode(), "plan.toml": silence.TOML.encode(),
}  # fmt: skip


def test_a_plan_that_a_model_wrote_survives_an_upgrade_of_the_kit():
    box = json.loads(composed(DRAFT, TERMS, silence.MONDAYS, []).files["box.json"])

    assert box["image"] == "base"
    assert box["kit_archive"] == sha256(kit_archive()).hexdigest()
