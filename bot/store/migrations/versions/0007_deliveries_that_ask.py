"""Buttons on unknown deliveries, approvers who stand for those who left; two columns that nothing reads are gone."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("press", sa.Column("delivery_id", sa.Integer(), nullable=True))
    op.add_column("routine", sa.Column("vouched_by", sa.String(), nullable=False, server_default=""))
    op.alter_column("routine", "vouched_by", server_default=None)
    op.add_column("routine", sa.Column("ping_url", sa.String(), nullable=False, server_default=""))
    op.alter_column("routine", "ping_url", server_default=None)
    op.add_column("delivery", sa.Column("key", sa.String(), nullable=False, server_default=""))
    op.alter_column("delivery", "key", server_default=None)
    op.execute("update delivery set key = id::text")  # as they were called until now
    op.create_table(
        "turn",
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("next_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("name"),
    )
    op.drop_column("run", "kind")
    op.drop_column("run", "box_id")
