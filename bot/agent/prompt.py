"""The system prompts: frozen bytes by version. A new conversation takes the newest, an old one keeps its own row's."""

from functools import cache
from pathlib import Path

PROMPTS = Path(__file__).with_name("prompts")
NEWEST = "planner-2"


@cache
def system_prompt(version: str = NEWEST) -> str:
    """The bytes of a version. It holds nothing that changes: no date, no names, no budget."""
    return (PROMPTS / f"{version}.md").read_text(encoding="utf-8")
