"""Conversations as rows: the transcript, its calls, its drafts. The loop writes through StoredTranscript."""

import json
import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, time
from itertools import takewhile

from sqlalchemy import func, text, update
from sqlmodel import Session, col, select

from bot.domain.conversation import (
    ANSWERED,
    HUMAN,
    UNDER_WAY,
    WAKING,
    Attempt,
    Block,
    ConversationTaken,
    Frozen,
    Message,
    MessageCause,
    Reservation,
    Role,
    Spent,
    ToolRun,
)
from bot.domain.ports import Clock
from bot.store import locks
from bot.store.plans import known
from bot.store.session import Database
from bot.store.tables_agent import Conversation, DraftFile, MessageRow, ModelCall, Proposal, ToolRunRow

COUNTED = (ANSWERED, UNDER_WAY)  # attempts that count as answers of the model, towards the caps
TAKEN = "Another worker took this conversation over; this one leaves it."


def conversation_of(session: Session, task_id: int) -> Conversation | None:
    return session.exec(select(Conversation).where(Conversation.task_id == task_id)).first()


def begin(session: Session, task_id: int, team_id: str, frozen: Frozen, now: datetime) -> Conversation:
    """The task's conversation, made now unless it is there."""
    found = conversation_of(session, task_id)
    if found is None:
        found = Conversation(
            task_id=task_id,
            team_id=team_id,
            model=frozen.model,
            effort=frozen.effort,
            max_tokens=frozen.max_tokens,
            system=frozen.system,
            tools=frozen.tools,
            prompt_version=frozen.prompt_version,
            created_at=now,
        )
        session.add(found)
        session.flush()
    return found


def draft_files(session: Session, conversation_id: int) -> dict[str, bytes]:
    rows = session.exec(select(DraftFile).where(DraftFile.conversation_id == conversation_id))
    return {row.path: bytes(row.body) for row in rows}


def write_draft(session: Session, conversation_id: int, files: Mapping[str, bytes], now: datetime) -> None:
    """Write whole files over what the draft holds under these names."""
    for path, body in files.items():
        row = DraftFile(conversation_id=conversation_id, path=path, body=body, written_at=now)
        session.merge(row)


def proposals(session: Session, conversation_id: int) -> list[Proposal]:
    """Drafts that passed their rehearsal, oldest first."""
    found = select(Proposal).where(Proposal.conversation_id == conversation_id)
    return list(session.exec(found.order_by(col(Proposal.seq), col(Proposal.made_at))))


def keys(session: Session, conversation_id: int) -> set[str]:
    """What the conversation has taken in."""
    return set(session.exec(select(MessageRow.key).where(MessageRow.conversation_id == conversation_id)))


def rounds_away(session: Session, conversation_id: int) -> int:
    """How often in a row a request found no answer, in rounds of tries."""
    calls = session.exec(
        select(ModelCall).where(ModelCall.conversation_id == conversation_id).order_by(col(ModelCall.id).desc())
    )
    unanswered = takewhile(lambda call: call.outcome != ANSWERED, calls)
    return sum(call.attempt == 1 for call in unanswered)


def last_seq(session: Session, conversation_id: int) -> int:
    """The number of the last row; 0 before the first."""
    last = session.exec(select(func.max(MessageRow.seq)).where(MessageRow.conversation_id == conversation_id)).one()
    return int(last or 0)


class StoredTranscript:
    """A conversation that this worker holds. Whoever takes it later ends this one's right to write."""

    def __init__(self, db: Database, clock: Clock, conversation_id: int) -> None:
        self._db, self._clock, self.id = db, clock, conversation_id
        self._holder = secrets.token_hex(8)
        with db.transaction() as session:
            row = session.get_one(Conversation, conversation_id, with_for_update=True)
            row.holder = self._holder
        self._team_id = row.team_id
        self._frozen = Frozen(row.model, row.effort, row.max_tokens, row.system, row.tools, row.prompt_version)

    @property
    def frozen(self) -> Frozen:
        return self._frozen

    def messages(self) -> list[Message]:
        with self._db.transaction() as session:
            return _messages(session, self.id)

    def append(
        self, role: Role, content: Sequence[Block], cause: MessageCause, *, key: str = "", stop_reason: str = ""
    ) -> bool:
        with self.held() as session:
            return append(
                session, self.id, role, content, cause, self._clock.now(), key=key, stop_reason=stop_reason
            )  # fmt: skip

    def tool_run(self, seq: int, use_id: str) -> ToolRun | None:
        with self._db.transaction() as session:
            row = session.get(ToolRunRow, (self.id, seq, use_id))
        if row is None:
            return None
        return ToolRun(row.name, row.finished_at is not None, row.result, row.is_error)

    def begin_run(self, seq: int, use_id: str, name: str) -> None:
        with self.held() as session:
            run = ToolRunRow(
                conversation_id=self.id, seq=seq, use_id=use_id, name=name, started_at=self._clock.now()
            )  # fmt: skip
            session.add(run)

    def end_run(self, seq: int, use_id: str, result: str, *, is_error: bool, data_bytes: int, seconds: float) -> None:
        with self.held() as session:
            row = session.get_one(ToolRunRow, (self.id, seq, use_id))
            row.finished_at, row.seconds = self._clock.now(), seconds
            row.result, row.is_error, row.data_bytes = result, is_error, data_bytes

    def spent(self) -> Spent:
        with self._db.transaction() as session:
            return _spent(session, self.id, self._team_id, self._clock.now())

    def reserve(self, decide: Callable[[Spent], Reservation]) -> int:
        with self.held() as session:
            session.execute(text("select pg_advisory_xact_lock(:lock)"), {"lock": locks.SPENDING})
            spent = _spent(session, self.id, self._team_id, self._clock.now())
            wanted = decide(spent)
            call = ModelCall(
                conversation_id=self.id,
                team_id=self._team_id,
                wake_seq=_wake(_messages(session, self.id)).seq,
                last_seq=wanted.last_seq,
                cause=spent.wake_cause,
                attempt=wanted.attempt,
                model=self._frozen.model,
                price_version=wanted.price_version,
                reserved_tokens=wanted.tokens_in,
                reserved_micro_usd=wanted.micro_usd,
                at=self._clock.now(),
            )
            session.add(call)
            session.flush()
            return known(call.id)

    def close_call(self, call_id: int, attempt: Attempt) -> None:
        """Money that was spent is noted whoever holds the conversation by now."""
        with self._db.transaction() as session:
            row = session.get_one(ModelCall, call_id)
            row.outcome, row.seconds, row.is_partial = attempt.outcome, attempt.seconds, attempt.is_partial
            row.stop_reason, row.message_id = attempt.stop_reason, attempt.message_id
            row.request_id, row.cache_miss, row.micro_usd = attempt.request_id, attempt.cache_miss, attempt.micro_usd
            if used := attempt.usage:
                row.fresh, row.write_5m, row.write_1h, row.read = used.fresh, used.write_5m, used.write_1h, used.read
                row.out, row.thinking = used.out, used.thinking

    def last_message_id(self) -> str:
        with self._db.transaction() as session:
            last = _last_answered(session, self.id)
        return last.message_id if last else ""

    @contextmanager
    def held(self) -> Iterator[Session]:
        """A transaction that fails with ConversationTaken once another worker holds the conversation."""
        with self._db.transaction() as session:
            mine = session.execute(
                update(Conversation)
                .where(col(Conversation.id) == self.id, col(Conversation.holder) == self._holder)
                .values(holder=self._holder)
            )
            if mine.rowcount != 1:  # type: ignore[attr-defined] # an UPDATE gives a CursorResult
                raise ConversationTaken(TAKEN)
            yield session


def append(
    session: Session,
    conversation_id: int,
    role: Role,
    content: Sequence[Block],
    cause: MessageCause,
    now: datetime,
    *,
    key: str = "",
    stop_reason: str = "",
) -> bool:
    """Add a row; False where its key was taken in before. Two writers of one row: the second one's insert fails."""
    if key and key in keys(session, conversation_id):
        return False
    written = json.dumps(list(content), ensure_ascii=False)
    session.add(
        MessageRow(
            conversation_id=conversation_id,
            seq=last_seq(session, conversation_id) + 1,
            role=role,
            cause=cause,
            content=written,
            stop_reason=stop_reason,
            key=key,
            at=now,
        )
    )
    session.flush()
    return True


def _messages(session: Session, conversation_id: int) -> list[Message]:
    rows = session.exec(
        select(MessageRow).where(MessageRow.conversation_id == conversation_id).order_by(col(MessageRow.seq))
    )
    return [Message(row.seq, row.role, tuple(json.loads(row.content)), row.cause, row.stop_reason) for row in rows]


def _wake(messages: Sequence[Message]) -> Message:
    return next(message for message in reversed(messages) if message.cause in WAKING)


def _spent(session: Session, conversation_id: int, team_id: str, now: datetime) -> Spent:
    messages = _messages(session, conversation_id)
    wake = _wake(messages)
    last_human = max((one.seq for one in messages if one.cause in HUMAN), default=0)
    calls = list(session.exec(select(ModelCall).where(ModelCall.conversation_id == conversation_id)))
    ours = [call for call in calls if call.wake_seq == wake.seq]
    runs = list(
        session.exec(
            select(ToolRunRow).where(ToolRunRow.conversation_id == conversation_id, col(ToolRunRow.seq) > wake.seq)
        )
    )
    last = _last_answered(session, conversation_id)
    return Spent(
        wake_cause=wake.cause,
        is_first_wake=all(one.seq > wake.seq for one in messages if one.cause is MessageCause.MODEL),
        turns=sum(call.outcome in COUNTED for call in ours),
        turns_since_human=sum(call.outcome in COUNTED and call.last_seq >= last_human for call in calls),
        tokens_in=sum(_tokens(call) for call in ours),
        micro_usd=sum(_cost(call) for call in ours),
        unpriced=sum(call.reserved_micro_usd is None and call.micro_usd is None for call in ours),
        day_micro_usd=_day(session, team_id, now),
        seconds=sum(call.seconds for call in ours) + sum(run.seconds for run in runs),
        data_bytes=sum(run.data_bytes for run in runs),
        last_total_tokens=_tokens(last) + last.out if last else 0,
        last_seq=last.last_seq if last else 0,
    )


def _day(session: Session, team_id: str, now: datetime) -> int:
    midnight = datetime.combine(now.astimezone(UTC).date(), time(), UTC)
    calls = session.exec(select(ModelCall).where(ModelCall.team_id == team_id, col(ModelCall.at) >= midnight))
    return sum(_cost(call) for call in calls)


def _last_answered(session: Session, conversation_id: int) -> ModelCall | None:
    found = select(ModelCall).where(ModelCall.conversation_id == conversation_id, ModelCall.outcome == ANSWERED)
    return session.exec(found.order_by(col(ModelCall.id).desc()).limit(1)).first()


def _tokens(call: ModelCall) -> int:
    """Input tokens; of a call whose end nobody saw, as many as were reserved."""
    measured = call.fresh + call.write_5m + call.write_1h + call.read
    is_unseen = call.outcome == UNDER_WAY or (call.is_partial and not measured)
    return call.reserved_tokens if is_unseen else measured


def _cost(call: ModelCall) -> int:
    """Millionths of a dollar as far as known; of a call whose end nobody saw, and of a broken-off one, the worst."""
    if call.outcome == UNDER_WAY or call.is_partial:
        return call.reserved_micro_usd or 0
    return call.micro_usd or 0
