"""A plain sentence of ours."""

import slackblocks as sb

from bot.domain.views import NoteView
from bot.slack.cards.blocks import Rendered, message, naming, paragraph
from bot.slack.cards.buttons import actions
from bot.slack.text import clean, fallback, pieces

MOST = 9_000


def render(view: NoteView) -> Rendered:
    words = clean(view.text).strip() or "(nothing)"
    if len(words) > MOST:
        words = words[:MOST] + "\n… the rest of this message was too long for one message."
    blocks: list[sb.Block] = [paragraph(*naming(piece, view.people)) for piece in pieces(words, 2_900)]
    return Rendered(text=fallback(words), blocks=message([*blocks, *actions(view.buttons)]))
