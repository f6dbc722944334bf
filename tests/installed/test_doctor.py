"""The doctor looks at each workspace, and names the one where something is missing."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from pydantic import SecretStr

from bot.processes import checks, checks_queue, checks_slack
from bot.processes.checks_installed import of_each
from bot.settings import Settings
from bot.slack.ids import NEEDED_SCOPES
from bot.store.vault import new_key
from tests.desk_client import Desk
from tests.installed.installing import LAB, PARTNER, install

pytestmark = pytest.mark.slow


def test_it_names_the_workspace_and_the_scope_that_is_missing_there(
    settings: Settings, registered: Callable[[int], None], beside: Desk
) -> None:
    slack = of_each(checks_slack.slack, has_token=True)
    approvers = of_each(checks_slack.approvers, has_token=True)
    assert "installed in no workspace yet" in slack(settings).says

    registered(0)
    for team in (LAB, PARTNER):
        install(settings, team)
    assert slack(settings).ok and "(2 looked at)" in slack(settings).says
    assert approvers(settings).ok
    for check in (of_each(checks.database, itself=True), of_each(checks.history), of_each(checks_queue.queue)):
        assert check(settings).ok, check(settings)

    beside.settings(scopes=sorted(NEEDED_SCOPES - {"files:read"}))
    found = slack(settings)
    assert (found.ok, found.says) == (False, "Partner Institute: scopes are missing: files:read")

    other = settings.model_copy(update={"token_keys": SecretStr(new_key())})
    found = slack(other)
    assert not found.ok and "Northside Lab: has no usable token" in found.says and "STANDBY_TOKEN_KEYS" in found.todo
