"""Several processes post into one channel: what was asked first stands first, whoever Slack told to wait."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from bot.domain.errors import ChatBusy
from bot.domain.ports import Place
from bot.domain.views import NoteView
from bot.settings import Settings
from bot.slack.chat import SlackChat
from bot.store import pace
from bot.store.session import Database
from bot.work.in_line import COMES_BACK_WITHIN_S, in_line
from bot.work.outbox import post_once
from bot.work.parts import Parts
from bot.work.wall import SystemClock
from tests.desk_client import Desk


@pytest.fixture
def process_parts(settings: Settings, database_url: str) -> Iterator[Callable[[], Parts]]:
    """What a process of its own has: its connections to Slack and to the database."""
    made: list[Parts] = []

    def make() -> Parts:
        made.append(Parts(Database(database_url), SlackChat(settings), SystemClock(), settings))
        return made[-1]

    yield make
    for parts in made:
        parts.chat.close()  # type: ignore[attr-defined] # it is a SlackChat
        parts.db.close()


def say(parts: Parts, place: Place, word: str) -> None:
    post_once(parts, place, NoteView(word), key=f"say:{word}")


def test_who_is_told_to_wait_is_not_overtaken_by_another_process(
    process_parts: Callable[[], Parts], desk: Desk, lab: Place
) -> None:
    processes = [process_parts() for _ in range(3)]
    thread = replace(lab, thread_ts=desk.person("Alice").post("#lab", "a request").ts)
    places = [thread, lab, thread, thread, lab, thread]
    words = ["first", "second", "third", "fourth", "fifth", "sixth"]
    for parts in processes:
        assert parts.chat.team_id
    desk.fault("rate_limited", "chat.postMessage", seconds=1)

    with ThreadPoolExecutor(len(words)) as pool:
        for number, word in enumerate(words):
            pool.submit(say, processes[number % 3], places[number], word)
            time.sleep(0.15)  # asked one after the other, while the first waits for Slack

    assert [m.text for m in desk.messages("#lab") if m.is_from_bot] == words


def test_whoever_slack_makes_wait_for_long_comes_back_in_the_order_in_which_they_asked(
    process_parts: Callable[[], Parts], desk: Desk, lab: Place
) -> None:
    # Given that Slack wants nothing in this channel for long, each process is told to come back, and asks Slack once
    desk.fault("rate_limited", "chat.postMessage", seconds=100)
    for word in ("first", "second"):
        with pytest.raises(ChatBusy) as told:
            say(process_parts(), lab, word)
        assert 90 < told.value.retry_after_s <= 100
    assert len(desk.calls("chat.postMessage")) == 1

    # When Slack takes posts again, and the later one comes first
    slack_takes_posts_at(process_parts().db, lab, datetime.now(UTC))
    for word in ("second", "a new one"):
        with pytest.raises(ChatBusy):
            say(process_parts(), lab, word)
    for word in ("first", "second", "a new one"):
        say(process_parts(), lab, word)

    assert [m.text for m in desk.messages("#lab") if m.is_from_bot] == ["first", "second", "a new one"]


def test_who_does_not_come_back_keeps_nobody_waiting(
    process_parts: Callable[[], Parts], desk: Desk, lab: Place
) -> None:
    desk.fault("rate_limited", "chat.postMessage", seconds=100)
    with pytest.raises(ChatBusy):
        say(process_parts(), lab, "given up")
    late = datetime.now(UTC) - timedelta(seconds=COMES_BACK_WITHIN_S)
    slack_takes_posts_at(process_parts().db, lab, late)

    say(process_parts(), lab, "second")
    assert [m.text for m in desk.messages("#lab") if m.is_from_bot] == ["second"]


def slack_takes_posts_at(db: Database, place: Place, moment: datetime) -> None:
    with db.transaction() as session:
        pace.not_before(session, f"channel:{place.team_id}:{place.channel_id}", moment)


def test_who_holds_the_line_for_too_long_loses_it_and_other_channels_do_not_wait(
    process_parts: Callable[[], Parts], lab: Place
) -> None:
    one, other = process_parts(), process_parts()
    with in_line(one.db, lab, "a", longest_s=0.5):
        with in_line(other.db, replace(lab, channel_id="C0OTHER0001"), "b"):
            pass
        with pytest.raises(ChatBusy), in_line(other.db, lab, "c", longest_s=0.1):
            raise AssertionError("nobody may have this turn")
        with in_line(other.db, lab, "d"):
            pass
