"""What an answer given once rests on, below the answer itself."""

import slackblocks as sb

from bot.domain.views import BasisView
from bot.slack.cards.blocks import Rendered, lines, message, note, sentence, text
from bot.slack.cards.buttons import actions
from bot.slack.cards.facts import size
from bot.slack.text import clip, fallback

MOST_KEPT = 12


def render(view: BasisView) -> Rendered:
    pairs = [
        ("How", f"{view.rung}: {view.why}" if view.why else view.rung),
        ("Read", view.read),
        ("Never left the box", ", ".join(size(one) for one in view.kept[:MOST_KEPT]) or "nothing was counted"),
        ("What was looked at", view.looked_at),
        ("Script", f"{view.script}, in this thread"),
    ]
    blocks: list[sb.Block] = [lines((label, [text(clip(words, 700))]) for label, words in pairs if words)]
    blocks += [sentence(one, 600) for one in view.notes]
    blocks += actions(view.buttons)
    blocks.append(note("Asked once: nothing is scheduled, and nothing is sent anywhere else."))
    return Rendered(text=fallback(f"{view.title}: {view.rung}. {view.read}"), blocks=message(blocks))
