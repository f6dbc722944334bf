"""Tokens that are renewed: by one alone, in time, and never one workspace's for another."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import timedelta

import pytest
from pydantic import SecretStr
from sqlmodel import select

from bot.domain.errors import ChatGone
from bot.domain.ports import Place
from bot.domain.views import NoteView
from bot.processes.installed import Installed
from bot.settings import Settings
from bot.slack.chat import SlackChat
from bot.slack.tokens import BotToken
from bot.store.tables_installed import Installation
from bot.store.vault import new_key
from tests.desk_client import Desk
from tests.installed.installing import LAB, PARTNER, install

pytestmark = pytest.mark.slow


def refreshes(desk: Desk) -> list[dict[str, object]]:
    return [one for one in desk.calls("oauth.v2.access") if one["args"].get("grant_type") == "refresh_token"]


def test_of_many_who_find_a_token_due_one_renews_it_and_all_use_the_new_one(
    installed: Installed, settings: Settings, registered: Callable[[int], None], desk: Desk
) -> None:
    registered(7000)  # less than the two hours before its end at which a token is renewed
    install(settings, LAB)
    registered(43_200)
    each = [BotToken(installed.control, settings, "", LAB) for _ in range(6)]
    with ThreadPoolExecutor(6) as pool:
        tokens = list(pool.map(lambda one: one(), each))
    assert len(set(tokens)) == 1 and len(refreshes(desk)) == 1
    with closing(SlackChat(settings, token=each[0], team_id=LAB)) as chat:
        assert chat.person("U0BOB000001").name == "Bob"


def test_a_token_that_cannot_be_renewed_is_used_to_its_end_and_then_told(
    installed: Installed, settings: Settings, registered: Callable[[int], None], desk: Desk
) -> None:
    registered(7000)
    install(settings, LAB)
    for fault in ("server_error", "lost_reply"):
        desk.fault(fault, "oauth.v2.access")
        assert BotToken(installed.control, settings, "", LAB)().startswith("xoxe.xoxb-")

    # The lost reply used the refresh token up; after the token's end only installing again helps
    with installed.control.transaction() as session:
        row = session.exec(select(Installation)).one()
        row.expires_at = row.installed_at - timedelta(seconds=1)
        session.add(row)
    with pytest.raises(ChatGone, match=r"invalid_refresh_token.*install the app there again"):
        BotToken(installed.control, settings, "", LAB)()
    install(settings, LAB)
    token = BotToken(installed.control, settings, "", LAB)
    with closing(SlackChat(settings, token=token, team_id=LAB)) as chat:
        assert chat.bot_user_id == "U0STANDBY01"


def test_a_token_serves_its_own_workspace_even_where_rows_were_swapped(
    installed: Installed, settings: Settings, registered: Callable[[int], None], desk: Desk
) -> None:
    registered(0)
    install(settings, LAB)
    install(settings, PARTNER)
    of_lab = BotToken(installed.control, settings, "", LAB)
    refused = pytest.raises(ChatGone, match=f"belongs to {LAB}, so it is not used")
    with closing(SlackChat(settings, token=of_lab, team_id=PARTNER)) as chat, refused:
        chat.post(Place(PARTNER, "C0LAB000001"), NoteView("for the partner"), key="k")
    assert desk.calls("chat.postMessage") == []

    with installed.control.transaction() as session:
        lab, partner = session.exec(select(Installation).order_by(Installation.team_id)).all()
        lab.tokens, partner.tokens = partner.tokens, lab.tokens
        session.add_all([lab, partner])
    with pytest.raises(ChatGone, match="belongs to somebody else"):
        BotToken(installed.control, settings, "", LAB)()

    other_key = settings.model_copy(update={"token_keys": SecretStr(new_key())})
    with pytest.raises(ChatGone, match="STANDBY_TOKEN_KEYS"):
        BotToken(installed.control, other_key, "", PARTNER)()
