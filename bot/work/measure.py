"""What a loop over a task's data would be billed by, written down while the task is drafted.

Only what the model saw a sample of anyway is counted by its provider; nothing leaves for the sake of the bill.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from bot.agent.prices import load_prices
from bot.store.agent import conversation_of
from bot.store.plans import known
from bot.store.tables_agent import Measured
from bot.store.tables_talk import Task
from bot.work.agent_parts import AgentParts
from bot.work.saw import sampled
from sandbox.sample import Sample

if TYPE_CHECKING:
    from bot.agent.client import Model

DEFAULT_MODEL = "claude-sonnet-5-5"  # whose prices stand on a bill where no model is set up


def measure(parts: AgentParts, task: Task, samples: Sequence[Sample]) -> None:
    """Once for a task; a failing count leaves a range on the bill and nothing else."""
    with parts.db.transaction() as session:
        found = session.get(Measured, known(task.id))
        conversation = conversation_of(session, known(task.id))
        seen = sampled(session, known(conversation.id)) if conversation else []
    if found is not None and (found.tokens or not seen):
        return
    text = "\n".join(one.text() for one in samples if one.facts.name in seen)
    row = _measured(parts.model, known(task.id), text)
    row.at = parts.clock.now()
    with parts.db.transaction() as session:
        session.merge(row)


def _measured(model: Model | None, task_id: int, text: str) -> Measured:
    prices = load_prices()
    name = model.settings.name if model else DEFAULT_MODEL
    rates = prices.rates(name)
    tokens = model.count_tokens(text) if model and text else 0
    return Measured(
        task_id=task_id,
        model=name,
        price_version=prices.version,
        fresh_usd=rates[0] if rates else None,
        out_usd=rates[1] if rates else None,
        sample_bytes=len(text.encode()) if tokens else 0,
        tokens=tokens,
    )
