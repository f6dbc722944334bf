"""Cards that remind once, and buttons that count for one person only."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("card", sa.Column("reminded_at", sa.DateTime(timezone=True), nullable=True))
    op.add_column("press", sa.Column("person_id", sa.String(), nullable=False, server_default=""))
    op.alter_column("press", "person_id", server_default=None)
