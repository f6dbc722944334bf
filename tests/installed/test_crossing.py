"""What one workspace says changes nothing in another, whatever ids it says it with."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from typing import Any

import httpx
import pytest
from sqlalchemy.exc import ProgrammingError
from sqlmodel import Session, select

from bot.domain.words import RoutineState
from bot.processes.database import database
from bot.processes.environment import as_variables
from bot.processes.installed import Installed
from bot.processes.stored import audit
from bot.settings import Settings, SettingsError
from bot.slack.chat import SlackChat
from bot.store.session import Database
from bot.store.tables_installed import Installation
from bot.store.tables_plans import Card, Routine
from bot.store.tables_talk import SharedFile, Task
from tests import views
from tests.desk_client import Desk
from tests.installed.installing import ALICE, BOB, LAB, PARTNER, install
from tests.slack.proposals import Proposal, decisions, propose
from tests.slack.signing import posted, pressed, signed
from tests.store.rows import NOW

CHANNEL = "C0LAB000001"  # in both


@pytest.fixture
def both(settings: Settings, registered: Callable[[int], None]) -> Settings:
    """Installed in both workspaces, by Bob of each."""
    registered(0)
    for team in (LAB, PARTNER):
        assert install(settings, team).status_code == 200
    return settings


@contextmanager
def opened(installed: Installed, team: str) -> Iterator[Database]:
    with closing(database(installed.settings_of(installed.now()[team]))) as db:
        yield db


def rows(installed: Installed, team: str, kind: type[Any]) -> list[Any]:
    with opened(installed, team) as db, db.transaction() as session:
        return list(session.exec(select(kind)))


def send(settings: Settings, body: str, kind: str) -> int:
    """As Slack itself would."""
    made = {k: v[0] for k, v in signed(body, time.time(), settings.slack_signing_secret.get_secret_value()).items()}
    answer = httpx.post(
        f"{settings.public_url}/slack/events", content=body, headers={**made, "content-type": kind}, timeout=30
    )
    return answer.status_code


def event(settings: Settings, sent_for: str, event_id: str, **outer: Any) -> int:
    """An event whose authorization names `sent_for`; everything else may say something else."""
    ts = f"17800000{len(event_id):02d}.000{sum(map(ord, event_id)) % 900 + 100}"
    inner = {"type": "app_mention", "channel": CHANNEL, "user": ALICE, "ts": ts, "text": "<@U0STANDBY01> daily"}
    body = {
        "type": "event_callback", "event_id": event_id, "event": inner | outer.pop("event", {}),
        "authorizations": [{"team_id": sent_for, "enterprise_id": None, "is_enterprise_install": False}], **outer,
    }  # fmt: skip
    return send(settings, json.dumps(body), "application/json")


def press(settings: Settings, proposal: Proposal, team: str, by: str = BOB) -> int:
    payload = pressed(proposal, by) | {"team": {"id": team}}
    return send(settings, posted(payload), "application/x-www-form-urlencoded")


@pytest.mark.slow
def test_OP_04_events_and_presses_reach_the_workspace_that_slack_sends_them_for_and_no_other(
    both: Settings, installed: Installed, desk: Desk, beside: Desk
) -> None:
    # An event that is sent for the partner, with the lab's ids everywhere else, is the partner's
    assert event(both, PARTNER, "Ev1", team_id=LAB, context_team_id=LAB, event={"team": LAB, "user_team": LAB}) == 200
    assert ([t.team_id for t in rows(installed, PARTNER, Task)], rows(installed, LAB, Task)) == ([PARTNER], [])

    # The same message of the same channel under the same event id is another one in the lab
    assert event(both, LAB, "Ev1", team_id=LAB) == 200
    assert [len(rows(installed, team, Task)) for team in (LAB, PARTNER)] == [1, 1]

    # One of a workspace that is not installed, or that does not exist, is nobody's
    for number, team in enumerate(("T0NOWHERE01", "T0LAB000001' or '1'='1", "../T0LAB000001", "public")):
        assert event(both, team, f"Ev-none-{number}", team_id=LAB) == 200
    assert [len(rows(installed, team, Task)) for team in (LAB, PARTNER)] == [1, 1]

    # A file that the partner shared in the lab's channel is the lab's to read there, by the lab's own token alone
    stub = {
        "files": [{"id": "F0OTHER0001", "file_access": "check_file_info"}],
        "subtype": "file_share",
        "type": "message",
    }
    assert event(both, LAB, "Ev-file", event=stub) == 500  # the lab cannot see it (yet), so Slack sends it again
    assert rows(installed, LAB, SharedFile) == rows(installed, PARTNER, SharedFile) == []
    asked = [one for one in desk.calls("files.info") if one["args"].get("file") == "F0OTHER0001"]
    assert asked and beside.calls("files.info") == []

    # The lab's button, pressed in the partner's workspace by the person who has the same id there, approves nothing
    with opened(installed, LAB) as db, closing(lab_chat(installed)) as chat:
        proposal = propose(db, chat, desk, views.SCRIPT)
        with db.transaction() as session:
            session.get_one(Card, proposal.card_id).message_ts = proposal.message.ts
        assert press(both, proposal, PARTNER) == 200
        assert press(both, proposal, LAB, by="U0CHARLIE01") == 200  # a stranger from the partner, in the shared channel
        assert press(both, proposal, LAB, by=ALICE) == 200
        assert decisions(db) == []
        assert press(both, proposal, LAB) == 200
        assert [one.person_id for one in decisions(db)] == [BOB]

    # And a connection of one workspace cannot even name the other's rows, nor any token
    with opened(installed, PARTNER) as db:
        with db.transaction() as session:
            assert session.exec(select(Installation)).all() == []
        with pytest.raises(ProgrammingError), db.transaction() as session:
            session.connection().exec_driver_sql("select * from nowhere.task")


def lab_chat(installed: Installed) -> SlackChat:
    one = installed.now()[LAB]
    return SlackChat(installed.settings_of(one), token=installed.token_of(one), team_id=LAB)


def active(session: Session) -> list[RoutineState]:
    return [one.state for one in session.exec(select(Routine))]


@pytest.mark.slow
def test_SL_08_removed_from_one_its_routines_pause_its_token_is_erased_and_the_other_goes_on(
    both: Settings, installed: Installed, beside: Desk
) -> None:
    # Given an active routine in each
    for team in (LAB, PARTNER):
        with opened(installed, team) as db, db.transaction() as session:
            session.add(
                Routine(team_id=team, name="r", channel_id=CHANNEL, thread_ts="1.0", owner_id=ALICE,
                        state=RoutineState.ACTIVE, created_at=NOW)
            )  # fmt: skip

    # When a person's own token is revoked, nothing changes; when the partner's admin takes the app out, it does
    gone = {"type": "tokens_revoked", "tokens": {"oauth": [ALICE], "bot": []}}
    assert event(both, PARTNER, "Ev-own", event=gone) == 200
    assert set(installed.now()) == {LAB, PARTNER}
    beside.send("/installation/uninstall", json={})
    beside.wait_until(lambda: set(installed.now()) == {LAB} or None)

    with installed.control.transaction() as session:
        kept = {one.team_id: one.tokens is not None for one in session.exec(select(Installation))}
    assert kept == {LAB: True, PARTNER: False}
    states = {}
    for team in (LAB, PARTNER):
        url = installed.settings_of(installed.now()[LAB]).database_url.replace("ws_t0lab000001", f"ws_{team.lower()}")
        with closing(Database(url)) as db, db.transaction() as session:
            states[team] = active(session)
    assert states == {LAB: [RoutineState.ACTIVE], PARTNER: [RoutineState.PAUSED]}

    # Then what it still says is nobody's, and installed again everything is there
    assert event(both, PARTNER, "Ev-late") == 200
    assert install(both, PARTNER).status_code == 200
    assert rows(installed, PARTNER, Task) == [] and len(rows(installed, PARTNER, Routine)) == 1
    assert event(both, PARTNER, "Ev-new") == 200
    assert len(rows(installed, PARTNER, Task)) == 1

    # And what Slack tells again of the end before is of the past, until it ends anew
    ended = {"type": "app_uninstalled"}
    assert event(both, PARTNER, "Ev-again", event=ended, event_time=int(time.time()) - 60) == 200
    assert set(installed.now()) == {LAB, PARTNER}
    assert event(both, PARTNER, "Ev-end", event=ended, event_time=int(time.time())) == 200
    assert set(installed.now()) == {LAB}

    # And whoever looks into what is stored says of which workspace, also of one that is gone
    environ = as_variables(both, ("slack_client_secret", "slack_signing_secret", "token_keys"))
    assert len(list(audit(environ, PARTNER))) > len(list(audit(environ, LAB)))
    for wrong in ("", "T0ELSEWHERE"):
        with pytest.raises(SettingsError, match=f"--workspace: {LAB}, {PARTNER}"):
            list(audit(environ, wrong))


@pytest.mark.slow
def test_a_grant_to_a_whole_organisation_serves_each_of_its_workspaces_apart_and_nobody_elses(
    settings: Settings, registered: Callable[[int], None], installed: Installed, desk: Desk
) -> None:
    # Given an organisation that installed it for all of its workspaces
    registered(0)
    desk.send("/settings", json={"enterprise": {"id": "E0ORG000001", "name": "Org"}, "is_org_wide": True})
    assert install(settings, LAB).status_code == 200
    assert installed.now() == {}

    # When somebody speaks in one of them, then it has rows of its own, and lists are asked for by its id
    desk.person("Alice").post("#lab", "@standby every Monday")
    desk.wait_until(lambda: (LAB in installed.now() and rows(installed, LAB, Task)) or None, within_s=20)
    with closing(lab_chat(installed)) as chat:
        assert chat.team_id == LAB and chat.channel_named("lab") is not None
        assert chat.members_of_group("S0LEADS0001") == (BOB,)

    # And one of its other workspaces gets others, one of another organisation none
    of_org = [{"team_id": PARTNER, "enterprise_id": "E0ORG000001", "is_enterprise_install": True}]
    assert event(settings, PARTNER, "Ev-org", authorizations=of_org) == 200
    assert [len(rows(installed, team, Task)) for team in (LAB, PARTNER)] == [1, 1]
    elsewhere = [{"team_id": "T0ELSEWHERE", "enterprise_id": "E0OTHER0001", "is_enterprise_install": True}]
    assert event(settings, "T0ELSEWHERE", "Ev-other", authorizations=elsewhere) == 200
    assert set(installed.now()) == {LAB, PARTNER}

    # And when the organisation takes it out, it is gone from all
    gone = {"type": "app_uninstalled"}
    assert event(settings, PARTNER, "Ev-gone", authorizations=of_org, event=gone) == 200
    assert installed.now() == {}
