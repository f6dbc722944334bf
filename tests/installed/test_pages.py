"""Installing by Slack's page: once for each way there and back, from one browser, and nothing is kept in plain."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from sqlalchemy import text
from sqlmodel import select

from bot.processes.installed import Installed
from bot.settings import Settings
from bot.slack.ids import NEEDED_SCOPES
from bot.store.tables_installed import Installation, InstallState
from tests.desk_client import Desk
from tests.installed.installing import ALICE, LAB, PARTNER, Browser, asked_for, install

pytestmark = pytest.mark.slow


def granted(installed: Installed) -> list[Installation]:
    with installed.control.transaction() as session:
        return list(session.exec(select(Installation)))


def test_whoever_agrees_gets_a_workspace_of_its_own_and_its_token_is_kept_encrypted(
    installed: Installed, settings: Settings, registered: Callable[[int], None]
) -> None:
    registered(0)
    assert "Standby is installed" in install(settings, LAB, ALICE).text
    assert "Standby is installed" in install(settings, PARTNER).text

    assert [(one.team_id, one.installer_id) for one in granted(installed)] == [(LAB, ALICE), (PARTNER, "U0BOB000001")]
    assert all(set(one.scopes.split(",")) == NEEDED_SCOPES for one in granted(installed))
    assert sorted(one.schema_name for one in installed.now().values()) == ["ws_t0lab000001", "ws_t0partner01"]
    tokens = [installed.token_of(one)() for one in installed.now().values()]
    assert len(set(tokens)) == 2
    with installed.control.engine.connect() as connection:
        kept = connection.execute(text("select * from installation")).all()
    assert not any(token[5:] in str(kept) for token in tokens)
    of_lab, of_partner = (installed.settings_of(one) for one in installed.now().values())
    assert (of_lab.approvers, of_partner.approvers) == ((ALICE,), ("U0BOB000001",))
    assert of_lab.blobs != of_partner.blobs and of_lab.data_dir != of_partner.data_dir


def test_the_way_back_counts_once_from_one_browser_and_in_time(
    installed: Installed, settings: Settings, registered: Callable[[int], None], desk: Desk
) -> None:
    registered(0)
    start = f"{settings.public_url}/slack/install"
    browser, another = Browser(), Browser()
    page = browser.get(start).headers["location"]
    assert asked_for(page)["redirect_uri"] == f"{settings.public_url}/slack/oauth_redirect"
    back = browser.agree(page, LAB)

    # Not from another browser, whatever state it has of its own; not with a state that nobody issued
    another.get(start)
    assert another.get(back).status_code == 400
    assert browser.get(back.replace(asked_for(back)["state"], "made-up")).status_code == 400

    # Not when it was declined, with a made-up code, without one, or after ten minutes
    declined = Browser()
    assert (
        "did not agree" in declined.get(declined.agree(declined.get(start).headers["location"], LAB, answer="no")).text
    )
    for change in ("code=made-up", "nothing=x"):
        tried = Browser()
        address = tried.agree(tried.get(start).headers["location"], LAB)
        assert tried.get(address.replace(f"code={asked_for(address)['code']}", change)).status_code == 401
    late = Browser()
    address = late.agree(late.get(start).headers["location"], LAB)
    with installed.control.transaction() as session:
        for row in session.exec(select(InstallState)):
            row.issued_at -= timedelta(minutes=11)
            session.add(row)
    assert "older than ten minutes" in late.get(address).text
    assert granted(installed) == []

    # And once more from the beginning it counts, once
    again = Browser()
    good = again.agree(again.get(start).headers["location"], LAB)
    assert again.get(good).status_code == 200
    assert again.get(good).status_code == 401
    assert len(granted(installed)) == 1
    assert "secret" not in str(desk.calls("oauth.v2.access"))
