"""What jobs of the agent process work with: the parts of any job, and the model where one is set up."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bot.work.parts import JobParts

if TYPE_CHECKING:
    from bot.agent.client import Model


@dataclass(frozen=True)
class AgentParts(JobParts):
    """`model` is None without a key: then plans come from the library alone."""

    model: Model | None
