"""What people at the desk see: messages, forms and mails, as plain records over the desk's JSON."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

Json = dict[str, Any]


@dataclass(frozen=True)
class Message:
    """A message as people see it. `raw` is all that the desk tells of it."""

    raw: Json = field(repr=False)
    ts: str
    channel: str
    author: str
    text: str

    @property
    def thread_ts(self) -> str:
        """The root's ts, which is the message's own if it is no reply."""
        return str(self.raw.get("thread_ts") or self.ts)

    @property
    def is_reply(self) -> bool:
        return self.thread_ts != self.ts

    @property
    def is_from_bot(self) -> bool:
        return bool(self.raw.get("bot_id"))

    @property
    def ephemeral_to(self) -> str:
        return str(self.raw["ephemeral_to"])

    @property
    def blocks(self) -> list[Json]:
        blocks: list[Json] = self.raw.get("blocks", [])
        return blocks

    @property
    def files(self) -> list[Json]:
        files: list[Json] = self.raw.get("files", [])
        return files

    @property
    def metadata(self) -> Json:
        metadata: Json = self.raw.get("metadata", {})
        return metadata

    @property
    def words(self) -> str:
        """Everything a person can read in it: its text and the texts of its blocks, one a line."""
        return "\n".join([self.text, *texts_in(self.blocks), *texts_in(self.raw.get("attachments", []))])

    def says(self, *words: str) -> bool:
        """Whether all these words can be read in it, in any case of letters."""
        return all(word.casefold() in self.words.casefold() for word in words)

    @property
    def buttons(self) -> list[str]:
        """The labels of its buttons, and of the entries of its overflow menus."""
        elements = [element for block in self.blocks for element in _elements(block)]
        labels = [one["text"]["text"] for one in elements if one.get("type") == "button"]
        menus = [one["options"] for one in elements if one.get("type") == "overflow"]
        return labels + [option["text"]["text"] for options in menus for option in options]

    def has_button(self, label: str) -> bool:
        return any(one.casefold().startswith(label.casefold()) for one in self.buttons)


@dataclass(frozen=True)
class View:
    """A modal or a Home tab."""

    raw: Json = field(repr=False)
    id: str
    title: str

    @property
    def blocks(self) -> list[Json]:
        blocks: list[Json] = self.raw["blocks"]
        return blocks

    @property
    def words(self) -> str:
        return "\n".join([self.title, *texts_in(self.blocks)])

    def says(self, *words: str) -> bool:
        return all(word.casefold() in self.words.casefold() for word in words)

    def button(self, action_id: str) -> Json:
        """What the client was given of a button, its value among it."""
        found = [one for block in self.blocks for one in block.get("elements", []) if one.get("action_id") == action_id]
        button: Json = found[0]
        return button

    @property
    def fields(self) -> list[str]:
        """The labels of what can be filled in."""
        return [block["label"]["text"] for block in self.blocks if block["type"] == "input"]


@dataclass(frozen=True)
class Outcome:
    """How a press or a submission went. `errors` are a form's, by block_id; `problem` is what the person reads."""

    acked: bool
    errors: dict[str, str]
    problem: str
    view_open: bool


@dataclass(frozen=True)
class Mail:
    """A mail that the sink received."""

    raw: Json = field(repr=False)
    number: int
    sender: str
    to: list[str]
    subject: str
    text: str
    html: str
    attachments: list[Json]

    @property
    def headers(self) -> dict[str, str]:
        return dict(self.raw["headers"])


def view_of(raw: Json) -> View:
    return View(raw, raw["id"], (raw.get("title") or {}).get("text", ""))


def texts_in(value: Any) -> list[str]:
    """Every text inside blocks, top to bottom."""
    if isinstance(value, dict):
        own = [value[name] for name in ("text", "title", "caption", "alt_text") if isinstance(value.get(name), str)]
        return own + [text for inner in value.values() for text in texts_in(inner)]
    return [text for inner in value for text in texts_in(inner)] if isinstance(value, list) else []


def _elements(block: Json) -> list[Json]:
    inside = [*block.get("elements", []), block.get("accessory"), *block.get("actions", [])]
    nested = [one for child in block.get("child_blocks", []) for one in _elements(child)]
    return [one for one in inside if isinstance(one, dict)] + nested
