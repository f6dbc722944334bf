"""Finding elements in messages and views, and turning what a person entered into Slack's state values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bot.desk.errors import BadRequest, NotThere
from bot.desk.shapes import Json
from bot.desk.state import Workspace

# The field of an element's payload that holds its value, and the element's field that holds the initial one.
_VALUE_FIELDS = {
    "plain_text_input": ("value", "initial_value"),
    "email_text_input": ("value", "initial_value"),
    "url_text_input": ("value", "initial_value"),
    "number_input": ("value", "initial_value"),
    "rich_text_input": ("rich_text_value", "initial_value"),
    "datepicker": ("selected_date", "initial_date"),
    "timepicker": ("selected_time", "initial_time"),
    "datetimepicker": ("selected_date_time", "initial_date_time"),
    "static_select": ("selected_option", "initial_option"),
    "external_select": ("selected_option", "initial_option"),
    "overflow": ("selected_option", ""),
    "radio_buttons": ("selected_option", "initial_option"),
    "checkboxes": ("selected_options", "initial_options"),
    "multi_static_select": ("selected_options", "initial_options"),
    "multi_external_select": ("selected_options", "initial_options"),
    "users_select": ("selected_user", "initial_user"),
    "multi_users_select": ("selected_users", "initial_users"),
    "channels_select": ("selected_channel", "initial_channel"),
    "multi_channels_select": ("selected_channels", "initial_channels"),
    "conversations_select": ("selected_conversation", "initial_conversation"),
    "multi_conversations_select": ("selected_conversations", "initial_conversations"),
    "file_input": ("files", ""),
}


@dataclass(frozen=True)
class Placed:
    """An element that a person can use, and the block it stands in."""

    block: Json
    element: Json

    @property
    def label(self) -> str:
        """What a person reads on or above it."""
        own = self.element.get("text") or self.block.get("label") or self.element.get("placeholder") or {}
        return str(own.get("text", "")) if isinstance(own, dict) else ""

    @property
    def names(self) -> tuple[str, ...]:
        """Every name by which a request may mean it."""
        block_id, action_id = self.block["block_id"], self.element.get("action_id", "")
        return (action_id, block_id, f"{block_id}.{action_id}", self.label)

    @property
    def holds_value(self) -> bool:
        return self.element["type"] in _VALUE_FIELDS and self.element["type"] != "overflow"


def elements_of(blocks: Sequence[Json]) -> Iterator[Placed]:
    """Every element that can be pressed or filled in, top to bottom."""
    for block in blocks:
        if block["type"] == "carousel" or block["type"] == "container":
            yield from elements_of(block.get("elements") or block.get("child_blocks") or [])
            continue
        inside = [block.get("accessory"), block.get("element"), *block.get("elements", []), *block.get("actions", [])]
        for element in inside:
            if isinstance(element, dict) and (element.get("type") in _VALUE_FIELDS or "action_id" in element):
                yield Placed(block, element)


def find_element(blocks: Sequence[Json], name: str) -> Placed:
    """The element that a name means: action_id, block_id or visible label (also of an overflow's entry)."""
    placed = list(elements_of(blocks))
    for one in placed:
        if name in one.names or any(name == option["text"]["text"] for option in options_of(one.element)):
            return one
    there = ", ".join(repr(one.label or one.element.get("action_id")) for one in placed) or "nothing"
    raise NotThere(f"There is no {name!r} to press here. There is: {there}.")


def options_of(element: Json) -> list[Json]:
    """All options of a menu or a group of choices."""
    grouped = [option for group in element.get("option_groups") or [] for option in group["options"]]
    return [*(element.get("options") or []), *grouped]


def value_payload(workspace: Workspace, element: Json, raw: Any) -> Json:
    """The element's state value for what a person entered. Raises BadRequest for an option that does not exist."""
    field, _ = _VALUE_FIELDS[element["type"]]
    return {"type": element["type"], field: _converted(workspace, element, raw)}


def state_values(workspace: Workspace, blocks: Sequence[Json], entered: Mapping[str, Any]) -> Json:
    """`state.values` for these blocks: what was entered, and initial values where nothing was.

    Raises BadRequest for a name that means no element here.
    """
    values: dict[str, Json] = {}
    used: set[str] = set()
    for placed in elements_of(blocks):
        if not placed.holds_value:
            continue
        names = [name for name in placed.names if name in entered]
        used.update(names)
        payload = _initial_payload(placed.element)
        if names:
            payload = value_payload(workspace, placed.element, entered[names[0]])
        values.setdefault(placed.block["block_id"], {})[placed.element["action_id"]] = payload
    unknown = set(entered) - used
    if unknown:
        known = ", ".join(sorted({one.label for one in elements_of(blocks) if one.holds_value})) or "nothing"
        raise BadRequest(f"No field is called {sorted(unknown)}. Fields here: {known}.")
    return values


def unmet_requirements(blocks: Sequence[Json], values: Json) -> dict[str, str]:
    """What Slack's own dialog would not let pass, per block_id, before the app hears of a submission."""
    unmet = {}
    for placed in elements_of(blocks):
        block, element = placed.block, placed.element
        if block["type"] != "input":
            continue
        entered = values[block["block_id"]][element["action_id"]][_VALUE_FIELDS[element["type"]][0]]
        if entered in (None, "", []):
            if not block.get("optional"):
                unmet[block["block_id"]] = "Please complete this required field."
        elif isinstance(entered, str) and len(entered) < element.get("min_length", 0):
            unmet[block["block_id"]] = f"Please enter at least {element['min_length']} characters."
        elif isinstance(entered, str) and len(entered) > element.get("max_length", len(entered)):
            unmet[block["block_id"]] = f"Please enter at most {element['max_length']} characters."
    return unmet


def _initial_payload(element: Json) -> Json:
    field, initial = _VALUE_FIELDS[element["type"]]
    nothing: Any = [] if field in ("selected_options", "selected_users", "files") else None
    return {"type": element["type"], field: element.get(initial, nothing)}


def _converted(workspace: Workspace, element: Json, raw: Any) -> Any:
    kind = element["type"]
    field = _VALUE_FIELDS[kind][0]
    if field == "selected_option":
        return _option(element, raw) if raw else None
    if field == "selected_options":
        return [_option(element, one) for one in raw or []]
    if field == "selected_user":
        return workspace.person(raw).id if raw else None
    if field == "selected_users":
        return [workspace.person(one).id for one in raw or []]
    if field in ("selected_channel", "selected_conversation"):
        return workspace.channel(raw).id if raw else None
    if field in ("selected_channels", "selected_conversations"):
        return [workspace.channel(one).id for one in raw or []]
    if field == "selected_date_time":
        return int(raw) if raw else None
    return (raw if isinstance(raw, dict) else str(raw)) if raw not in (None, "") else None


def _option(element: Json, raw: Any) -> Json:
    for option in options_of(element):
        if raw in (option["value"], option["text"]["text"]):
            return option
    choices = ", ".join(repr(option["text"]["text"]) for option in options_of(element))
    raise BadRequest(f"{raw!r} is none of the options. They are: {choices}.")
