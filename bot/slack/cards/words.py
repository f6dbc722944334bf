"""What a model wrote: its words as text in a block of their own, under a label that says whose they are."""

import slackblocks as sb

from bot.domain.views import WordsView
from bot.slack.cards.blocks import Rendered, message, note, quote
from bot.slack.text import clean, fallback, pieces

MOST = 6_000
LABEL = "Written by the model. Standby checks what it proposes, not what it says."


def render(view: WordsView) -> Rendered:
    words = clean(view.text).strip() or "(nothing)"
    if len(words) > MOST:
        words = words[:MOST] + "\n… the rest of this answer was too long for one message."
    blocks: list[sb.Block] = [note(LABEL), *(quote(piece, 3_000) for piece in pieces(words, 2_900))]
    return Rendered(text=fallback(f"The model: {words}"), blocks=message(blocks))
