"""The table of block elements and the objects they are made of: every field that Slack knows, with its limit."""

from __future__ import annotations

from bot.desk import limits
from bot.desk.block_rules import (
    Anything,
    Flag,
    Items,
    Number,
    Obj,
    Rule,
    Str,
    plain,
    text,
    word,
)

_ID = Str(limits.ACTION_ID)
_URL = Str(limits.URL)
_DATE = Str(10, least=10)

CONFIRM = Obj(
    {
        "title": plain(limits.CONFIRM_TITLE),
        "text": text(limits.CONFIRM_TEXT),
        "confirm": plain(limits.CONFIRM_BUTTON),
        "deny": plain(limits.CONFIRM_BUTTON),
        "style": word("primary", "danger"),
    },
    needs=("title", "text", "confirm", "deny"),
)


def _option(*, plain_only: bool, with_url: bool = False) -> Obj:
    fields: dict[str, Rule] = {
        "text": text(limits.OPTION_TEXT, plain_only=plain_only),
        "value": Str(limits.OPTION_VALUE),
        "description": text(limits.OPTION_DESCRIPTION, plain_only=plain_only),
    }
    if with_url:
        fields["url"] = _URL
    return Obj(fields, needs=("text", "value"))


_MENU_OPTION = _option(plain_only=True)
_CHOICE_OPTION = _option(plain_only=False)
_GROUP = Obj(
    {"label": plain(limits.OPTION_TEXT), "options": Items(_MENU_OPTION, limits.SELECT_OPTIONS)},
    needs=("label", "options"),
)
_DISPATCH = Obj({"trigger_actions_on": Items(word("on_enter_pressed", "on_character_entered"), 2)})


def _element(fields: dict[str, Rule], needs: tuple[str, ...] = (), needs_one_of: tuple[str, ...] = ()) -> Obj:
    common: dict[str, Rule] = {"type": Str(limits.ACTION_ID), "action_id": _ID}
    return Obj({**common, **fields}, needs=("type", *needs), needs_one_of=needs_one_of)


def _menu(fields: dict[str, Rule], needs_one_of: tuple[str, ...] = ()) -> Obj:
    common: dict[str, Rule] = {
        "placeholder": plain(limits.PLACEHOLDER),
        "confirm": CONFIRM,
        "focus_on_load": Flag(),
    }
    return _element({**common, **fields}, needs_one_of=needs_one_of)


def _several(fields: dict[str, Rule], needs_one_of: tuple[str, ...] = ()) -> Obj:
    return _menu({"max_selected_items": Number(least=1, whole=True), **fields}, needs_one_of)


def _typing(fields: dict[str, Rule], needs: tuple[str, ...] = ()) -> Obj:
    common: dict[str, Rule] = {
        "placeholder": plain(limits.PLACEHOLDER),
        "dispatch_action_config": _DISPATCH,
        "focus_on_load": Flag(),
    }
    return _element({**common, **fields}, needs)


def _static(initial: str, initial_rule: Rule) -> dict[str, Rule]:
    return {
        "options": Items(_MENU_OPTION, limits.SELECT_OPTIONS),
        "option_groups": Items(_GROUP, limits.SELECT_GROUPS),
        initial: initial_rule,
    }


def _choices(initial: str, initial_rule: Rule) -> Obj:
    return _element(
        {
            "options": Items(_CHOICE_OPTION, limits.CHOICE_OPTIONS, unique="value"),
            initial: initial_rule,
            "confirm": CONFIRM,
            "focus_on_load": Flag(),
        },
        needs=("options",),
    )


_IDS = Items(_ID, limits.SELECT_OPTIONS)
_FROM_EITHER = ("options", "option_groups")
_BUTTON: dict[str, Rule] = {
    "text": plain(limits.BUTTON_TEXT),
    "accessibility_label": Str(limits.BUTTON_LABEL),
    "style": word("primary", "danger"),
}

IMAGE_FIELDS: dict[str, Rule] = {
    "image_url": _URL,
    "slack_file": Obj({"id": _ID, "url": _URL}, needs_one_of=("id", "url")),
    "alt_text": Str(limits.ALT_TEXT),
}

ELEMENTS: dict[str, Obj] = {
    "button": _element(
        {**_BUTTON, "url": _URL, "value": Str(limits.BUTTON_VALUE), "confirm": CONFIRM}, needs=("text",)
    ),
    "workflow_button": _element({**_BUTTON, "workflow": Anything()}, needs=("text", "workflow")),
    "overflow": _element(
        {
            "options": Items(_option(plain_only=True, with_url=True), limits.OVERFLOW_OPTIONS),
            "confirm": CONFIRM,
        },
        needs=("options",),
    ),
    "image": Obj({"type": _ID, **IMAGE_FIELDS}, needs=("type", "alt_text"), needs_one_of=("image_url", "slack_file")),
    "static_select": _menu(_static("initial_option", _MENU_OPTION), _FROM_EITHER),
    "multi_static_select": _several(
        _static("initial_options", Items(_MENU_OPTION, limits.SELECT_OPTIONS)), _FROM_EITHER
    ),
    "external_select": _menu({"initial_option": _MENU_OPTION, "min_query_length": Number(least=0, whole=True)}),
    "multi_external_select": _several(
        {
            "initial_options": Items(_MENU_OPTION, limits.SELECT_OPTIONS),
            "min_query_length": Number(least=0, whole=True),
        }
    ),
    "users_select": _menu({"initial_user": _ID}),
    "multi_users_select": _several({"initial_users": _IDS}),
    "conversations_select": _menu(
        {
            "initial_conversation": _ID,
            "default_to_current_conversation": Flag(),
            "response_url_enabled": Flag(),
            "filter": Anything(),
        }
    ),
    "multi_conversations_select": _several(
        {"initial_conversations": _IDS, "default_to_current_conversation": Flag(), "filter": Anything()}
    ),
    "channels_select": _menu({"initial_channel": _ID, "response_url_enabled": Flag()}),
    "multi_channels_select": _several({"initial_channels": _IDS}),
    "checkboxes": _choices("initial_options", Items(_CHOICE_OPTION, limits.CHOICE_OPTIONS)),
    "radio_buttons": _choices("initial_option", _CHOICE_OPTION),
    "datepicker": _menu({"initial_date": _DATE}),
    "timepicker": _menu({"initial_time": Str(5, least=5), "timezone": Str(255)}),
    "datetimepicker": _menu({"initial_date_time": Number(whole=True)}),
    "plain_text_input": _typing(
        {
            "initial_value": Str(limits.INPUT_CHARACTERS, least=0),
            "multiline": Flag(),
            "min_length": Number(least=0, most=limits.INPUT_CHARACTERS, whole=True),
            "max_length": Number(least=1, most=limits.INPUT_CHARACTERS, whole=True),
        }
    ),
    "email_text_input": _typing({"initial_value": Str(limits.INPUT_CHARACTERS)}),
    "url_text_input": _typing({"initial_value": Str(limits.INPUT_CHARACTERS)}),
    "number_input": _typing(
        {
            "is_decimal_allowed": Flag(),
            "initial_value": Str(255),
            "min_value": Str(255),
            "max_value": Str(255),
        },
        needs=("is_decimal_allowed",),
    ),
    "rich_text_input": _typing({"initial_value": Anything()}),
    "file_input": _element(
        {
            "filetypes": Items(Str(255), 100),
            "max_files": Number(least=1, most=limits.FILE_INPUT_FILES, whole=True),
        }
    ),
    "feedback_buttons": _element(
        {"positive_button": Anything(), "negative_button": Anything()},
        needs=("positive_button", "negative_button"),
    ),
    "icon_button": _element(
        {
            "icon": word("trash"),
            "text": plain(limits.BUTTON_TEXT),
            "value": Str(limits.BUTTON_VALUE),
            "accessibility_label": Str(limits.BUTTON_LABEL),
            "confirm": CONFIRM,
            "visible_to_user_ids": Items(_ID, 10),
        },
        needs=("icon", "text"),
    ),
    "url": Obj({"type": _ID, "url": _URL, "text": Str(255)}, needs=("type", "url", "text")),
}

_PICKERS = [
    "datepicker",
    "timepicker",
    "datetimepicker",
    "static_select",
    "multi_static_select",
    "external_select",
    "multi_external_select",
    "users_select",
    "multi_users_select",
    "conversations_select",
    "multi_conversations_select",
    "channels_select",
    "multi_channels_select",
    "checkboxes",
    "radio_buttons",
]
IN_ACTIONS = frozenset(["button", "workflow_button", "overflow", *_PICKERS])
IN_SECTION = frozenset(["button", "workflow_button", "overflow", "image", *_PICKERS])
IN_INPUT = frozenset(
    [
        *_PICKERS,
        "plain_text_input",
        "email_text_input",
        "url_text_input",
        "number_input",
        "rich_text_input",
        "file_input",
    ]
)
