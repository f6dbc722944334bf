"""A new release beside the old one: rows gain a column, processes are replaced one after the other, no slot is lost."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from bot.processes.parts import EXIT_REFUSED
from bot.store.migrate import current_revision, head_revision
from tests.bench.plants import CHECKOUT, PACKAGES
from tests.flows.small_logs import small
from tests.flows.world import World

MIGRATION = '''"""A column that the next release has use for."""

import sqlalchemy as sa
from alembic import op

revision = "9001"
down_revision = "{head}"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("slot", sa.Column("remark", sa.Text(), nullable=True))
'''


@pytest.fixture
def next_release(tmp_path: Path) -> Path:
    """A copy of our code with one migration more."""
    folder = tmp_path / "next"
    for package in PACKAGES:
        shutil.copytree(CHECKOUT / package, folder / package, ignore=shutil.ignore_patterns("__pycache__"))
    versions = folder / "bot/store/migrations/versions"
    (versions / "9001_a_remark.py").write_text(MIGRATION.format(head=head_revision()))
    return folder


def release(world: World, code: Path) -> None:
    command = [sys.executable, "-P", "-c", "import sys; from bot.store.migrate import migrate; migrate(sys.argv[1])"]
    environment = os.environ | {"PYTHONPATH": str(code)}
    subprocess.run([*command, world.settings.database_url], env=environment, check=True, timeout=60)
    assert current_revision(world.settings.database_url) == "9001"


def monday(world: World) -> None:
    world.alice.post("#lab", "This week's logs", files=small(world.desk.now()))
    world.monday()


def wait_for(world: World, mondays: int) -> None:
    """Each Monday's report once in the channel and once by mail."""
    seen = world.desk.wait_until(
        lambda: (world.count("version 1", "approved by"), len(world.desk.mails())) == (mondays, mondays) or None,
        within_s=90,
    )
    assert seen


@pytest.mark.slow
def test_processes_of_two_releases_share_the_slots_until_the_old_ones_are_gone(
    world: World, next_release: Path
) -> None:
    # Given a routine that the earlier release runs
    world.request(files=small(world.desk.now()))
    world.approve(world.card())
    old = dict(world.processes)

    # When the next release migrates, the earlier one's processes go on
    release(world, next_release)
    monday(world)
    wait_for(world, 1)

    # And when its processes come beside them, and a Monday is due while those end
    world.code = next_release
    world.start("clock", "runner")
    monday(world)
    for name in ("clock", "runner"):
        old[name].ask_to_stop()
    wait_for(world, 2)
    for name in ("clock", "runner"):
        old[name].wait_stopped()

    # Then an old one does not come back, and the new ones have every further slot
    old["runner"].spawn()
    assert old["runner"].popen is not None and old["runner"].popen.wait(30) == EXIT_REFUSED
    monday(world)
    wait_for(world, 3)
