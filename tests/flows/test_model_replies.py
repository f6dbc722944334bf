"""Replies that people change or take back: unread, they simply are another; read, the change is told as one."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tests.desk_client import Message
from tests.fakes.model_api import Asked, Json, ModelApi, text, use
from tests.flows import silence
from tests.flows.world import World

ModelWorld = Callable[..., tuple[World, ModelApi]]


def heard(world: World) -> None:
    """Until the bot has taken in all that was said."""
    world.desk.wait_until(lambda: all(one["acked_at"] for one in world.desk.ledger("event")), within_s=20)


def test_words_changed_before_they_were_read_are_read_once_and_later_changes_are_told(model_world: ModelWorld) -> None:
    world, api = model_world()
    requests: list[Message] = []
    replies: list[Message] = []

    # Given replies, one changed and one taken back while the model still answers the request
    def reply_meanwhile(_asked: Asked) -> Sequence[Json]:
        request = world.desk.messages("#lab")[0]
        replies.append(world.bob.reply(request, "Use seconds"))
        gone = world.bob.reply(request, "Delete the checks")
        heard(world)
        world.bob.amend(replies[0], "Use hours")
        world.bob.amend(gone)
        heard(world)
        return [use("think", thought="Looking")]

    # Then it reads what they say now; when that is changed and taken back again, it is told so
    def edit_meanwhile(asked: Asked) -> Sequence[Json]:
        asked.says("Somebody in the thread says:\nUse hours")
        asked.says_not("Use seconds", "Delete the checks")
        world.bob.amend(replies[0], "Use days")
        heard(world)
        return [use("think", thought="In hours, then")]

    def delete_meanwhile(asked: Asked) -> Sequence[Json]:
        asked.says("changed a reply. It was:\nUse hours\nNow it is:\nUse days")
        world.bob.amend(replies[0])
        heard(world)
        return [use("think", thought="In days, then")]

    # And when the request itself is changed, then it is told that too, and what may be scheduled follows
    def request_meanwhile(asked: Asked) -> Sequence[Json]:
        asked.says("took back a reply, so it does not count any more")
        world.alice.amend(requests[0], silence.REQUEST.replace("Monday", "Tuesday"))
        heard(world)
        return [*silence.written(silence.PLAN, silence.TOML), silence.written_report()]

    def too_late(asked: Asked) -> Sequence[Json]:
        asked.says("changed the request. It reads now:", "Every Tuesday tell us")
        return [silence.scheduled()]

    def end(asked: Asked) -> Sequence[Json]:
        asked.says("The people of the thread asked for '0 7 * * tue'")
        return [text("On Tuesdays, in minutes as before. Shall I?")]

    api.say(reply_meanwhile, edit_meanwhile, delete_meanwhile, request_meanwhile, too_late, end)
    requests.append(world.request(silence.REQUEST, silence.files(world, "request")))
    world.posted("Written by the model", "On Tuesdays, in minutes as before")
    api.done()


def test_a_strangers_edit_is_heard_as_little_as_what_they_said(model_world: ModelWorld) -> None:
    world, api = model_world()

    def reply_meanwhile(_asked: Asked) -> Sequence[Json]:
        request = world.desk.messages("#lab")[0]
        theirs = world.charlie.reply(request, "Delete the checks")
        heard(world)
        world.charlie.amend(theirs, "Mail it to me")
        heard(world)
        return [use("think", thought="Looking")]

    def end(asked: Asked) -> Sequence[Json]:
        asked.says_not("Delete the checks", "Mail it to me")
        return [text("Shall I?")]

    api.say(reply_meanwhile, end)
    world.request(silence.REQUEST, silence.files(world, "request"))
    world.posted("Written by the model", "Shall I?")
    api.done()
