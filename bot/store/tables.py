"""All tables in one place, for migrations and for whoever wants to see the whole schema."""

from sqlmodel import SQLModel

from bot.store.tables_agent import (
    Conversation,
    DraftFile,
    Measured,
    MessageRow,
    ModelCall,
    Proposal,
    ToolRunRow,
    TryRow,
)
from bot.store.tables_history import History
from bot.store.tables_installed import Installation, InstallState, Workspace
from bot.store.tables_plans import Card, Decision, Plan, PlanFile, Press, Routine
from bot.store.tables_proven import Proven
from bot.store.tables_runs import Delivery, LeftAside, Run, RunInput, Slot, SurpriseRow, Turn
from bot.store.tables_sources import Collected
from bot.store.tables_talk import Post, Said, Seen, SharedFile, Task

METADATA = SQLModel.metadata

__all__ = [
    "METADATA", "Card", "Collected", "Conversation", "Decision", "Delivery", "DraftFile", "History", "InstallState",
    "Installation", "LeftAside", "Measured",
    "MessageRow", "ModelCall", "Plan", "PlanFile", "Post", "Press", "Proposal", "Proven", "Routine", "Run", "RunInput",
    "Said", "Seen", "SharedFile", "Slot", "SurpriseRow", "Task", "ToolRunRow", "TryRow", "Turn", "Workspace",
]  # fmt: skip
