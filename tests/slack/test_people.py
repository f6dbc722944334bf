"""Who somebody is: only what Slack says plainly counts, and what it leaves open makes nobody a member."""

import json
import time
from collections.abc import Iterator
from threading import Event
from typing import Any

import pytest

from bot.domain.errors import ChatBusy, ChatError, ChatUnclear
from bot.settings import Settings
from bot.slack import wire
from bot.slack.calls import Calls
from bot.slack.people import SOMEBODY, People
from tests.slack.far_end import FarEnd, far_end

OURS = "T0LAB000001"
BOB = {
    "id": "U0BOB000001", "team_id": OURS, "name": "bob", "real_name": "Bob", "deleted": False, "is_bot": False,
    "is_restricted": False, "is_ultra_restricted": False, "profile": {"display_name": "Bob"},
}  # fmt: skip


@pytest.fixture
def far() -> Iterator[FarEnd]:
    with far_end() as server:
        yield server


@pytest.fixture
def people(far: FarEnd) -> People:
    settings = Settings.load({}).model_copy(update={"slack_api_url": f"http://127.0.0.1:{far.server_port}/api/"})
    return People(wire.client(settings, timeout_s=0.2), Calls(patience_s=0.2), lambda: OURS)


def says(far: FarEnd, **user: Any) -> None:
    far.body = json.dumps({"ok": True, "user": BOB | user}).encode()


def lacks(field: str) -> dict[str, Any]:
    return {"ok": True, "user": {name: value for name, value in BOB.items() if name != field}}


def test_a_member_is_known_by_what_slack_says(far: FarEnd, people: People) -> None:
    says(far)
    bob = people.person("U0BOB000001")
    assert (bob.name, bob.team_id) == ("Bob", OURS)
    assert not (bob.is_bot or bob.is_deleted or bob.is_guest or bob.is_stranger)


def test_a_name_holds_nothing_that_no_database_keeps(far: FarEnd, people: People) -> None:
    says(far, profile={"display_name": "B\0o\ud800b"})
    assert people.person("U0BOB000001").name == "Bob"


@pytest.mark.parametrize(
    ("user", "claim"),
    [
        ({"is_restricted": True}, "is_guest"),
        ({"is_ultra_restricted": True}, "is_guest"),
        ({"is_bot": True}, "is_bot"),
        ({"deleted": True, "is_restricted": None}, "is_deleted"),
        ({"team_id": "T0OTHER0001"}, "is_stranger"),
        ({"team_id": None, "is_restricted": None}, "is_stranger"),
        ({"is_stranger": True}, "is_stranger"),
    ],
)
def test_whoever_is_no_full_member_is_said_to_be_so(
    far: FarEnd, people: People, user: dict[str, Any], claim: str
) -> None:
    says(far, **user)
    assert getattr(people.person("U0BOB000001"), claim)


RUBBISH = {
    "no JSON": b"<html>login</html>",
    "nothing": b"",
    "a list": b"[1, 2]",
    "a text": b'"ok"',
    "null": b"null",
    "no UTF-8": b'{"ok": true, "user": "\xff"}',
    "nobody": b'{"ok": true}',
    "a list for a person": b'{"ok": true, "user": [1]}',
    "somebody else": json.dumps({"ok": True, "user": BOB | {"id": "U0EVE000001"}}).encode(),
    "a guest or not": json.dumps(lacks("is_restricted")).encode(),
    "a guest of one channel or not": json.dumps(lacks("is_ultra_restricted")).encode(),
    "a bot or not": json.dumps(lacks("is_bot")).encode(),
    "gone or not": json.dumps(lacks("deleted")).encode(),
    "a guest in words": json.dumps({"ok": True, "user": BOB | {"is_restricted": "true"}}).encode(),
    "an organisation in words": json.dumps({"ok": True, "user": BOB | {"enterprise_user": "T0LAB000001"}}).encode(),
}


@pytest.mark.parametrize("what", RUBBISH)
def test_AP_10_an_answer_that_leaves_open_who_it_is_makes_nobody_a_member(
    far: FarEnd, people: People, what: str
) -> None:
    far.body = RUBBISH[what]
    with pytest.raises(ChatError):
        people.person("U0BOB000001")
    assert people.name_of("U0BOB000001") == SOMEBODY


@pytest.mark.parametrize("body", [{"ok": True}, {"ok": True, "users": "U0BOB000001"}, {"ok": True, "users": [1]}])
def test_a_group_that_cannot_be_read_has_no_members(far: FarEnd, people: People, body: dict[str, Any]) -> None:
    far.body = json.dumps(body).encode()
    with pytest.raises(ChatUnclear):
        people.members_of_group("S0LEADS0001", None)


def test_a_press_waits_neither_for_a_long_rate_limit_nor_for_silence(far: FarEnd, people: People) -> None:
    far.status, far.headers, far.body = 429, {"Retry-After": "30"}, b'{"ok": false, "error": "ratelimited"}'
    began = time.monotonic()
    with pytest.raises(ChatBusy):
        people.person("U0BOB000001")
    far.held = Event()
    with pytest.raises(ChatUnclear):
        people.person("U0BOB000001")
    assert time.monotonic() - began < 2
    assert far.calls == 2


def test_a_name_is_asked_for_once_and_standing_each_time(far: FarEnd, people: People) -> None:
    says(far)
    assert [people.name_of("U0BOB000001") for _ in range(3)] == ["Bob"] * 3
    assert far.calls == 1
    says(far, is_restricted=True)
    assert people.person("U0BOB000001").is_guest
