"""“Make this a report” on a message: a form with its words, and what is sent begins a task in its thread."""

from typing import Any

from slack_bolt import Ack, App, BoltContext

from bot.domain.ports import WorkspaceFile
from bot.slack import answers, ids, payloads
from bot.slack.cards.question import report_form
from bot.slack.chat import SlackChat
from bot.slack.payloads import Origin, Submitted
from bot.slack.text import heard
from bot.work import intake
from bot.work.intake import Said
from bot.work.parts import Parts

NOT_IN = "I am not in this channel, so I could not answer there. Type /invite in it, choose me, and send this again."
BEGUN = "I look into it in the thread of that message."


def register(app: App, parts: Parts, chat: SlackChat) -> None:
    """Slack gives three seconds to open the form; the message's files are noted before, for it does not come again."""

    def ask(body: dict[str, Any], ack: Ack) -> None:
        message, channel_id = body["message"], body["channel"]["id"]
        shared = payloads.shared_files([message], chat.file_record)
        said = _said(channel_id, message, tuple(one.file for one in shared), message.get("user", ""))
        form = report_form(heard(message.get("text") or "", chat.bot_user_id), len(shared), _origin(said).written())
        answers.open_modal(chat, body["trigger_id"], form)
        if shared:
            intake.note_files(parts, said)
        ack()

    def take(body: dict[str, Any], context: BoltContext, ack: Ack) -> None:
        sent = Submitted.read(body)
        origin = sent.origin
        words = " ".join(filter(None, [sent.values[ids.REASON_BLOCK], sent.values.get(ids.WHEN_BLOCK, "")]))
        said = Said(
            chat.team_id, origin.channel_id, origin.message_ts, origin.thread_ts, sent.user_id, words, (), True, ""
        )
        why_not = NOT_IN if not chat.is_in(origin.channel_id) else intake.begin(parts, said)
        context["said"] = "" if why_not else BEGUN
        if why_not:
            ack(response_action="errors", errors={ids.REASON_BLOCK: why_not})
        else:
            ack()

    def tell(body: dict[str, Any], context: BoltContext) -> None:
        sent = Submitted.read(body)
        if text := context.get("said", answers.LOST):
            answers.whisper(chat, sent.origin, sent.user_id, text)

    def _said(channel_id: str, message: dict[str, Any], files: tuple[WorkspaceFile, ...], user_id: str) -> Said:
        thread_ts = message.get("thread_ts") or message["ts"]
        return Said(chat.team_id, channel_id, message["ts"], thread_ts, user_id, "", files, True, "")

    app.shortcut(ids.MAKE_ROUTINE)(ask)
    app.view(ids.REPORT_FORM)(ack=take, lazy=[tell])


def _origin(said: Said) -> Origin:
    return Origin("", "", said.channel_id, said.thread_ts, said.ts)
