"""The team's own proven plans, found by their words."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0015"
down_revision = "0013"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "proven",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("team_id", sa.String(), nullable=False),
        sa.Column("fingerprint", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("routine_id", sa.Integer(), nullable=True),
        sa.Column("approved_by", sa.String(), nullable=False),
        sa.Column("author_id", sa.String(), nullable=False),
        sa.Column("words", sa.String(), nullable=False),
        sa.Column(
            "found_by",
            postgresql.TSVECTOR(),
            sa.Computed("to_tsvector('english', words)", persisted=True),
            nullable=True,
        ),
        sa.Column("plan_py", sa.LargeBinary(), nullable=False),
        sa.Column("report_md", sa.LargeBinary(), nullable=False),
        sa.Column("plan_toml", sa.LargeBinary(), nullable=False),
        sa.Column("shape_json", sa.LargeBinary(), nullable=False),
        sa.Column("clean_runs", sa.Integer(), nullable=False),
        sa.Column("last_good_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("entered_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["routine_id"], ["routine.id"]),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("team_id", "fingerprint"),
    )
    op.create_index("ix_proven_found_by", "proven", ["found_by"], unique=False, postgresql_using="gin")
    op.create_index(op.f("ix_proven_routine_id"), "proven", ["routine_id"], unique=False)
