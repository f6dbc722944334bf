"""The Home tab: for now, how to ask."""

import slackblocks as sb

from bot.slack.cards.blocks import Json, header, paragraph, text, user

EXAMPLE = "Every Monday compile last week's instrument logs into an error summary and email it to the lab list"
HOW_TO_ASK = (
    "Mention Standby in a channel, say what should come back and how often, and attach the data: "
    f"“@Standby {EXAMPLE}”. It looks at a small sample, shows the script that it would run, and a teammate approves "
    "it. To use files that are already there, reply in their thread."
)


def home(bot_user_id: str) -> Json:
    blocks: list[sb.Block] = [
        header("Work that comes back"),
        paragraph(text("Mention "), user(bot_user_id), text(" in a channel and attach the data. For example:")),
        sb.RichTextBlock(sb.RichTextQuote([text(EXAMPLE)])),
        paragraph(
            text(
                "Standby looks at a small sample, shows the script that it would run with everything it reads and "
                "sends, and a teammate approves it. From then on a computer runs the script; when a check in it "
                "fails, nothing is delivered and the thread says why."
            )
        ),
    ]
    view: Json = sb.HomeTabView(blocks=blocks).to_dict()
    view["blocks"] = [{k: v for k, v in block.items() if k != "block_id"} for block in view["blocks"]]
    return view
