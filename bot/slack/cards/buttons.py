"""Buttons: what each verb is called on a card, and what it asks before it counts."""

from collections.abc import Sequence

import slackblocks as sb

from bot.domain.views import Button
from bot.domain.words import Verb
from bot.slack.text import clip

LABEL = {
    Verb.APPROVE: "Approve",
    Verb.APPROVE_WITHOUT: "Yes, approve it",
    Verb.REJECT: "Reject",
    Verb.ASK_CHANGES: "Ask for changes",
    Verb.SHOW_ALL: "Show all",
    Verb.ANSWER: "Answer",
    Verb.RERUN: "Rerun",
    Verb.SKIP: "Skip this slot",
    Verb.PAUSE: "Pause routine",
    Verb.SEND_ANYWAY: "Send anyway",
    Verb.ARRIVED: "It arrived",
    Verb.GO_ON: "Go on",
    Verb.KEEP: "Keep this as a routine",
    Verb.MOVE: "Another way",
    Verb.SHOW_SENT: "What was sent",
}
STYLE: dict[Verb, str] = {Verb.APPROVE: "primary", Verb.ANSWER: "primary"}
CONFIRM = {
    Verb.SEND_ANYWAY: ("Send it again?", "If it arrived the first time, everybody gets it twice."),
    Verb.SKIP: ("Skip this slot?", "No report will be made for it. The reason kept is that you skipped it."),
    Verb.PAUSE: ("Pause this routine?", "Nothing runs until somebody resumes it."),
}


def actions(buttons: Sequence[Button], *, approving: str = "") -> list[sb.ActionsBlock]:
    """One row of buttons, or nothing. `approving` says in words what a press of Approve does."""
    if not buttons:
        return []
    return [sb.ActionsBlock([button(b, approving) for b in buttons])]


def button(made: Button, approving: str = "") -> sb.Button:
    return sb.Button(
        text=sb.PlainText(LABEL[made.verb]),
        action_id=made.verb.value,
        value=made.press_id,
        style="primary" if made.verb in STYLE else None,
        confirm=_confirm(made.verb, approving),
    )


def _confirm(verb: Verb, approving: str) -> sb.ConfirmationDialogue | None:
    if verb is Verb.APPROVE and approving:
        return sb.ConfirmationDialogue(
            title=sb.PlainText("Approve exactly this?"),
            text=sb.PlainText(clip(approving, 300)),
            confirm=sb.PlainText("Approve"),
            deny=sb.PlainText("Not yet"),
        )
    if verb in CONFIRM:
        title, words = CONFIRM[verb]
        return sb.ConfirmationDialogue(
            title=sb.PlainText(title),
            text=sb.PlainText(words),
            confirm=sb.PlainText(LABEL[verb]),
            deny=sb.PlainText("No"),
        )
    return None
