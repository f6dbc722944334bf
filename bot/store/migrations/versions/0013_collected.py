"""Files that are taken from sources, and how often a source was asked in vain."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "collected",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("slot_id", sa.Integer(), nullable=True),
        sa.Column("task_id", sa.Integer(), nullable=True),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("address", sa.String(), nullable=False),
        sa.Column("mark", sa.String(), nullable=False),
        sa.Column("sha256", sa.String(), nullable=False),
        sa.Column("size_bytes", sa.BigInteger(), nullable=False),
        sa.Column("taken_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["slot_id"], ["slot.id"]),
        sa.ForeignKeyConstraint(["task_id"], ["task.id"]),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("slot_id", "name"),
        sa.UniqueConstraint("task_id", "name"),
    )
    op.create_index(op.f("ix_collected_sha256"), "collected", ["sha256"], unique=False)
    op.add_column("slot", sa.Column("collected_at", sa.DateTime(timezone=True), nullable=True))
    op.add_column("run", sa.Column("source_tries", sa.Integer(), nullable=False, server_default="0"))
