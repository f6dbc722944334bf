"""The shape guard over a run: what it compares is what was posted, whatever the script does to it."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bot.settings import Settings
from bot.slack.chat import SlackChat
from bot.store.blobs import Blobs
from bot.store.session import Database
from bot.work.parts import JobParts
from bot.work.shaped import SHAPE_CHANGED, run_shaped
from bot.work.wall import SystemClock
from library.manifest import ChannelSource, LikeliestSurprise, Manifest, Rung
from library.plan_folder import PlanFolder
from sandbox.client import Boxes
from sandbox.execute import SlotFacts, stage
from sandbox.outcome import Report, Surprised
from sandbox.sample import sample_files
from sandbox.shape import shape_of
from tests.box.conftest import start_or_skip
from tests.kit.conftest import a_plan_folder

APPROVED = b"day,euros\n" + b"".join(b"2026-11-%02d,%d\n" % (day, day * 7) for day in range(1, 29))
OTHER = APPROVED.replace(b"euros", b"dollars")
AT = datetime(2026, 11, 30, 7, tzinfo=UTC)
FACTS = SlotFacts(AT, AT, AT, "UTC")
HIDES = f"open('inputs/a.csv', 'wb').write({APPROVED!r})\nfrom kit import report\nreport(total=1)\n"


@pytest.fixture
def boxes(tmp_path: Path) -> Iterator[Boxes]:
    server = start_or_skip(tmp_path, ())
    yield server.boxes()
    server.stop()


@pytest.fixture
def parts(boxes: Boxes, tmp_path: Path) -> Iterator[JobParts]:
    settings = Settings.load({})
    chat = SlackChat(settings.model_copy(update={"slack_api_url": "http://127.0.0.1:9/"}))
    db = Database("postgresql://nowhere")
    yield JobParts(db, chat, SystemClock(), settings, boxes=boxes, blobs=Blobs(str(tmp_path / "blobs")), mail=None)
    chat.close()
    db.close()


def test_a_script_that_makes_its_inputs_look_as_approved_hides_no_change_of_shape(
    parts: JobParts, tmp_path: Path
) -> None:
    posted = tmp_path / "a.csv"
    posted.write_bytes(APPROVED)
    with parts.boxes.open("approval", tags={}, lifetime_s=60) as box:
        stage(box, {"a.csv": posted})
        shape = shape_of([sample.facts for sample in sample_files(box, ["a.csv"])])
    folder = PlanFolder({**a_plan_folder(HIDES, report="{{ total }}").files, "shape.json": shape})
    manifest = Manifest(
        *("week", "Week", Rung.PLAN_AS_CODE, "for a test", "", None, ChannelSource("C1")),
        *((), (), (), LikeliestSurprise("OddFile", "log-to-json", "for a test")),
    )

    def run() -> object:
        return run_shaped(parts, folder, manifest, {"a.csv": posted}, FACTS, purpose="run", tags={})[0]

    assert isinstance(run(), Report)
    beside = tmp_path / "stock.csv"
    beside.write_bytes(b"sku,place\nA1,7\n")
    both = {"a.csv": posted, "stock.csv": beside}
    found = run_shaped(parts, folder, manifest, both, FACTS, purpose="run", tags={}, new={"stock.csv"})
    assert (type(found[0]), found[2]) == (Report, ("stock.csv",))
    posted.write_bytes(OTHER)
    outcome = run()
    assert isinstance(outcome, Surprised) and outcome.name == SHAPE_CHANGED
