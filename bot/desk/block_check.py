"""Judges a whole list of blocks, or a view, for the place where it will be shown."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any, cast

from bot.desk import limits
from bot.desk.block_rules import Flag, Items, Obj, Problem, Rule, Str, failed, plain, repeated, typed
from bot.desk.block_tables import BLOCKS, MOST_BLOCKS, ON_SURFACE, Surface
from bot.desk.errors import Refused
from bot.desk.shapes import Json, new_id

TABLES = frozenset({"table", "data_table"})
_INPUT_ELEMENTS_OF = ("element", "accessory")


def problems_of(blocks: Any, surface: Surface, at: str = "/blocks") -> list[Problem]:
    """Everything that is wrong with these blocks on this surface, first to last."""
    rule = Items(typed(BLOCKS, ON_SURFACE[surface]), MOST_BLOCKS[surface], least=0)
    found = list(rule.problems(blocks, at))
    if found or not isinstance(blocks, list):
        return found
    return [*repeated(blocks, "block_id", at), *_rules_among_blocks(blocks, at)]


def require_blocks(blocks: Any, surface: Surface, at: str = "/blocks") -> list[Json]:
    """The blocks, each with a block_id. Raises Refused (invalid_blocks, invalid_attachments, msg_blocks_too_long)."""
    found = problems_of(blocks, surface, at)
    if found:
        raise refusal(found)
    kept = [_with_ids(block) for block in blocks]
    if surface is Surface.MESSAGE:
        _require_modest(kept)
    return kept


def refusal(found: Sequence[Problem]) -> Refused:
    """Slack's answer to these problems, in its two forms: words, and words with a pointer."""
    only_tables = all(problem.code == "only_one_table_allowed" for problem in found)
    error = "invalid_attachments" if only_tables else "invalid_blocks"
    words = [f"{problem.message} [json-pointer:{problem.pointer}]" for problem in found]
    return Refused(error, errors=words, response_metadata={"messages": [f"[ERROR] {one}" for one in words]})


def pointed(found: Sequence[Problem]) -> list[Json]:
    """The problems in the form of blocks.validate."""
    return [
        {"pointer": one.pointer, "code": one.code, "message": one.message, "constraint": dict(one.constraint)}
        for one in found
    ]


_ID = Str(limits.CALLBACK_ID, least=0)
_VIEW_COMMON: dict[str, Rule] = {
    "type": Str(255),
    "private_metadata": Str(limits.VIEW_PRIVATE_METADATA, least=0),
    "callback_id": _ID,
    "external_id": _ID,
}


def view_problems(view: Any) -> list[Problem]:
    """Everything that is wrong with a view, its own fields first, then its blocks."""
    if not isinstance(view, dict) or view.get("type") not in ("modal", "home"):
        return [Problem("/type", "unsupported_type", "must be a modal or a home view")]
    surface = Surface(view["type"])
    outer = {name: value for name, value in view.items() if name != "blocks"}
    found = list(_view_rule(surface).problems(outer, ""))
    if "blocks" not in view:
        found.append(Problem("", "missing_field", "missing required field: blocks"))
    else:
        found += problems_of(view["blocks"], surface)
    if not found and surface is Surface.MODAL and not view.get("submit") and has_input(view["blocks"]):
        found.append(Problem("/submit", "missing_field", "missing required field: submit (the view has input blocks)"))
    return found


def require_view(view: Any) -> Json:
    """The view, its blocks with ids. Raises Refused(invalid_arguments)."""
    found = view_problems(view)
    if found:
        words = [f"{one.message} [json-pointer:/view{one.pointer}]" for one in found]
        messages = [f"[ERROR] {one}" for one in words]
        raise Refused("invalid_arguments", errors=words, response_metadata={"messages": messages})
    return {**view, "blocks": [_with_ids(block) for block in view["blocks"]]}


def has_input(blocks: Sequence[Json]) -> bool:
    return any(block["type"] == "input" for block in blocks)


def _view_rule(surface: Surface) -> Obj:
    if surface is Surface.HOME:
        return Obj(_VIEW_COMMON)
    title = plain(limits.VIEW_TITLE)
    flags = dict.fromkeys(("clear_on_close", "notify_on_close", "submit_disabled"), cast("Rule", Flag()))
    return Obj({**_VIEW_COMMON, "title": title, "submit": title, "close": title, **flags}, needs=("title",))


def _rules_among_blocks(blocks: list[Json], at: str) -> Iterator[Problem]:
    kinds = [block["type"] for block in blocks]
    if sum(kind in TABLES for kind in kinds) > 1:
        yield Problem(at, "only_one_table_allowed", "only_one_table_allowed")
    if kinds.count("data_visualization") > limits.MESSAGE_CHARTS:
        yield failed(at, f"no more than {limits.MESSAGE_CHARTS} data_visualization blocks allowed")
    if "plan" in kinds and "task_card" in kinds:
        yield failed(at, "plan and task_card blocks cannot be mixed")
    if sum(len(block["text"]) for block in blocks if block["type"] == "markdown") > limits.MESSAGE_MARKDOWN:
        yield failed(at, f"markdown blocks together must be less than {limits.MESSAGE_MARKDOWN + 1} characters")
    for index, block in enumerate(blocks):
        yield from _rules_within(block, f"{at}/{index}")


def _rules_within(block: Json, at: str) -> Iterator[Problem]:
    if block["type"] == "task_card" and block["status"] == "pending":
        yield failed(f"{at}/status", "only the tasks of a plan can be pending")
    if block["type"] == "data_table":
        yield from _data_table(block, at)
    if block["type"] == "data_visualization" and block["chart"]["type"] != "pie":
        yield from _lines_chart(block["chart"], f"{at}/chart")
    for name in _INPUT_ELEMENTS_OF:
        if isinstance(block.get(name), dict):
            yield from _initial_option(block[name], f"{at}/{name}")


def _data_table(block: Json, at: str) -> Iterator[Problem]:
    width = len(block["rows"][0])
    if any(len(row) != width for row in block["rows"]):
        yield failed(f"{at}/rows", "all rows must have the same number of cells")
    if any(cell["type"] == "rich_text" for cell in block["rows"][0]):
        yield failed(f"{at}/rows/0", "header cells cannot be rich_text")
    if block.get("row_header_column_index", 0) >= width:
        yield failed(f"{at}/row_header_column_index", f"must be less than {width}")
    if characters_of(block["rows"]) > limits.DATA_TABLE_CHARACTERS:
        yield failed(f"{at}/rows", f"must be less than {limits.DATA_TABLE_CHARACTERS + 1} characters in all")


def _lines_chart(chart: Json, at: str) -> Iterator[Problem]:
    categories = chart["axis_config"]["categories"]
    if len(set(categories)) != len(categories):
        yield failed(f"{at}/axis_config/categories", "labels must be unique")
    for index, series in enumerate(chart["series"]):
        labels = [point["label"] for point in series["data"]]
        if sorted(labels) != sorted(categories):
            yield failed(f"{at}/series/{index}/data", "must have exactly one point for every category")


def _initial_option(element: Json, at: str) -> Iterator[Problem]:
    initial = element.get("initial_option")
    groups = element.get("option_groups") or [{"options": element.get("options") or []}]
    options = [option for group in groups for option in group["options"]]
    if initial and options and not any(option["value"] == initial["value"] for option in options):
        yield failed(f"{at}/initial_option", "must match one of the options")


def characters_of(value: Any) -> int:
    """The characters of all texts inside: every string under a key `text`, wherever it lies."""
    if isinstance(value, dict):
        own = sum(len(one) for name, one in value.items() if name in ("text", "title") and isinstance(one, str))
        return own + sum(characters_of(one) for one in value.values())
    return sum(characters_of(one) for one in value) if isinstance(value, list) else 0


def _require_modest(blocks: list[Json]) -> None:
    # Tables have their own, larger allowance; the public report is about sections and rich text.
    counted = [block for block in blocks if block["type"] not in TABLES]
    if characters_of(counted) > limits.MESSAGE_BLOCK_CHARACTERS:
        raise Refused("msg_blocks_too_long")


def _with_ids(block: Json) -> Json:
    """A copy of the block in which it, and each element that can be pressed, has an id, as Slack fills them in."""
    kept: Json = json.loads(json.dumps(block))
    kept.setdefault("block_id", new_id("")[:5])
    for element in [*kept.get("elements", []), kept.get("accessory"), kept.get("element")]:
        if isinstance(element, dict) and _can_be_pressed(element):
            element.setdefault("action_id", new_id("")[:5])
    return kept


def _can_be_pressed(element: Json) -> bool:
    kind = element.get("type", "")
    return kind not in ("image", "mrkdwn", "plain_text") and not kind.startswith("rich_text_")
