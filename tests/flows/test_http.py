"""The story's first half in HTTP mode, with two bots side by side of which one dies."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from pydantic import SecretStr

from tests.flows.world import Process, World
from tests.slack.test_http import address


@pytest.mark.slow
def test_from_request_to_report_over_http(new_world: Callable[..., World]) -> None:
    # Given a bot that Slack posts to, and another one beside it
    world = new_world(slack_app_token=SecretStr(""), http_port=0)
    world.settings = world.settings.model_copy(update={"slack_signing_secret": SecretStr(world.signing_secret)})
    world.start()
    first = world.processes["bot"]
    second = Process("bot", first.environment, world.folder / "second.log")
    second.start()
    world.processes["second"] = second
    world.desk.settings(request_url=address(first.log))

    # When the story's report is asked for, and the first bot dies before it is approved at the second
    request = world.request()
    card = world.card()
    assert card.thread_ts == request.ts
    first.kill()
    world.desk.settings(request_url=address(second.log))
    world.alice.press(card, "Approve")
    world.told(world.alice, "asked for")
    world.approve(card)

    # Then the report comes on Monday, once, and no socket was ever opened
    world.monday()
    world.desk.wait_for_mail(lambda mail: bool(mail.to), within_s=60)
    world.posted("version 1", "approved by")
    assert world.count("version 1", "approved by") == 1
    assert world.desk.calls("apps.connections.open") == []
