"""The table of rich text: sections, lists, quotes and preformatted parts, and what may stand inside them."""

from __future__ import annotations

from bot.desk import limits
from bot.desk.block_rules import Flag, Items, Number, Obj, Rule, Str, typed, word

_ANY = 1_000_000
_STYLE = Obj({name: Flag() for name in ("bold", "italic", "strike", "code", "underline", "highlight")})
_TYPE = Str(255)


def _inline(fields: dict[str, Rule], needs: tuple[str, ...]) -> Obj:
    return Obj({"type": _TYPE, "style": _STYLE, **fields}, needs=("type", *needs))


INLINE: dict[str, Obj] = {
    "text": _inline({"text": Str(_ANY)}, ("text",)),
    "link": _inline({"url": Str(limits.URL), "text": Str(_ANY, least=0), "unsafe": Flag()}, ("url",)),
    "user": _inline({"user_id": Str(255)}, ("user_id",)),
    "usergroup": _inline({"usergroup_id": Str(255)}, ("usergroup_id",)),
    "channel": _inline({"channel_id": Str(255)}, ("channel_id",)),
    "team": _inline({"team_id": Str(255)}, ("team_id",)),
    "emoji": _inline(
        {"name": Str(255), "unicode": Str(255), "skin_tone": Number(least=1, most=6), "url": Str(limits.URL)},
        ("name",),
    ),
    "broadcast": _inline({"range": word("here", "channel", "everyone")}, ("range",)),
    "color": _inline({"value": Str(255)}, ("value",)),
    "date": _inline(
        {"timestamp": Number(), "format": Str(255), "url": Str(limits.URL), "fallback": Str(_ANY)},
        ("timestamp", "format"),
    ),
}

_RUNS = Items(typed(INLINE, INLINE), _ANY, least=0)
_BORDER = Number(least=0, most=1, whole=True)
_SECTION = Obj({"type": _TYPE, "elements": _RUNS}, needs=("type", "elements"))

RICH_TEXT_ELEMENTS: dict[str, Obj] = {
    "rich_text_section": _SECTION,
    "rich_text_preformatted": Obj(
        {"type": _TYPE, "elements": _RUNS, "border": _BORDER, "language": Str(255)}, needs=("type", "elements")
    ),
    "rich_text_quote": Obj({"type": _TYPE, "elements": _RUNS, "border": _BORDER}, needs=("type", "elements")),
    "rich_text_list": Obj(
        {
            "type": _TYPE,
            "style": word("bullet", "ordered"),
            "elements": Items(typed({"rich_text_section": _SECTION}, ["rich_text_section"]), _ANY, least=0),
            "indent": Number(least=0, most=8, whole=True),
            "offset": Number(least=0, whole=True),
            "border": _BORDER,
        },
        needs=("type", "style", "elements"),
    ),
}
