"""What a conversation sends first is frozen: a change of these bytes needs a new version."""

from __future__ import annotations

import ast
import hashlib
import re
from pathlib import Path

from bot.agent.config import ModelSettings
from bot.agent.prices import load_prices
from bot.agent.prompt import NEWEST, PROMPTS, system_prompt
from bot.agent.tools import tools_json
from bot.domain.conversation import Usage
from bot.domain.facts import of_script
from bot.domain.gate import source_problems
from sandbox.inside import kit

# sha256 of the prompt and of the tool list of each version. A line here never changes; a new version adds one.
FROZEN = {
    "planner-1": ("0529a5fa0f8b7d9f", "117cf4fa0eb93600"),
    "planner-2": ("32666d71eae02357", "117cf4fa0eb93600"),
}


def test_every_version_is_still_the_bytes_it_was() -> None:
    assert {path.stem for path in PROMPTS.glob("*.md")} == set(FROZEN)
    for version, (prompt, _) in FROZEN.items():
        assert hashlib.sha256(system_prompt(version).encode()).hexdigest()[:16] == prompt, f"{version} was changed"


def test_the_newest_version_goes_with_these_tools() -> None:
    assert hashlib.sha256(tools_json().encode()).hexdigest()[:16] == FROZEN[NEWEST][1], "the tools were changed"


def test_the_prompt_holds_nothing_that_changes() -> None:
    assert not re.search(r"20\d\d-\d\d-\d\d|<@U|<#C|\$\d", system_prompt())


def test_the_prompt_names_no_part_of_the_kit_that_is_not_there() -> None:
    told = system_prompt().split("The kit (from kit import ...):")[1].split("\n\n")[0]
    names = set(re.findall(r"(?<![.\w])([a-zA-Z_]+)\(", told))
    exported = ast.literal_eval(Path(kit.__file__).read_text().split("__all__ = ")[1])
    assert names > {"read_table", "read_log", "check", "report"}
    assert names <= set(exported)


def test_the_plan_in_the_prompt_passes_the_gate_and_asks_what_it_may() -> None:
    example = "from kit import" + system_prompt().split("\nfrom kit import")[1].split("\n\nChecks are")[0] + "\n"
    found = of_script(example)

    assert not source_problems(example.encode())
    assert not found.refused_imports and not found.unclear
    told = set(re.findall(r"\b[A-Z][a-z]+[A-Z][A-Za-z]+\b", system_prompt().split("[[checks]] may name")[1]))
    assert {"OddHeader", "RowsTwice"} <= told & set(found.reader_checks)


def test_a_known_price_is_counted_by_the_length_of_the_prompt() -> None:
    prices = load_prices()
    assert prices.micro_usd("claude-sonnet-5-5", Usage(1_000, 0, 0, 10_000, 100)) == 2_000 + 1_000 + 1_000
    assert prices.micro_usd("claude-haiku-5-5", Usage(100_000, 0, 0, 0, 0)) == 10_000
    assert prices.micro_usd("claude-haiku-5-5", Usage(100_001, 0, 0, 0, 0)) == 50_000  # rounded
    assert prices.micro_usd("a-model-of-ours", Usage(1, 0, 0, 0, 1)) is None


def test_no_model_is_set_up_without_a_key_or_a_server_of_ones_own() -> None:
    assert ModelSettings.load({}) is None
    assert ModelSettings.load({"ANTHROPIC_BASE_URL": "http://127.0.0.1:1"}) is None
    own = ModelSettings.load({"STANDBY_MODEL_BASE_URL": "http://127.0.0.1:1", "STANDBY_MODEL_NAME": "house"})
    assert own is not None and own.name == "house" and not own.sends_optional_fields
    hosted = ModelSettings.load({"ANTHROPIC_API_KEY": "k"})
    assert hosted is not None and hosted.sends_optional_fields
