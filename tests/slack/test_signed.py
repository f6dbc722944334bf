"""What comes over the wire counts only if Slack signed it a moment ago, and only for what the stored button says."""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from pydantic import SecretStr
from slack_bolt import App, BoltRequest

from bot.domain.words import CardState, Verb
from bot.settings import Settings
from bot.slack.app import build_app
from bot.slack.chat import SlackChat
from bot.slack.skew import apart_from
from bot.store.session import Database
from bot.store.tables_plans import Card
from bot.work.parts import Parts
from tests import views
from tests.desk_client import Desk
from tests.slack.proposals import Proposal, decisions, propose
from tests.slack.signing import ALICE, BOB, CHARLIE, SECRET, button_of, posted, pressed, send, signed, submitted
from tests.work.conftest import SetClock


@pytest.fixture
def app(database: Database, settings: Settings, chat: SlackChat) -> Iterator[App]:
    ours = settings.model_copy(update={"slack_signing_secret": SecretStr(SECRET)})
    app = build_app(Parts(database, chat, SetClock(), ours), chat)
    yield app
    app.listener_runner.listener_executor.shutdown()


@pytest.fixture
def proposal(database: Database, chat: SlackChat, desk: Desk) -> Proposal:
    made = propose(database, chat, desk, views.SCRIPT)
    with database.transaction() as session:
        session.get_one(Card, made.card_id).message_ts = made.message.ts
    return made


FORGED = {
    "another secret": lambda body: signed(body, time.time(), "guessed"),
    "no signature": lambda _: {"content-type": ["application/x-www-form-urlencoded"]},
    "five minutes old": lambda body: signed(body, time.time() - 301),
    "five minutes ahead": lambda body: signed(body, time.time() + 302),
    "another body": lambda body: signed(body + "&x=1", time.time()),
    "no time": lambda body: {k: v for k, v in signed(body, time.time()).items() if "timestamp" not in k},
}


@pytest.mark.parametrize("how", FORGED)
def test_AP_12_what_slack_did_not_sign_a_moment_ago_is_not_read(
    app: App, database: Database, proposal: Proposal, how: str
) -> None:
    body = posted(pressed(proposal))

    answer = app.dispatch(BoltRequest(body=body, headers=FORGED[how](body)))

    assert answer.status == 401
    assert decisions(database) == []


def test_what_slack_signs_counts_for_what_the_stored_button_says_and_for_nothing_else(
    app: App, database: Database, chat: SlackChat, desk: Desk, proposal: Proposal
) -> None:
    # Given two cards, and presses in which something was swapped
    other = propose(database, chat, desk, views.SCRIPT + "# another\n", before=proposal)
    swapped: list[dict[str, Any]] = [
        pressed(proposal, channel="C0GENERAL01"),
        pressed(proposal, ts="1.000001"),
        pressed(proposal, ts=other.message.ts),  # this card's button in the other's message
        pressed(proposal, value="made-up"),
        pressed(proposal, value=""),
        pressed(proposal, value=button_of(proposal, Verb.REJECT)),  # one button under another's name
        pressed(proposal, action_id="approve_without"),
        pressed(proposal, action_id="go_on"),
        pressed(proposal, action_id="rerun"),
        pressed(proposal, by=ALICE),
        pressed(proposal, by=CHARLIE),
        pressed(proposal, by="U0NOBODY001"),
        submitted(proposal, CHARLIE),
        submitted(proposal, BOB, verb=Verb.REJECT, ts=other.message.ts),
        submitted(proposal, BOB, channel="C0GENERAL01"),
        submitted(proposal, BOB, value="made-up"),
        submitted(proposal, BOB, value=button_of(proposal, Verb.APPROVE)),  # an approval sent as a rejection
    ]

    # When each is sent, then nothing is decided
    for payload in swapped:
        send(app, payload)
        assert decisions(database) == [], payload
    with database.transaction() as session:
        assert session.get_one(Card, proposal.card_id).state is CardState.OPEN

    # And the press as it is counts once
    assert [send(app, pressed(proposal)).status for _ in range(3)] == [200, 200, 200]
    assert [(one.verb, one.person_id) for one in decisions(database)] == [(Verb.APPROVE, BOB)]


def test_AP_12_a_clock_that_is_apart_from_slacks_is_told_in_seconds() -> None:
    now = datetime(2026, 11, 30, 8, 0, tzinfo=UTC)
    headers = {"Date": "Mon, 30 Nov 2026 07:58:30 GMT"}
    assert apart_from(headers, now) == 90
    assert apart_from(headers, now - timedelta(seconds=90)) == 0
    assert apart_from({}, now) == apart_from({"date": "no date"}, now) == 0
