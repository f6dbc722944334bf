"""What is stored of a plan was damaged: nothing of it runs, and the whole channel is told, not a thread alone."""

from __future__ import annotations

import psycopg

from bot.store.session import libpq_url
from tests.flows.small_logs import small
from tests.flows.world import World


def test_a_routine_whose_plan_is_damaged_is_paused_and_the_channel_is_told(world: World) -> None:
    # Given an approved routine whose script was lost from the database
    world.request(files=small(world.desk.now()))
    world.approve(world.card())
    with psycopg.connect(libpq_url(world.settings.database_url)) as other:
        other.execute("delete from plan_file where name = 'plan.py'")

    # When Monday comes, then the message stands in the thread and in the channel, and nothing was sent
    world.monday()
    world.posted("is paused and sends no reports", within_s=60)
    [told] = [call for call in world.desk.calls("chat.postMessage") if "is paused" in str(call["args"])]
    assert told["args"]["reply_broadcast"] in (True, "1", "true")
    assert world.desk.mails() == []
