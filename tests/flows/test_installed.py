"""Two workspaces in which every id is the same but their own: each gets its own report, and nothing of the other's."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.workspace_settings import WorkspaceSettings
from tests.box.local_server import LocalServer
from tests.desk_client import Desk, NothingCame
from tests.desk_server import running_desk
from tests.flows.world import LAB_LIST, World, settings_for
from tests.installed.installing import BOB, LAB, PARTNER, for_many, install, set_up
from tests.slack.conftest import MANIFEST


@pytest.fixture
def worlds(tmp_path: Path, box_server: LocalServer, database_url: str) -> Iterator[tuple[World, World]]:
    """One Standby, installed in the lab and in the partner's workspace."""
    arguments = ("--manifest", str(MANIFEST), "--beside", str(tmp_path / "beside"))
    with running_desk(tmp_path, *arguments) as running:
        desk, beside = Desk(running.url), Desk(f"{running.url}/beside")
        # Two drafts at once on a busy machine: nobody dies here, so nobody has to be noticed soon.
        patient = {"heartbeat_s": 1.0, "stalled_after_s": 30.0}
        settings = settings_for(tmp_path, running, desk.person("Bob"), box_server, database_url, **patient)
        lists = {"lab list": LAB_LIST}
        own = {LAB: WorkspaceSettings(destinations=lists), PARTNER: WorkspaceSettings(destinations=lists)}
        settings = for_many(settings, running).model_copy(update={"workspaces": own})
        here, there = (World(one, box_server, tmp_path, settings) for one in (desk, beside))
        try:
            here.start()
            set_up(desk, beside, settings, token_life_s=7000)  # so short that every look finds it due
            yield here, there
        finally:
            here.stop()
            print(here.logs())
            desk.close()
            beside.close()


@pytest.mark.slow
def test_OP_04_two_workspaces_never_cross(worlds: tuple[World, World]) -> None:
    # Given Standby, which four processes are running for, installed in two workspaces
    here, there = worlds
    for team in (LAB, PARTNER):
        assert "installed" in install(here.settings, team).text

    # When the same is asked for in both, then each gets a card of its own, whose button is nothing in the other
    requests = [world.request() for world in worlds]
    cards = [world.card() for world in worlds]
    assert [card.thread_ts for card in cards] == [request.ts for request in requests]
    button = next(
        one for block in cards[0].blocks for one in block.get("elements", []) if one.get("action_id") == "approve"
    )
    action = {"type": "button", "action_id": "approve", "value": button["value"]}
    with pytest.raises(NothingCame):
        there.desk.again(cards[0])
    there.bob.forge(cards[1], action)
    there.told(there.bob, "I do not know this button")
    assert not here.desk.again(cards[0]).says("Approved")

    # And who installed it approves, each in their own
    for world, card in zip(worlds, cards, strict=True):
        world.approve(card)

    # When it is Monday, then each report goes out once in its own workspace, with tokens that were renewed meanwhile
    here.monday()
    for world in worlds:
        world.posted("version 1", "approved by")
        assert world.count("version 1", "approved by") == 1
    renewals = [one for one in here.desk.calls("oauth.v2.access") if one["args"].get("grant_type") == "refresh_token"]
    assert len(renewals) > 2 and all(one["ok"] for one in renewals)

    # When it is removed from one, then its routine pauses there, its token is erased, and the other goes on
    there.desk.send("/installation/uninstall", json={})
    here.desk.wait_until(lambda: "event=removed" in here.processes["bot"].log.read_text())
    here.alice.post("#lab", "This week's logs", files=here.desk.story_files("request"))
    here.monday()
    here.desk.wait_until(lambda: here.count("version 1", "approved by") == 2 or None, within_s=60)
    assert there.count("version 1", "approved by") == 1
    calls = [one for one in there.desk.ledger("call") if not one["ok"]]
    assert {one["error"] for one in calls} <= {"account_inactive"}

    # And installed again it can be resumed, with everything that was there
    assert "installed" in install(here.settings, PARTNER, BOB).text
    there.alice.reply(requests[1], "@standby resume")
    there.posted("Resumed")
