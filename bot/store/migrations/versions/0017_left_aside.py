"""Files that were posted for a slot and are no input of it, so that its report can say so."""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "left_aside",
        sa.Column("slot_id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(["slot_id"], ["slot.id"]),
        sa.PrimaryKeyConstraint("slot_id", "name"),
    )
