"""What an app may do with an interaction, its response_url, triggers and views; and what typed words become."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from time import monotonic
from typing import Any

import httpx
import pytest
from slack_bolt import Ack, App
from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError

from tests.desk.bolt_bot import BoltBot, connected
from tests.desk_client import Desk, DeskRefused, Message
from tests.desk_server import RunningDesk, running_desk

Json = dict[str, Any]
LAB = "C0LAB000001"


def form(title: str, **more: Any) -> Json:
    words = {"type": "section", "text": {"type": "mrkdwn", "text": title}}
    return {"type": "modal", "title": {"type": "plain_text", "text": title}, "blocks": [words], **more}


class Listening(BoltBot):
    """Acknowledges a press and keeps it, for the test to go on with."""

    def __init__(self, client: WebClient) -> None:
        super().__init__(client)
        self.presses: list[Json] = []
        self.app.action("go")(self.on_go)

    def on_go(self, ack: Ack, body: Json) -> None:
        ack()
        self.presses.append(body)

    @property
    def bolt(self) -> App:
        return self.app


@pytest.fixture(scope="module")
def bot(running: RunningDesk) -> Iterator[Listening]:
    with connected(running, Listening) as one:
        assert isinstance(one, Listening)
        yield one


@pytest.fixture
def card(web: WebClient, desk: Desk) -> Message:
    go = {"type": "button", "action_id": "go", "text": {"type": "plain_text", "text": "Go"}}
    web.chat_postMessage(channel=LAB, text="A card", blocks=[{"type": "actions", "elements": [go]}])
    return desk.messages()[-1]


@pytest.fixture
def press(bot: Listening, desk: Desk, card: Message) -> Json:
    bot.presses.clear()
    desk.person("Bob").press(card, "Go")
    return desk.wait_until(lambda: bot.presses or None)[-1]


def respond(press: Json, **message: Any) -> httpx.Response:
    return httpx.post(press["response_url"], json=message, trust_env=False)


def test_a_response_url_takes_five_answers(desk: Desk, press: Json) -> None:
    answers = [respond(press, text=f"answer {n}") for n in range(6)]
    assert [one.status_code for one in answers] == [200] * 5 + [404]
    assert answers[-1].json()["error"] == "used_url"
    mine = [m.text for m in desk.person("Bob").sees("#lab") if m.ephemeral_to][-5:]
    assert mine == [f"answer {n}" for n in range(5)]


def test_a_response_url_can_replace_its_message_or_take_it_away(desk: Desk, press: Json, card: Message) -> None:
    respond(press, text="Done", replace_original=True)
    assert (desk.again(card).text, desk.again(card).buttons) == ("Done", [])
    respond(press, delete_original=True)
    assert card.ts not in [m.ts for m in desk.messages()]


def test_a_refused_answer_changes_nothing(desk: Desk, press: Json, card: Message) -> None:
    answer = respond(press, text="x", blocks=[{"type": "hologram"}], replace_original=True)
    assert answer.json()["error"] == "invalid_blocks"
    assert desk.again(card).has_button("Go")


def test_a_trigger_opens_one_modal(web: WebClient, press: Json) -> None:
    web.views_open(trigger_id=press["trigger_id"], view=form("One"))
    with pytest.raises(SlackApiError, match="exchanged_trigger_id"):
        web.views_open(trigger_id=press["trigger_id"], view=form("Two"))


def test_a_modal_is_updated_only_by_whoever_saw_its_last_state(web: WebClient, desk: Desk, press: Json) -> None:
    first = web.views_open(trigger_id=press["trigger_id"], view=form("Loading"))["view"]
    second = web.views_update(view_id=first["id"], hash=first["hash"], view=form("Ready"))["view"]
    assert desk.person("Bob").views()[-1].title == "Ready"
    with pytest.raises(SlackApiError, match="hash_conflict"):
        web.views_update(view_id=first["id"], hash=first["hash"], view=form("Late"))
    assert second["hash"] != first["hash"]


def test_the_payload_of_a_press_says_who_where_and_on_what(press: Json, card: Message) -> None:
    assert (press["user"]["team_id"], press["channel"]["id"]) == ("T0LAB000001", LAB)
    assert (press["container"]["message_ts"], press["message"]["ts"]) == (card.ts, card.ts)
    assert press["actions"][0]["action_id"] == "go"


def test_a_response_url_expires_by_desk_time(tmp_path_factory: pytest.TempPathFactory) -> None:
    with running_desk(tmp_path_factory.mktemp("late")) as running, connected(running, Listening) as bot:
        assert isinstance(bot, Listening)
        desk = Desk(running.url)
        go = {"type": "button", "action_id": "go", "text": {"type": "plain_text", "text": "Go"}}
        bot.bolt.client.chat_postMessage(channel=LAB, text="c", blocks=[{"type": "actions", "elements": [go]}])
        desk.person("Bob").press(desk.messages()[-1], "Go")
        press = desk.wait_until(lambda: bot.presses or None)[-1]
        desk.move_clock_to(desk.now() + timedelta(minutes=31))
        assert respond(press, text="late").json()["error"] == "expired_url"
        desk.close()


@pytest.mark.parametrize(
    ("typed", "sent"),
    [
        ("@standby hello", "<@U0STANDBY01> hello"),
        ("ask @Bob in #lab", "ask <@U0BOB000001> in <#C0LAB000001|lab>"),
        ("@nobody #nowhere", "@nobody #nowhere"),
        ("a < b & c > d", "a &lt; b &amp; c &gt; d"),
        ("see https://example.org/a?b=1.", "see <https://example.org/a?b=1>."),
        ("to lab@example.org", "to <mailto:lab@example.org|lab@example.org>"),
        ("<@U0BOB000001> stays", "<@U0BOB000001> stays"),
        ("<!channel> is no mark", "&lt;!channel&gt; is no mark"),
    ],
)
def test_what_people_type_arrives_as_slack_would_send_it(desk: Desk, typed: str, sent: str) -> None:
    assert desk.person("Alice").post("#lab", typed).text == sent


def test_a_permalink_shows_the_page(web: WebClient, desk: Desk) -> None:
    said = desk.person("Alice").post("#lab", "look at this")
    link = web.chat_getPermalink(channel=LAB, message_ts=said.ts)["permalink"]
    page = httpx.get(link, trust_env=False)
    assert "/page/app.js" in page.text
    assert "script-src 'self'" in page.headers["content-security-policy"]


def test_many_are_written_in_order_over_the_time_that_is_given(desk: Desk) -> None:
    said = [{"text": "one"}, {"text": "two", "files": {"a.log": "x\n"}}, {"text": "three", "thread_of": 0}]
    began = monotonic()
    posted = desk.person("Alice").post_many("#lab", said, within_s=0.3)

    assert monotonic() - began >= 0.2
    one, two, three = [m for m in desk.messages("#lab") if m.ts in posted]
    assert (one.text, two.text, three.text, three.thread_ts) == ("one", "two", "three", one.ts)
    assert [file["name"] for file in two.files] == ["a.log"]
    with pytest.raises(DeskRefused, match="no list"):
        desk.send("/messages/many", json={"person": "Alice", "channel": "#lab", "said": "one"})
