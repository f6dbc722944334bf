"""The six tools of the model: their schemas, what their input must be, and how much of a result is shown."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from bot.agent.cleaning import bounded, clean, with_count

KB = 1024
DATA_FIRST_WAKE_BYTES, DATA_LATER_WAKE_BYTES = 48 * KB, 24 * KB
LEAST_BYTES = 200  # fewer show nothing that could be understood
BUDGET_USED = "The data budget of this stretch of work is used up; decide with what you have seen."


class ToolProblem(Exception):
    """The call came to nothing; the text is the result, and says what exists and what to do next."""


class Bench(Protocol):
    """Where calls have their effects. Each returns text for the model, or raises ToolProblem."""

    def list_files(self, folder: str) -> str: ...
    def read_file(self, path: str) -> str: ...
    def write_file(self, path: str, content: str) -> str: ...
    def run_code(self, script: str) -> str: ...
    def schedule(self, script: str, when: str, use_id: str) -> str: ...
    def think(self, thought: str) -> str: ...


@dataclass(frozen=True)
class Tool:
    """`input` are its fields, all text, each with what it means and the most bytes it may have."""

    name: str
    says: str
    input: Mapping[str, tuple[str, int]]
    result_bytes: int
    shows_data: bool  # its result counts against the data budget
    is_look: bool  # it does nothing but show data, so that without a data budget there is no point in it
    act: Callable[[Bench, Mapping[str, str], str], str]

    def schema(self) -> dict[str, Any]:
        fields = {name: {"type": "string", "description": says} for name, (says, _) in self.input.items()}
        wanted = {"type": "object", "properties": fields, "required": list(fields), "additionalProperties": False}
        return {"name": self.name, "description": self.says, "strict": True, "input_schema": wanted}


TOOLS: Mapping[str, Tool] = {
    tool.name: tool
    for tool in (
        Tool(
            "list_files",
            "Names, sizes and kinds of the files in a folder of the workspace: data in inputs, your draft in the root.",
            {"dir": ("The folder, relative to the workspace; . is its root.", 1_000)},
            4 * KB, True, True,
            lambda bench, given, _: bench.list_files(given["dir"]),
        ),
        Tool(
            "read_file",
            "The bounded sample of one data file: facts about the whole of it, its first and its last lines. "
            "The same file always gives the same sample. Your own draft files are shown as you wrote them.",
            {"path": ("The file, such as inputs/a.log.", 1_000)},
            6 * KB, True, True,
            lambda bench, given, _: bench.read_file(given["path"]),
        ),
        Tool(
            "write_file",
            "Writes a whole file of the draft: plan.py, report.md or plan.toml. Never a part of one.",
            {
                "path": ("plan.py, report.md or plan.toml.", 200),
                "content": ("The whole content, at most 64 KB.", 64 * KB),
            },
            2 * KB, False, False,
            lambda bench, given, _: bench.write_file(given["path"], given["content"]),
        ),
        Tool(
            "run_code",
            "Runs Python on a copy of the data, in a box without network that is thrown away afterwards. "
            "Give source, or the one line `run plan.py` to run the draft as a scheduled run would.",
            {"script": ("Python source, or: run plan.py", 64 * KB)},
            4 * KB, True, False,
            lambda bench, given, _: bench.run_code(given["script"]),
        ),
        Tool(
            "schedule",
            "Rehearses the draft on all the data and proposes it to the people of the thread. "
            "Nothing runs or is sent before a teammate has approved exactly these bytes.",
            {
                "script": ("plan.py", 200),
                "when": ("A cron line of five fields with weekdays by name (0 7 * * mon), or what was settled.", 200),
            },
            4 * KB, True, False,
            lambda bench, given, use_id: bench.schedule(given["script"], given["when"], use_id),
        ),
        Tool(
            "think",
            "One line that people see in the thread while you work: what you found, or what you do next, and why.",
            {"thought": ("One plain sentence of at most 600 characters, without secrets.", 2_400)},
            100, False, False,
            lambda bench, given, _: bench.think(given["thought"]),
        ),
    )
}  # fmt: skip


def tools_json() -> str:
    """The tool list as it is frozen into a conversation: always the same bytes."""
    return json.dumps([tool.schema() for tool in TOOLS.values()], sort_keys=True)


@dataclass(frozen=True)
class Result:
    """`data_bytes` of the text come from files or outputs."""

    text: str
    is_error: bool
    data_bytes: int = 0


def run_tool(bench: Bench, name: str, given: Any, use_id: str, data_left_bytes: int) -> Result:
    """One call with its input checked and its result cleaned and bounded. What is no ToolProblem is not caught."""
    tool = TOOLS.get(name)
    if tool is None:
        return Result(f"There is no tool {clean(name)[:80]!r}; there are: {', '.join(TOOLS)}.", True)
    if problem := _problem(tool, given):
        return Result(problem, True)
    if tool.is_look and data_left_bytes < LEAST_BYTES:
        return Result(BUDGET_USED, True)
    try:
        text, is_error = tool.act(bench, given, use_id), False
    except ToolProblem as problem_of_call:
        text, is_error = str(problem_of_call), True
    return _shown(tool, text, is_error, data_left_bytes)


def _shown(tool: Tool, text: str, is_error: bool, data_left_bytes: int) -> Result:
    limit = min(tool.result_bytes, max(0, data_left_bytes)) if tool.shows_data else tool.result_bytes
    if tool.shows_data and limit < LEAST_BYTES:
        return Result(f"{'It failed' if is_error else 'Done'}, but nothing of it is shown. {BUDGET_USED}", is_error)
    shown = bounded(with_count(text) or "(no output)", limit, "print less")
    return Result(shown, is_error, len(shown.encode()) if tool.shows_data else 0)


def _problem(tool: Tool, given: Any) -> str:
    """What is wrong with the input, as a result that teaches; empty when nothing is."""
    if not isinstance(given, dict):
        return f"{tool.name} takes an object with {', '.join(tool.input)}."
    for name, (says, limit_bytes) in tool.input.items():
        value = given.get(name)
        if not isinstance(value, str):
            return f"{tool.name} needs {name} as text: {says} Nothing was done."
        try:
            size = len(value.encode())
        except UnicodeEncodeError:
            return f"{name} holds characters that are no text. Nothing was done."
        if size > limit_bytes:
            return f"{name} has {size:,} bytes, more than {limit_bytes:,}. Nothing was done; send a shorter one."
    extra = sorted(set(given) - set(tool.input))
    return f"{tool.name} does not take {', '.join(map(repr, extra))}. Nothing was done." if extra else ""
