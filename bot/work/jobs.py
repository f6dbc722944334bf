"""The names of all jobs and whose queue each is in; enqueueing happens in the caller's transaction.

A name is all that a sender needs: the process that runs a job registers what it does, so a sender never imports it.
"""

from datetime import timedelta
from enum import StrEnum
from typing import Any

from procrastinate import App, SyncPsycopgConnector
from sqlmodel import Session

from bot.domain.ports import Place
from bot.domain.redact import redacted

AGENT = "agent"
RUNNER = "runner"


class Job(StrEnum):
    DRAFT = "draft"  # task_id: from a request to a card
    REPLY = "reply"  # said_id: what somebody said in a task's thread
    RESUME = "resume"  # surprise_id: from a surprise to a proposal, or to plain words
    RUN = "run"  # run_id: one execution for one slot
    DELIVER = "deliver"  # delivery_id: one sending
    UNSURE = "unsure"  # delivery_id: tell of an unknown delivery, or show what a person made of it
    TELL = "tell"  # surprise_id: say it in the thread
    DRAW = "draw"  # card_id: post a card, or rewrite it as it stands now
    ASK = "ask"  # press_id: post a question, or show that it was answered
    ORDER = "order"  # said_id: pause, resume, run now, ... said in a routine's thread
    TIDY = "tidy"  # deletes what is older than it is kept
    PING = "ping"  # routine_id, signal: an outside address is told how the routine fares
    SAY = "say"  # key, team_id, channel_id, thread_ts, is_broadcast, text, people: a plain sentence


QUEUE = {
    Job.DRAFT: AGENT,
    Job.REPLY: AGENT,
    Job.RESUME: AGENT,
    Job.RUN: RUNNER,
    Job.DELIVER: RUNNER,
    Job.UNSURE: RUNNER,
    Job.TELL: RUNNER,
    Job.DRAW: RUNNER,
    Job.ASK: RUNNER,
    Job.ORDER: RUNNER,
    Job.TIDY: RUNNER,
    Job.PING: RUNNER,
    Job.SAY: RUNNER,
}
# What ends something goes before what begins something: of a hundred routines at 09:00 the first report is out before
# the last one runs, and an answer does not wait for all of them.
AFTER_ALL_OTHERS = (Job.RUN,)

_sender = App(connector=SyncPsycopgConnector())


def say(session: Session, place: Place, key: str, text: str, people: tuple[str, ...] = ()) -> None:
    """Queue that a plain sentence is posted, once under `key`; of the people it names as <@U…> only these are told."""
    enqueue(
        session,
        Job.SAY,
        lock=f"say:{place.channel_id}:{place.thread_ts}",  # the next does not overtake one that has to wait
        key=key,
        team_id=place.team_id,
        channel_id=place.channel_id,
        thread_ts=place.thread_ts,
        is_broadcast=place.is_broadcast,
        text=redacted(text),
        people=list(people),
    )


def enqueue(session: Session, job: Job, *, lock: str = "", after_s: float = 0, **args: Any) -> None:
    """Queue a job; it exists if and only if the session's transaction commits.

    Jobs with the same `lock` run one after the other, in order.
    """
    connection: Any = session.connection().connection.driver_connection
    _sender.configure_task(
        job.value,
        queue=QUEUE[job],
        lock=lock or None,
        priority=0 if job in AFTER_ALL_OTHERS else 10,
        schedule_in={"seconds": timedelta(seconds=after_s).total_seconds()} if after_s else None,
        connection=connection,
    ).defer(**args)
