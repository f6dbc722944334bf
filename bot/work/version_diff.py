"""The diff between two versions of a plan: what a version takes away from the checks stands first."""

import json
from difflib import unified_diff

from library.plan_folder import PlanFolder

READ = ("plan.py", "plan.toml", "report.md")
"""The files that people read as lines."""


def diff_words(old: PlanFolder, new: PlanFolder) -> str:
    """A unified diff over every file of the folder that people read; of the shape only that it changed."""
    parts: list[str] = []
    for name in READ:
        before, after = (side.files[name].decode().splitlines() for side in (old, new))
        parts += _weaker_first(list(unified_diff(before, after, f"{name} (before)", f"{name} (now)", lineterm="", n=2)))
    if json.loads(old.files["shape.json"]) != json.loads(new.files["shape.json"]):
        parts.append("shape.json: what the files look like was measured anew")
    if old.files["box.json"] != new.files["box.json"]:
        parts.append("box.json: another version of the kit or the box")
    return "\n".join(parts)


def _weaker_first(lines: list[str]) -> list[str]:
    """The same hunks, those first that take a line of a check away: the end of a long diff is what a card cuts."""
    if not lines:
        return []
    hunks: list[list[str]] = []
    for line in lines[2:]:
        if line.startswith("@@"):
            hunks.append([])
        hunks[-1].append(line)
    hunks.sort(key=lambda hunk: not any(_takes_a_check_away(line) for line in hunk))
    return [*lines[:2], *(line for hunk in hunks for line in hunk)]


def _takes_a_check_away(line: str) -> bool:
    return line.startswith("-") and ("check" in line or "Surprise" in line)
