"""How much of the data a model saw: which files, and how many bytes; measured, for cards."""

import json

from sqlmodel import Session, select

from bot.store import agent as conversations
from bot.store.tables_agent import MessageRow, ToolRunRow

NAMED = 3


def saw_words(session: Session, conversation_id: int | None) -> str:
    """Which files a model saw something of, and how many bytes of data in all."""
    if conversation_id is None:
        return "no model was asked, so nothing was sent to one"
    rows = session.exec(select(ToolRunRow).where(ToolRunRow.conversation_id == conversation_id)).all()
    data_bytes = sum(row.data_bytes for row in rows)
    names = sampled(session, conversation_id)
    shown = ", ".join(names[:NAMED]) + (f" and {len(names) - NAMED} more" if len(names) > NAMED else "")
    files = f"the sample of {shown}" if names else "the sample of no file"
    return f"a model saw {files}, and results of what it ran: {data_bytes:,} bytes of data in all"


def saw_of_task(session: Session, task_id: int) -> str:
    found = conversations.conversation_of(session, task_id)
    return saw_words(session, found.id if found else None)


def sampled(session: Session, conversation_id: int) -> list[str]:
    """Names of the files whose sample was asked for, each once."""
    rows = session.exec(select(MessageRow).where(MessageRow.conversation_id == conversation_id))
    calls = [block for row in rows for block in json.loads(row.content) if block["type"] == "tool_use"]
    paths = [str(call["input"].get("path", "")) for call in calls if call["name"] == "read_file"]
    return list(dict.fromkeys(path.removeprefix("inputs/") for path in paths if path.startswith("inputs/")))
