"""The answer that a model computed: the tables of its last good run, its few words, and the script that did it."""

from bot.domain.words import Verb
from bot.store import tries
from bot.store.tables_talk import Task
from bot.work.agent_parts import AgentParts
from bot.work.once import Answered, read_words
from bot.work.saw import saw_words
from bot.work.workbench import Workbench
from library.manifest import Rung
from sandbox.outcome import Report
from sandbox.outcome_keys import read_outcome_keys

WHY = "asked once, so a model computed it with a script of its own; nothing of it is kept"
WHY_PLAN_FIRST = "five lines were agreed on first, then a script carried them out; nothing of it is kept"


def answered_by(
    parts: AgentParts, task: Task, bench: Workbench, words: str, *, notes: tuple[str, ...], is_plan_first: bool
) -> Answered | None:
    """The last good run that is no answer yet; None where nothing was computed, so that words are all there is."""
    with parts.db.transaction() as session:
        row = tries.newest(session, bench.conversation_id)
        saw = saw_words(session, bench.conversation_id)
    if row is None:
        return None
    report = read_outcome_keys(row.outcome)
    assert isinstance(report, Report), "only runs that ended well are kept"
    return Answered(
        title=task.request.strip().splitlines()[0][:100] if task.request.strip() else "Answer",
        rung=Rung.PLAN_FIRST if is_plan_first else Rung.AD_HOC,
        why=WHY_PLAN_FIRST if is_plan_first else WHY,
        report=report,
        read=read_words([one.facts for one in bench.samples()], report),
        looked_at=saw,
        files={"answer.py": row.script.encode()},
        words=words,
        notes=notes,
        verbs=(Verb.KEEP, Verb.MOVE, Verb.SHOW_SENT),
    )


def settle_answer(parts: AgentParts, conversation_id: int) -> None:
    """It was posted: the next answer needs a run of its own."""
    with parts.db.transaction() as session:
        if row := tries.newest(session, conversation_id):
            tries.settle(session, conversation_id, row, parts.clock.now())
