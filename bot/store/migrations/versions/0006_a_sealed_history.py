"""Entries of the history bear a seal; those from before have none, and the next start seals them with one entry."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("history", sa.Column("seal", sa.String(), nullable=False, server_default=""))
    op.alter_column("history", "seal", server_default=None)
