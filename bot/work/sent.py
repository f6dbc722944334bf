"""What was sent to a model for a task, word for word behind a button, secrets masked."""

import json
from collections.abc import Sequence

from sqlmodel import Session, col, select

from bot.domain.approval import may_read
from bot.domain.conversation import Block
from bot.domain.people import Person
from bot.domain.redact import redacted
from bot.domain.words import Verb
from bot.store import agent as conversations
from bot.store.plans import known
from bot.store.tables_agent import Conversation, MessageRow
from bot.store.tables_plans import Card, Plan, Press
from bot.store.tables_talk import Task
from bot.work.decide import ScriptPages
from bot.work.instruct import Refused
from bot.work.parts import Parts

NOTHING = "Nothing: no model was asked."


def sent_pages(parts: Parts, press_id: str, person: Person) -> ScriptPages | None:
    """Everything that was sent for the task behind a button, oldest first; None where the button is not known.

    For members of the workspace alone: it holds samples of the data that was posted there. Raises Refused for others.
    """
    with parts.db.transaction() as session:
        press = session.get(Press, press_id)
        task = _task(session, press) if press and press.verb is Verb.SHOW_SENT else None
        if task is None:
            return None
        if why_not := may_read(person, task.team_id):
            raise Refused(why_not)
        found = conversations.conversation_of(session, known(task.id))
        files = _all_sent(session, found) if found else [("Nothing", NOTHING)]
    return ScriptPages("What was sent to the model", tuple(files))


def _task(session: Session, press: Press) -> Task | None:
    if press.card_id is not None:
        plan = session.get_one(Plan, session.get_one(Card, press.card_id).plan_id)
        return session.get(Task, plan.task_id) if plan.task_id else None
    return session.get(Task, press.task_id) if press.task_id else None


def _all_sent(session: Session, conversation: Conversation) -> list[tuple[str, str]]:
    """Instructions and tools once, as they go out with each request; then every message in order."""
    rows = session.exec(
        select(MessageRow).where(MessageRow.conversation_id == known(conversation.id)).order_by(col(MessageRow.seq))
    )
    told = [
        ("Instructions, with every request", conversation.system),
        ("Tools, with every request", conversation.tools),
    ]
    told += [(f"{row.seq}. {row.role} ({row.cause})", _spoken(json.loads(row.content))) for row in rows]
    return [(name, redacted(text)) for name, text in told]


def _spoken(content: Sequence[Block]) -> str:
    """The blocks as a person reads them; nothing of what was sent is left out."""
    return "\n\n".join(_block(block) for block in content)


def _block(block: Block) -> str:
    if block["type"] == "text":
        return str(block["text"])
    if block["type"] == "tool_use":
        given = "\n".join(f"{name}: {value}" for name, value in block["input"].items())
        return f"[calls {block['name']}]\n{given}"
    if block["type"] == "tool_result":
        return f"[result]\n{block['content']}"
    return json.dumps(dict(block), ensure_ascii=False)
