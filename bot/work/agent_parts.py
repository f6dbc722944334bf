"""What jobs of the agent process work with: the parts of any job, and the model where one is set up."""

from dataclasses import dataclass

from bot.agent.client import Model
from bot.work.parts import JobParts


@dataclass(frozen=True)
class AgentParts(JobParts):
    """`model` is None without a key: then plans come from the library alone."""

    model: Model | None
