"""The steps of a job in its thread, while a big file is on its way into a box."""

from __future__ import annotations

import time

from bot.domain.ports import Place
from bot.settings import Settings
from bot.slack.chat import SlackChat
from bot.store.session import Database
from bot.work.parts import Parts
from bot.work.progress import BIG_BYTES, SENDING_PACE_S, Progress
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
