"""What opens from a routine on the Home tab: its history, its versions, and the form that hands it over."""

import re
from collections.abc import Callable
from typing import Any

from slack_bolt import Ack, App, BoltContext
from sqlmodel import Session

from bot.domain.errors import ChatError
from bot.domain.orders import Order, Said
from bot.domain.people import Person
from bot.log import log
from bot.slack import answers, ids
from bot.slack.cards import routines as cards
from bot.slack.cards.question import notice
from bot.slack.chat import SlackChat
from bot.slack.homes import Homes
from bot.slack.payloads import Origin, Pressed, Submitted
from bot.store.plans import known
from bot.store.tables_plans import Routine
from bot.work import govern, overview
from bot.work.decide import Answer
from bot.work.parts import Parts

GONE = "This routine cannot be seen from here any more. Nothing was changed."
Draw = Callable[[Session, Routine], dict[str, Any]]


def register(app: App, parts: Parts, chat: SlackChat, homes: Homes) -> None:
    """Read afresh at each press, and only by those who may see the routine."""

    def drawn(routine_id: int, user_id: str, draw: Draw) -> dict[str, Any]:
        seen = _seen(parts, answers.presser(chat, user_id))
        if seen is None or routine_id not in seen:
            return notice("Routine", answers.NOT_KNOWN if seen is None else GONE)
        with parts.db.transaction() as session:
            return draw(session, session.get_one(Routine, routine_id))

    def history(body: dict[str, Any], ack: Ack) -> None:
        pressed = Pressed.read(body)
        routine_id, _, page = pressed.value.partition(":")
        view = drawn(
            int(routine_id),
            pressed.user_id,
            lambda s, one: cards.history_modal(overview.history(s, one, int(page or 0))),
        )
        if pressed.action_id == ids.HISTORY:
            answers.open_modal(chat, pressed.trigger_id, view)
        else:
            chat.change_modal(pressed.view_id, view, pressed.view_hash)
        ack()

    def versions(session: Session, one: Routine) -> dict[str, Any]:
        return cards.versions_modal(overview.versions(session, chat, one))

    def form(session: Session, one: Routine) -> dict[str, Any]:
        line = overview.line(session, chat, one)
        return cards.hand_over_form(line, Origin(str(line.routine_id), line.stamp, "", "").written())

    def more(body: dict[str, Any], ack: Ack) -> None:
        pressed = Pressed.read(body)
        what, _, routine_id = pressed.value.partition(":")
        draw = {ids.VERSIONS: versions, ids.HAND_OVER: form}.get(what)
        if draw:
            answers.open_modal(chat, pressed.trigger_id, drawn(int(routine_id), pressed.user_id, draw))
        ack()

    def hand_over(body: dict[str, Any], context: BoltContext, ack: Ack) -> None:
        sent = Submitted.read(body)
        said, key = Said(Order.OWNER, sent.values[ids.REASON_BLOCK]), body["trigger_id"]
        routine_id, seen = int(sent.origin.press_id), sent.origin.verb
        answer = Answer(answers.NOT_KNOWN, accepted=False)
        if person := answers.presser(chat, sent.user_id):
            answer = govern.give(parts, routine_id, said, person, key, seen)
        context["said"] = answer.text if answer.accepted else ""  # a refusal stands in the form itself
        if answer.accepted:
            ack()
        else:
            ack(response_action="errors", errors={ids.REASON_BLOCK: answers.plainly(chat, answer.text)})

    def tell(body: dict[str, Any], context: BoltContext) -> None:
        if text := context.get("said", answers.LOST):
            homes.show(body["user"]["id"], said=text)

    app.action(ids.HISTORY)(history)
    app.action(re.compile(f"^{ids.HISTORY_PAGE}_"))(history)
    app.action(ids.MORE)(more)
    app.view(ids.HAND_OVER_FORM)(ack=hand_over, lazy=[tell])


def _seen(parts: Parts, person: Person | None) -> set[int] | None:
    """The routines that somebody may see; None where Slack does not say who that is or what they see."""
    if person is None:
        return None
    try:
        return {known(one.id) for one in overview.visible(parts, person)}
    except ChatError as error:
        log.warning("routine_not_shown", person=person.user_id, reason=str(error))
        return None
