"""The loop that a script replaces, really built: read a file, think, read the next one, and answer at the end."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import anthropic

from tests.fakes.model_api import Asked, Turn, text, use
from tests.fakes.model_rules import Json

SYSTEM = "Answer the question about the files. Read each file with read_file, think about it, and answer at the end."
TOOLS: list[Json] = [
    {
        "name": name,
        "description": says,
        "input_schema": {
            "type": "object",
            "properties": {key: {"type": "string"} for key in keys},
            "required": list(keys),
            "additionalProperties": False,
        },
    }
    for name, says, keys in (
        ("list_files", "The names of the files.", ("dir",)),
        ("read_file", "The whole of a file.", ("path",)),
        ("think", "A thought, for people to see.", ("thought",)),
    )
]


@dataclass
class Looped:
    """What a loop came to: its last words, and what it used."""

    words: str = ""
    requests: int = 0
    usages: list[Any] = field(default_factory=list)


def run_loop(
    client: anthropic.Anthropic, model: str, question: str, files: Mapping[str, bytes], *, most_requests: int = 60
) -> Looped:
    """Ask until the model ends its turn. Every result stays in the conversation, as in any such loop."""
    messages: list[Any] = [{"role": "user", "content": question}]
    done = Looped()
    while done.requests < most_requests:
        answer = _ask(client, model, messages)
        done.requests += 1
        done.usages.append(answer.usage)
        content = [block.model_dump(mode="json", exclude_none=True) for block in answer.content]
        messages.append({"role": "assistant", "content": content})
        if answer.stop_reason != "tool_use":
            done.words = "".join(block.text for block in answer.content if block.type == "text")
            return done
        messages.append({"role": "user", "content": [_result(block, files) for block in content if _is_call(block)]})
    return done


def _ask(client: anthropic.Anthropic, model: str, messages: Sequence[Any]) -> Any:
    with client.messages.stream(
        model=model,
        max_tokens=8_000,
        system=SYSTEM,
        tools=TOOLS,  # type: ignore[arg-type] # plain dicts, as the wire has them
        messages=messages,  # type: ignore[arg-type]
        cache_control={"type": "ephemeral"},
    ) as stream:
        return stream.get_final_message()


def _is_call(block: Json) -> bool:
    return bool(block["type"] == "tool_use")


def _result(use_block: Json, files: Mapping[str, bytes]) -> Json:
    given = use_block["input"]
    if use_block["name"] == "list_files":
        content = "\n".join(sorted(files))
    elif use_block["name"] == "read_file":
        content = files.get(given["path"], b"There is no such file.").decode()
    else:
        content = "ok"
    return {"type": "tool_result", "tool_use_id": use_block["id"], "content": content}


def turns(names: Sequence[str], answer: str) -> list[Turn]:
    """A scripted model in that loop; it asserts that it was given the whole of each file before it goes on."""

    def next_file(number: int) -> Turn:
        def read(asked: Asked) -> Sequence[Json]:
            asked.says("date,invoice,revenue,costs" if number else names[0])
            thought = use("think", thought=f"{names[number]} is next; its sums so far are in my head")
            return [thought, use("read_file", path=names[number])]

        return read

    return [[use("list_files", dir=".")], *(next_file(number) for number in range(len(names))), [text(answer)]]


def sizes_of(requests: Sequence[Json]) -> list[int]:
    """Bytes of each request, as JSON."""
    return [len(json.dumps(one, ensure_ascii=False).encode()) for one in requests]
