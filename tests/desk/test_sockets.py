"""Socket Mode as a bare WebSocket client sees it: tickets, envelopes, acknowledgements and what comes again."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Thread
from typing import Any

import pytest
from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError
from websockets.exceptions import InvalidStatus
from websockets.sync.client import ClientConnection, connect

from tests.desk_client import Desk
from tests.desk_server import RunningDesk

Json = dict[str, Any]


def address(running: RunningDesk) -> str:
    web = WebClient(base_url=running.api_url)
    return str(web.apps_connections_open(app_token=running.app_token)["url"])


@contextmanager
def connection(running: RunningDesk) -> Iterator[ClientConnection]:
    with connect(address(running), proxy=None) as socket:
        assert json.loads(socket.recv())["type"] == "hello"
        yield socket


def receive(socket: ClientConnection, within_s: float = 8.0) -> Json:
    envelope: Json = json.loads(socket.recv(timeout=within_s))
    return envelope


def acknowledge(socket: ClientConnection, envelope: Json, payload: Json | None = None) -> None:
    answer = {"envelope_id": envelope["envelope_id"]} | ({"payload": payload} if payload else {})
    socket.send(json.dumps(answer))


def form(title: str) -> Json:
    words = {"type": "section", "text": {"type": "mrkdwn", "text": title}}
    return {
        "type": "modal",
        "title": {"type": "plain_text", "text": title},
        "submit": {"type": "plain_text", "text": "Next"},
        "blocks": [words],
    }


class Answering:
    """Answers in the background: opens a form at a shortcut, and acknowledges submissions with `next_payload`."""

    def __init__(self, socket: ClientConnection, web: WebClient) -> None:
        self._socket, self._web = socket, web
        self.next_payload: Json = {}
        self._thread = Thread(target=self._answer)

    def __enter__(self) -> Answering:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._socket.close()
        self._thread.join()

    def _answer(self) -> None:
        for message in self._socket:
            envelope = json.loads(message)
            if envelope["payload"]["type"] == "shortcut":
                acknowledge(self._socket, envelope)
                self._web.views_open(trigger_id=envelope["payload"]["trigger_id"], view=form("One"))
            else:
                acknowledge(self._socket, envelope, self.next_payload)


@pytest.fixture(autouse=True)
def soon(desk: Desk) -> Iterator[None]:
    """Redeliveries come at once, so that the tests need not wait a minute."""
    desk.settings(redelivery_waits_s=[0.0, 0.0])
    yield
    desk.settings(redelivery_waits_s=[0.0, 60.0, 300.0])


def test_a_ticket_opens_one_connection(running: RunningDesk) -> None:
    ticket = address(running)
    with connect(ticket, proxy=None) as socket:
        assert json.loads(socket.recv())["connection_info"]["app_id"] == "A0STANDBY01"
    with pytest.raises(InvalidStatus, match="403"), connect(ticket, proxy=None):
        pass


def test_a_refused_handshake_burns_its_ticket(running: RunningDesk, desk: Desk) -> None:
    desk.fault("refuse_socket")
    ticket = address(running)
    for _ in range(2):
        with pytest.raises(InvalidStatus, match="403"), connect(ticket, proxy=None):
            pass


def test_an_unacknowledged_event_comes_again_under_the_same_event_id(running: RunningDesk, desk: Desk) -> None:
    with connection(running) as socket:
        desk.person("Alice").post("#lab", "hello")
        first = receive(socket)
        again = receive(socket)
        acknowledge(socket, again)
        assert (first["retry_attempt"], again["retry_attempt"]) == (0, 1)
        assert again["retry_reason"] == "timeout"
        assert first["payload"]["event_id"] == again["payload"]["event_id"]
        entry = desk.wait_until(lambda: desk.ledger("event")[-1]["acked_at"] and desk.ledger("event")[-1])
        assert (entry["type"], entry["attempt"]) == ("message", 1)


def test_an_event_waits_for_a_connection(running: RunningDesk, desk: Desk) -> None:
    desk.settings(redelivery_waits_s=[30.0])
    said = desk.person("Alice").post("#lab", "is anybody there")
    with connection(running) as socket:
        envelope = receive(socket)
        acknowledge(socket, envelope)
    assert (envelope["payload"]["event"]["ts"], envelope["retry_attempt"]) == (said.ts, 1)


def test_each_event_goes_to_one_of_several_connections(running: RunningDesk, desk: Desk) -> None:
    with connection(running) as one, connection(running) as other:
        for words in ("first", "second"):
            desk.person("Alice").post("#lab", words)
        texts = []
        for socket in (one, other):
            envelope = receive(socket)
            acknowledge(socket, envelope)
            texts.append(envelope["payload"]["event"]["text"])
    assert sorted(texts) == ["first", "second"]


def test_duplicates_come_under_one_event_id_or_under_two(running: RunningDesk, desk: Desk) -> None:
    with connection(running) as socket:
        for kind, ids in (("duplicate_event", 1), ("duplicate_message", 2)):
            desk.fault(kind, "message")
            desk.person("Alice").post("#lab", kind)
            seen = [receive(socket), receive(socket)]
            for envelope in seen:
                acknowledge(socket, envelope)
            assert len({one["payload"]["event_id"] for one in seen}) == ids
            assert len({one["payload"]["event"]["ts"] for one in seen}) == 1


def test_a_deleted_file_is_told(running: RunningDesk, desk: Desk) -> None:
    with connection(running) as socket:
        file = desk.person("Alice").post("#lab", "a file", files={"a.log": b"x"}).files[0]
        acknowledge(socket, receive(socket))
        desk.delete_file(file)
        told = receive(socket)
        acknowledge(socket, told)
    event = told["payload"]["event"]
    assert (event["type"], event["file_id"]) == ("file_deleted", file["id"])


def test_an_event_of_a_shared_channel_tells_whose_team_the_author_is_of(running: RunningDesk, desk: Desk) -> None:
    with connection(running) as socket:
        desk.person("Charlie").post("#lab", "from elsewhere")
        envelope = receive(socket)
        acknowledge(socket, envelope)
    assert envelope["payload"]["is_ext_shared_channel"] is True
    assert envelope["payload"]["event"]["user_team"] == "T0PARTNER01"


def test_a_mention_may_lack_its_files_or_not_come_at_all(running: RunningDesk, desk: Desk) -> None:
    with connection(running) as socket:
        desk.fault("mention_without_files")
        desk.person("Alice").post("#lab", "@standby here", files={"a.log": b"x"})
        events = {}
        for _ in range(2):
            envelope = receive(socket)
            acknowledge(socket, envelope)
            events[envelope["payload"]["event"]["type"]] = envelope["payload"]["event"]
        assert "files" not in events["app_mention"]
        assert events["message"]["files"][0]["name"] == "a.log"
        desk.fault("mention_absent")
        desk.person("Alice").post("#lab", "@standby again")
        envelope = receive(socket)
        acknowledge(socket, envelope)
        assert envelope["payload"]["event"]["type"] == "message"
        with pytest.raises(TimeoutError):
            receive(socket, within_s=0.3)


def test_a_press_that_nobody_acknowledges_is_told_to_the_person(
    running: RunningDesk, desk: Desk, web: WebClient
) -> None:
    element = {"type": "button", "action_id": "go", "text": {"type": "plain_text", "text": "Go"}}
    web.chat_postMessage(channel="C0LAB000001", text="x", blocks=[{"type": "actions", "elements": [element]}])
    card = desk.messages()[-1]
    with connection(running) as socket:
        outcome = desk.person("Bob").press(card, "Go")
        trigger_id = receive(socket)["payload"]["trigger_id"]
    # Three seconds have passed, and so has the right to open a form.
    with pytest.raises(SlackApiError, match="expired_trigger_id"):
        web.views_open(trigger_id=trigger_id, view=form("Late"))
    assert (outcome.acked, outcome.problem) == (False, "Standby did not answer within 3 seconds. Try again.")


def test_an_answer_to_a_submission_can_replace_the_form_or_stack_another(
    running: RunningDesk, desk: Desk, web: WebClient
) -> None:
    bob = desk.person("Bob")
    with connection(running) as socket, Answering(socket, web) as answers:
        bob.shortcut("anything")
        first = bob.wait_for_view(lambda view: view.title == "One")
        answers.next_payload = {"response_action": "push", "view": form("Two")}
        bob.submit(first)
        assert [view.title for view in bob.views()] == ["One", "Two"]
        answers.next_payload = {"response_action": "update", "view": form("Three")}
        bob.submit(bob.views()[-1])
        assert [view.title for view in bob.views()] == ["One", "Three"]
        answers.next_payload = {"response_action": "clear"}
        bob.submit(bob.views()[-1])
        assert bob.views() == []
