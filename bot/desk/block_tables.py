"""The table of blocks: every field that Slack knows, with its limit, and where each block may stand."""

from __future__ import annotations

from enum import StrEnum

from bot.desk import limits
from bot.desk.block_elements import ELEMENTS, IMAGE_FIELDS, IN_ACTIONS, IN_INPUT, IN_SECTION
from bot.desk.block_rules import Anything, Flag, Items, Number, Obj, Rule, Str, plain, text, typed, word
from bot.desk.block_text import RICH_TEXT_ELEMENTS

_ANY = 1_000_000  # no limit of its own; the message's total bounds it
_URL = Str(limits.URL)


class Surface(StrEnum):
    """Where blocks are shown."""

    MESSAGE = "message"
    MODAL = "modal"
    HOME = "home"


def _block(fields: dict[str, Rule], needs: tuple[str, ...] = (), needs_one_of: tuple[str, ...] = ()) -> Obj:
    common: dict[str, Rule] = {"type": Str(255), "block_id": Str(limits.BLOCK_ID)}
    return Obj({**common, **fields}, needs=("type", *needs), needs_one_of=needs_one_of)


RICH_TEXT = _block(
    {"elements": Items(typed(RICH_TEXT_ELEMENTS, RICH_TEXT_ELEMENTS), _ANY, least=0)}, needs=("elements",)
)
CELLS: dict[str, Obj] = {
    "raw_text": Obj({"type": Str(255), "text": Str(_ANY), "emoji": Flag()}, needs=("text",)),
    "raw_number": Obj({"type": Str(255), "value": Number(), "text": Str(_ANY)}, needs=("value", "text")),
    "rich_text": RICH_TEXT,
}
_TASK: dict[str, Rule] = {
    "task_id": Str(255),
    "title": Str(_ANY),
    "status": word("pending", "in_progress", "complete", "error"),
    "details": RICH_TEXT,
    "output": RICH_TEXT,
    "sources": Items(typed(ELEMENTS, ["url"]), _ANY, least=0),
}
_POINT = Obj({"label": Str(limits.CHART_LABEL), "value": Number()}, needs=("label", "value"))
_SERIES = Obj({"name": Str(limits.CHART_LABEL), "data": Items(_POINT, limits.CHART_POINTS)}, needs=("name", "data"))
_AXIS = Obj(
    {
        "categories": Items(Str(limits.CHART_LABEL), limits.CHART_POINTS),
        "x_label": Str(limits.CHART_AXIS_LABEL),
        "y_label": Str(limits.CHART_AXIS_LABEL),
    },
    needs=("categories",),
)
_LINES = Obj(
    {"type": Str(255), "series": Items(_SERIES, limits.CHART_SERIES, unique="name"), "axis_config": _AXIS},
    needs=("series", "axis_config"),
)
_SEGMENT = Obj({"label": Str(limits.CHART_LABEL), "value": Number(above=0)}, needs=("label", "value"))
CHARTS: dict[str, Obj] = {
    "pie": Obj({"type": Str(255), "segments": Items(_SEGMENT, limits.CHART_SERIES)}, needs=("segments",)),
    "bar": _LINES,
    "line": _LINES,
    "area": _LINES,
}

BLOCKS: dict[str, Obj] = {
    "section": _block(
        {
            "text": text(limits.SECTION_TEXT),
            "fields": Items(text(limits.SECTION_FIELD), limits.SECTION_FIELDS),
            "accessory": typed(ELEMENTS, IN_SECTION),
            "expand": Flag(),
        },
        needs_one_of=("text", "fields"),
    ),
    "header": _block(
        {"text": plain(limits.HEADER_TEXT), "level": Number(least=1, most=4, whole=True)}, needs=("text",)
    ),
    "divider": _block({}),
    "context": _block(
        {
            "elements": Items(
                typed({**ELEMENTS, "mrkdwn": text(_ANY), "plain_text": text(_ANY)}, ["image", "mrkdwn", "plain_text"]),
                limits.CONTEXT_ELEMENTS,
            )
        },
        needs=("elements",),
    ),
    "context_actions": _block(
        {"elements": Items(typed(ELEMENTS, ["feedback_buttons", "icon_button"]), limits.CONTEXT_ACTIONS)},
        needs=("elements",),
    ),
    "actions": _block(
        {"elements": Items(typed(ELEMENTS, IN_ACTIONS), limits.ACTIONS_ELEMENTS, unique="action_id")},
        needs=("elements",),
    ),
    "input": _block(
        {
            "label": plain(limits.INPUT_LABEL),
            "element": typed(ELEMENTS, IN_INPUT),
            "hint": plain(limits.INPUT_LABEL),
            "optional": Flag(),
            "dispatch_action": Flag(),
        },
        needs=("label", "element"),
    ),
    "image": _block(
        {**IMAGE_FIELDS, "title": plain(limits.IMAGE_TITLE)},
        needs=("alt_text",),
        needs_one_of=("image_url", "slack_file"),
    ),
    "rich_text": RICH_TEXT,
    "markdown": _block({"text": Str(limits.MARKDOWN_TEXT)}, needs=("text",)),
    "file": _block({"external_id": Str(255), "source": word("remote")}, needs=("external_id", "source")),
    "video": _block(
        {
            "alt_text": Str(limits.ALT_TEXT),
            "title": plain(limits.VIDEO_TITLE),
            "author_name": Str(limits.VIDEO_AUTHOR),
            "description": plain(limits.VIDEO_TITLE),
            "provider_icon_url": _URL,
            "provider_name": Str(limits.VIDEO_AUTHOR),
            "title_url": _URL,
            "thumbnail_url": _URL,
            "video_url": _URL,
        },
        needs=("alt_text", "title", "thumbnail_url", "video_url"),
    ),
    "table": _block(
        {
            "rows": Items(Items(typed(CELLS, CELLS), limits.TABLE_COLUMNS), limits.TABLE_ROWS),
            "column_settings": Items(
                Obj({"align": word("left", "center", "right"), "is_wrapped": Flag()}), limits.TABLE_COLUMNS, least=0
            ),
        },
        needs=("rows",),
    ),
    "data_table": _block(
        {
            "rows": Items(Items(typed(CELLS, CELLS), limits.DATA_TABLE_COLUMNS), limits.DATA_TABLE_ROWS, least=2),
            "caption": Str(_ANY),
            "page_size": Number(least=1, most=limits.DATA_TABLE_PAGE, whole=True),
            "row_header_column_index": Number(least=0, most=limits.DATA_TABLE_COLUMNS - 1, whole=True),
        },
        needs=("rows", "caption"),
    ),
    "data_visualization": _block(
        {"title": Str(limits.CHART_TITLE), "chart": typed(CHARTS, CHARTS)}, needs=("title", "chart")
    ),
    "task_card": _block(_TASK, needs=("task_id", "title", "status")),
    "plan": _block(
        {
            "title": Str(_ANY),
            "tasks": Items(
                Obj({**_TASK, "type": word("task_card"), "block_id": Str(255)}, needs=("task_id", "title", "status")),
                limits.PLAN_TASKS,
                least=0,
                unique="task_id",
            ),
        },
        needs=("title",),
    ),
    "alert": _block(
        {
            "text": text(limits.ALERT_TEXT),
            "level": word("default", "info", "warning", "error", "success"),
        },
        needs=("text",),
    ),
    "card": _block(
        {
            "hero_image": typed(ELEMENTS, ["image"]),
            "icon": typed(ELEMENTS, ["image"]),
            "slack_icon": Anything(),
            "title": text(limits.CARD_TITLE),
            "subtitle": text(limits.CARD_TITLE),
            "body": text(limits.CARD_BODY),
            "subtext": text(limits.CARD_BODY),
            "actions": Items(typed(ELEMENTS, ["button"]), limits.CARD_ACTIONS),
        },
        needs_one_of=("hero_image", "title", "actions", "body"),
    ),
}
BLOCKS["carousel"] = _block({"elements": Items(typed(BLOCKS, ["card"]), limits.CAROUSEL_CARDS)}, needs=("elements",))
_IN_CONTAINER = [
    "actions",
    "context",
    "divider",
    "file",
    "header",
    "image",
    "input",
    "rich_text",
    "section",
    "table",
    "video",
]
BLOCKS["container"] = _block(
    {
        "title": plain(limits.CONTAINER_TITLE),
        "rich_text_title": RICH_TEXT,
        "subtitle": text(limits.CONTAINER_TITLE),
        "width": word("narrow", "standard", "wide", "full"),
        "icon": typed(ELEMENTS, ["image"]),
        "is_collapsible": Flag(),
        "default_collapsed": Flag(),
        "has_header_divider": Flag(),
        "child_blocks": Items(typed(BLOCKS, _IN_CONTAINER), limits.CONTAINER_BLOCKS),
    },
    needs=("child_blocks",),
    needs_one_of=("title", "rich_text_title"),
)

_EVERYWHERE = frozenset(
    ["actions", "card", "context", "divider", "header", "image", "input", "rich_text", "section", "video"]
)
ON_SURFACE: dict[Surface, frozenset[str]] = {
    Surface.MESSAGE: _EVERYWHERE
    | frozenset(
        [
            "carousel",
            "container",
            "context_actions",
            "data_table",
            "data_visualization",
            "file",
            "markdown",
            "plan",
            "table",
            "task_card",
        ]
    ),
    Surface.MODAL: _EVERYWHERE | {"alert"},
    Surface.HOME: _EVERYWHERE | frozenset(["carousel", "container", "data_table", "data_visualization", "table"]),
}
MOST_BLOCKS: dict[Surface, int] = {
    Surface.MESSAGE: limits.MESSAGE_BLOCKS,
    Surface.MODAL: limits.VIEW_BLOCKS,
    Surface.HOME: limits.VIEW_BLOCKS,
}
