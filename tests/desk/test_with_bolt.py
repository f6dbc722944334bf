"""The real slack_bolt app, over Socket Mode, with people at the desk."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.desk.bolt_bot import BoltBot, connected
from tests.desk_client import Desk, DeskRefused, Message
from tests.desk_server import RunningDesk

pytestmark = pytest.mark.usefixtures("bot")


@pytest.fixture(scope="module")
def bot(running: RunningDesk) -> Iterator[BoltBot]:
    with connected(running) as one:
        yield one


def card_for(desk: Desk, request: Message) -> Message:
    return desk.wait_for(lambda m: m.has_button("Approve") and m.thread_ts == request.ts)


def test_a_mention_is_heard_twice_and_answered_in_its_thread(bot: BoltBot, desk: Desk) -> None:
    request = desk.person("Alice").post("#lab", "@standby every Monday")
    card = card_for(desk, request)
    assert [m.ts for m in desk.thread(request)] == [request.ts, card.ts]
    heard = desk.wait_until(lambda: [e for e in bot.heard if e["ts"] == request.ts][1:] and bot.heard)
    assert {e["type"] for e in heard if e["ts"] == request.ts} == {"app_mention", "message"}
    assert {e["text"] for e in heard if e["ts"] == request.ts} == {"<@U0STANDBY01> every Monday"}


def test_a_press_reaches_the_app_and_the_card_is_rewritten(desk: Desk) -> None:
    card = card_for(desk, desk.person("Alice").post("#lab", "@standby please"))
    outcome = desk.person("Bob").press(card, "Approve")
    assert outcome.acked
    desk.wait_until(lambda: desk.again(card).says("Approved by") or None)
    assert desk.again(card).buttons == []
    with pytest.raises(DeskRefused, match="no 'Approve' to press"):
        desk.person("Bob").press(card, "Approve")


def test_a_strangers_press_carries_their_team_and_only_they_see_the_answer(desk: Desk) -> None:
    card = card_for(desk, desk.person("Alice").post("#lab", "@standby please"))
    charlie = desk.person("Charlie")
    charlie.press(card, "Approve")
    answer = desk.wait_for(lambda m: m.ephemeral_to == charlie.id)
    assert answer.ts in {m.ts for m in charlie.sees("#lab")}
    assert answer.ts not in {m.ts for m in desk.person("Bob").sees("#lab")}
    assert desk.again(card).has_button("Approve")


def test_a_form_opens_refuses_and_is_submitted(bot: BoltBot, desk: Desk) -> None:
    bob = desk.person("Bob")
    bob.press(card_for(desk, desk.person("Alice").post("#lab", "@standby please")), "Reject…")
    form = bob.wait_for_view()
    assert (form.title, form.fields) == ("Reject", ["Why?", "Who should look at it?"])
    # Slack's own dialog does not let an empty required field pass.
    assert bob.submit(form, {}).errors == {"why": "Please complete this required field."}
    assert bob.submit(form, {"Why?": "no"}).errors == {"why": "Say a little more."}
    assert bob.submit(form, {"Why?": "The columns are wrong", "user": "Alice"}).errors == {}
    assert bob.views() == []
    sent = bot.submitted[-1]
    assert sent["private_metadata"] == "card-1"
    assert sent["state"]["values"]["why"]["text"]["value"] == "The columns are wrong"
    assert sent["state"]["values"]["who"]["user"]["selected_user"] == desk.person("Alice").id


def test_a_closed_form_is_told_to_the_app_that_asked_for_it(bot: BoltBot, desk: Desk) -> None:
    bob = desk.person("Bob")
    bob.press(card_for(desk, desk.person("Alice").post("#lab", "@standby please")), "Reject…")
    bob.close(bob.wait_for_view())
    assert desk.wait_until(lambda: bot.closed or None)[-1]["callback_id"] == "reason"


def test_files_come_with_the_message_and_can_be_downloaded(bot: BoltBot, desk: Desk) -> None:
    request = desk.person("Alice").post("#lab", "two files", files={"a.log": b"one\n", "b.csv": b"x,y\n1,2\n"})
    desk.wait_until(lambda: {"a.log", "b.csv"} <= set(bot.downloads) or None)
    assert (bot.downloads["a.log"], bot.downloads["b.csv"]) == (b"one\n", b"x,y\n1,2\n")
    event = next(e for e in bot.heard if e["ts"] == request.ts)
    assert (event["subtype"], [f["mimetype"] for f in event["files"]]) == ("file_share", ["text/plain", "text/csv"])


def test_a_file_that_the_app_uploads_appears_in_the_thread(bot: BoltBot, desk: Desk) -> None:
    request = desk.person("Alice").post("#lab", "send me a file")
    bot.app.client.files_upload_v2(
        content="a,b\n1,2\n", filename="r.csv", channel=request.channel, thread_ts=request.ts, initial_comment="Here"
    )
    shared = desk.wait_for(lambda m: bool(m.files) and m.thread_ts == request.ts and m.is_from_bot)
    assert (shared.text, desk.download(shared.files[0])) == ("Here", b"a,b\n1,2\n")
    info = bot.app.client.files_info(file=shared.files[0]["id"])
    assert info["file"]["shares"]["public"][request.channel][0]["ts"] == shared.ts


def test_a_slash_command_is_acknowledged_with_words_and_answered_by_its_url(desk: Desk) -> None:
    alice = desk.person("Alice")
    assert alice.command("#lab", "/standby", "list").acked
    desk.wait_for(lambda m: m.text == "At once" and m.ephemeral_to == alice.id)
    assert desk.wait_for(lambda m: m.text == "You said list").ephemeral_to == ""


def test_a_message_shortcut_carries_its_message(desk: Desk) -> None:
    said = desk.person("Alice").post("#lab", "we do this by hand each week")
    desk.person("Bob").shortcut("turn_into_report", said)
    desk.wait_for(lambda m: m.text == "Will do." and m.thread_ts == said.ts)


def test_the_home_tab_is_published_when_it_is_opened(desk: Desk) -> None:
    alice = desk.person("Alice")
    alice.open_home()
    assert desk.wait_until(alice.home).says("Nothing waits for you")
    assert desk.person("Bob").home() is None


def test_a_refresh_makes_the_app_reconnect_and_events_still_come(desk: Desk) -> None:
    assert desk.sockets("refresh") == 1
    card_for(desk, desk.person("Alice").post("#lab", "@standby after the refresh"))


def test_a_cut_connection_comes_back_and_its_event_too(desk: Desk) -> None:
    desk.sockets("cut")
    card_for(desk, desk.person("Alice").post("#lab", "@standby after the cut"))
