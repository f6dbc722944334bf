"""Steps as Slack streams them: a plan whose tasks change in place, until it is over or Slack ends the stream.

A stream dies some minutes after its start, however busy it is, and with the process that wrote it. From then on the
same message is rewritten like any other, so that whoever reads it sees no difference.
"""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any

from slack_sdk import WebClient

from bot.domain.errors import ChatRefused
from bot.domain.ports import MessageRef, Place
from bot.domain.views import Step, StepsView
from bot.slack.calls import Calls
from bot.slack.cards.steps import MARKS, MOST_STEPS
from bot.slack.ids import metadata_of
from bot.slack.text import clip, inert

Chunk = dict[str, Any]
# A plan without a task shows nothing, and people want to see at once that they were heard.
KEYED = "key:"
READ = Step("Reading what you asked for", "in_progress")


class Streams:
    """The live streams of this process, by their messages."""

    def __init__(self, client: WebClient, call: Calls) -> None:
        self._client, self._call = client, call
        self._shown: dict[MessageRef, StepsView] = {}
        self._left: set[MessageRef] = set()

    def start(self, place: Place, view: StepsView, key: str) -> MessageRef | None:
        """Begin a stream in a thread, for one person; None where Slack does not stream there."""
        if not (view.for_user_id and place.thread_ts):
            return None
        try:
            answer = self._call(
                lambda: self._client.chat_startStream(
                    channel=place.channel_id,
                    thread_ts=place.thread_ts,
                    recipient_user_id=view.for_user_id,
                    recipient_team_id=place.team_id,
                    task_display_mode="plan",
                    chunks=list(_chunks(view, None, key)),
                ),
                channel_id=place.channel_id,
            )
        except ChatRefused:
            return None
        ref = MessageRef(str(answer["channel"]), str(answer["ts"]))
        self._shown[ref] = view
        return ref

    def grow(self, ref: MessageRef, view: StepsView, key: str) -> bool:
        """Send what changed; False where the message does not stream any more and has to be rewritten."""
        if not view.for_user_id:
            return False
        before = self._shown.pop(ref, None)
        if before is None:
            self._leave(ref, key)
            return False
        is_whole = view.is_over or len(view.steps) > MOST_STEPS
        try:
            if is_whole:
                self._stop(ref, list(_chunks(view, before, key)), key)
            else:
                self._append(ref, list(_chunks(view, before, key)))
                self._shown[ref] = view
        except ChatRefused:
            return False
        return len(view.steps) <= MOST_STEPS

    def _leave(self, ref: MessageRef, key: str) -> None:
        """What a process that ended had left open is closed once, because nothing open can be rewritten."""
        if ref in self._left:
            return
        self._left.add(ref)
        with suppress(ChatRefused):
            self._stop(ref, [], key)

    def _append(self, ref: MessageRef, chunks: list[Chunk]) -> None:
        if chunks:
            self._call(
                lambda: self._client.chat_appendStream(channel=ref.channel_id, ts=ref.ts, chunks=chunks),
                channel_id=ref.channel_id,
            )

    def _stop(self, ref: MessageRef, chunks: list[Chunk], key: str) -> None:
        self._call(
            lambda: self._client.chat_stopStream(
                channel=ref.channel_id, ts=ref.ts, chunks=chunks or None, metadata=metadata_of(key)
            ),
            channel_id=ref.channel_id,
        )


def key_in(message: Mapping[str, Any]) -> str:
    """The key of a message that still streams, which carries no metadata yet; empty where there is none."""
    ids = [str(task.get("task_id")) for block in message.get("blocks") or [] for task in block.get("tasks") or []]
    return next((one.removeprefix(KEYED) for one in ids if one.startswith(KEYED)), "")


def _chunks(view: StepsView, before: StepsView | None, key: str) -> Iterator[Chunk]:
    """What is new since `before`: the title, and each task that is another than it was."""
    if before is None or before.title != view.title:
        yield {"type": "plan_update", "title": inert(clip(view.title, 150)) or "Working"}
    if before is None or (view.steps and not before.steps):
        yield _task(KEYED + key, replace(READ, status="complete" if view.steps else "in_progress"))
    known = before.steps if before else ()
    for number, step in enumerate(view.steps, 1):
        if number > len(known) or known[number - 1] != step:
            yield _task(f"step-{number}", step)


def _task(task_id: str, step: Step) -> Chunk:
    chunk = {
        "type": "task_update",
        "id": task_id,
        "title": inert(clip(step.text, 150)) or "…",
        "status": step.status if step.status in MARKS else "in_progress",
    }
    return chunk | ({"details": inert(clip(step.detail, 200))} if step.detail else {})
