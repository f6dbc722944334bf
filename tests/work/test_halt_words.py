"""Every halt says what happened, what that means for the report and what to press, whatever it halted on."""

from __future__ import annotations

import pytest

from bot.domain.views import SurpriseView
from bot.slack.cards import render
from bot.work import endings
from bot.work.tell import tell
from sandbox.outcome import Crashed, Outcome, Surprised
from tests.approval.hands import finish, next_monday, press, proposed
from tests.approval.stage import Stage

HALTS: dict[str, Outcome | None] = {
    "a surprise": Surprised("OddFile", "a.log has no level"),
    "a missing file": Surprised("MissingFile", "missing: a.log"),
    "no files": Surprised("NoInput", "No files were posted for this slot."),
    "a script error": Crashed("KeyError", "'level'", "Traceback", 3),
    "a fault": None,
}


@pytest.mark.parametrize("outcome", HALTS.values(), ids=HALTS)
def test_a_halt_says_what_it_means_and_what_to_press(stage: Stage, outcome: Outcome | None) -> None:
    press(stage, proposed(stage))
    run_id = next_monday(stage)
    if outcome is None:
        endings.faulted(stage.worker(0), run_id, "box", "The box did not answer.")
    else:
        assert finish(stage, run_id, outcome)

    tell(stage.worker(0), int(stage.one("select id from surprise")))

    [view] = [one for one in stage.channel.shown.values() if isinstance(one, SurpriseView)]
    said = str(render(view).blocks)
    assert view.message in said and "Nothing was delivered" in said
    assert "Rerun" in view.next_step and "Skip this slot" in view.next_step
    assert ("Post what is missing" in view.next_step) == (view.name in ("MissingFile", "NoInput"))
