"""How far a big file is on its way into a box or out: among the steps in a thread, or in the log of a scheduled run."""

from __future__ import annotations

import time

from structlog.testing import capture_logs

from bot.domain.ports import Place
from bot.settings import Settings
from bot.slack.chat import SlackChat
from bot.store.session import Database
from bot.work.parts import Parts
from bot.work.progress import BIG_BYTES, SENDING_PACE_S, Progress, in_logs
from bot.work.wall import SystemClock
from tests.desk_client import Desk


def test_a_big_file_shows_how_far_it_is_and_a_small_one_does_not(
    desk: Desk, chat: SlackChat, settings: Settings, database: Database, lab: Place
) -> None:
    progress = Progress(Parts(database, chat, SystemClock(), settings), lab, "steps", "On it")
    progress.begin()
    [message] = desk.messages("#lab")

    with progress.step("Looking at a sample"):
        time.sleep(SENDING_PACE_S)
        progress.sending("small.log", 1_000_000, BIG_BYTES - 1)
        assert not desk.again(message).says("small.log")

        progress.sending("big.log", 20_000_000, BIG_BYTES)
        progress.sending("big.log", 40_000_000, BIG_BYTES)  # at once: Slack is not told each time
        assert desk.again(message).says("Looking at a sample", "big.log: 20 of 50 MB")

        progress.sending("big.log", BIG_BYTES, BIG_BYTES)
    progress.finish("Done")
    assert not desk.again(message).says("big.log")


def test_the_log_of_a_scheduled_run_says_how_far_a_big_file_is() -> None:
    with capture_logs() as lines:
        moving = in_logs()
        moving("small.log", 1_000, 1_000)
        for moved_bytes in (20_000_000, 40_000_000, BIG_BYTES):  # the second one at once, which is too soon
            moving("big.csv", moved_bytes, BIG_BYTES)

    assert [(line["name"], line["moved_bytes"]) for line in lines] == [("big.csv", 20_000_000), ("big.csv", BIG_BYTES)]
