"""Conversations with the model, and the rule that a transcript is only ever added to."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

RULES = (
    """
create function refuse_transcript_change() returns trigger language plpgsql as $$
begin
    raise exception 'a transcript is append-only';
end $$
""",
    """
create trigger message_is_append_only before update or delete or truncate on message
for each statement execute function refuse_transcript_change()
""",
    """
create function refuse_thaw() returns trigger language plpgsql as $$
begin
    if tg_op = 'DELETE' or (to_jsonb(new) - 'holder') <> (to_jsonb(old) - 'holder') then
        raise exception 'what a conversation sends is frozen';
    end if;
    return new;
end $$
""",
    """
create trigger conversation_is_frozen before update or delete on conversation
for each row execute function refuse_thaw()
""",
)


def upgrade() -> None:
    op.create_table(
        "conversation",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("task_id", sa.Integer(), nullable=False),
        sa.Column("team_id", sa.String(), nullable=False),
        sa.Column("model", sa.String(), nullable=False),
        sa.Column("effort", sa.String(), nullable=False),
        sa.Column("max_tokens", sa.Integer(), nullable=False),
        sa.Column("system", sa.Text(), nullable=False),
        sa.Column("tools", sa.Text(), nullable=False),
        sa.Column("prompt_version", sa.String(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("holder", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(["task_id"], ["task.id"]),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("task_id"),
    )
    op.create_index(op.f("ix_conversation_team_id"), "conversation", ["team_id"], unique=False)
    op.create_table(
        "message",
        sa.Column("conversation_id", sa.Integer(), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("role", sa.String(length=40), nullable=False),
        sa.Column("cause", sa.String(length=40), nullable=False),
        sa.Column("content", sa.Text(), nullable=False),
        sa.Column("stop_reason", sa.String(), nullable=False),
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["conversation_id"], ["conversation.id"]),
        sa.PrimaryKeyConstraint("conversation_id", "seq"),
    )
    op.create_index(
        "one_message_per_key",
        "message",
        ["conversation_id", "key"],
        unique=True,
        postgresql_where=sa.text("key <> ''"),
    )
    op.create_table(
        "tool_run",
        sa.Column("conversation_id", sa.Integer(), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("use_id", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("started_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("finished_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("seconds", sa.Float(), nullable=False),
        sa.Column("result", sa.String(), nullable=False),
        sa.Column("is_error", sa.Boolean(), nullable=False),
        sa.Column("data_bytes", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["conversation_id", "seq"], ["message.conversation_id", "message.seq"]),
        sa.PrimaryKeyConstraint("conversation_id", "seq", "use_id"),
    )
    op.create_table(
        "model_call",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("conversation_id", sa.Integer(), nullable=False),
        sa.Column("team_id", sa.String(), nullable=False),
        sa.Column("wake_seq", sa.Integer(), nullable=False),
        sa.Column("last_seq", sa.Integer(), nullable=False),
        sa.Column("cause", sa.String(length=40), nullable=False),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("model", sa.String(), nullable=False),
        sa.Column("price_version", sa.String(), nullable=False),
        sa.Column("reserved_tokens", sa.Integer(), nullable=False),
        sa.Column("reserved_micro_usd", sa.BigInteger(), nullable=True),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("outcome", sa.String(), nullable=False),
        sa.Column("seconds", sa.Float(), nullable=False),
        sa.Column("fresh", sa.Integer(), nullable=False),
        sa.Column("write_5m", sa.Integer(), nullable=False),
        sa.Column("write_1h", sa.Integer(), nullable=False),
        sa.Column("read", sa.Integer(), nullable=False),
        sa.Column("out", sa.Integer(), nullable=False),
        sa.Column("thinking", sa.Integer(), nullable=False),
        sa.Column("is_partial", sa.Boolean(), nullable=False),
        sa.Column("micro_usd", sa.BigInteger(), nullable=True),
        sa.Column("stop_reason", sa.String(), nullable=False),
        sa.Column("message_id", sa.String(), nullable=False),
        sa.Column("request_id", sa.String(), nullable=False),
        sa.Column("cache_miss", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(["conversation_id"], ["conversation.id"]),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index(op.f("ix_model_call_conversation_id"), "model_call", ["conversation_id"], unique=False)
    op.create_index(op.f("ix_model_call_at"), "model_call", ["at"], unique=False)
    op.create_table(
        "draft_file",
        sa.Column("conversation_id", sa.Integer(), nullable=False),
        sa.Column("path", sa.String(), nullable=False),
        sa.Column("body", sa.LargeBinary(), nullable=False),
        sa.Column("written_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["conversation_id"], ["conversation.id"]),
        sa.PrimaryKeyConstraint("conversation_id", "path"),
    )
    op.create_table(
        "proposal",
        sa.Column("conversation_id", sa.Integer(), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("use_id", sa.String(), nullable=False),
        sa.Column("files", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column("rehearsal", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column("made_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("settled_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["conversation_id", "seq"], ["message.conversation_id", "message.seq"]),
        sa.PrimaryKeyConstraint("conversation_id", "seq", "use_id"),
    )
    for rule in RULES:
        op.execute(rule)
