"""What was hidden in texts and documents becomes columns: kinds of what is said, guides, the wish for a model."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0006"
branch_labels = None
depends_on = None

# Rows that no message in the workspace stands behind had a ts that said where they came from.
KINDS = """
update said set kind = 'form', ts = null where ts like 'press:%';
update said set kind = 'change', amends_id = split_part(ts, ':', 2)::int, ts = null,
    text = case when text = '(took a reply back)' then '' else regexp_replace(text, '^edited: ', '') end
    where ts like 'change:%';
"""
GUIDES = """
update plan set guides = array(select jsonb_array_elements_text(guides_document -> 'ids'))
    where guides_document ? 'ids';
"""
WISHES = "update task set wants_model = true, answers = answers - 'by model' where answers ? 'by model';"


def upgrade() -> None:
    op.add_column("said", sa.Column("kind", sa.String(40), nullable=False, server_default="reply"))
    op.add_column("said", sa.Column("amends_id", sa.Integer(), sa.ForeignKey("said.id"), nullable=True))
    op.alter_column("said", "ts", nullable=True)
    op.execute(KINDS)
    op.alter_column("said", "kind", server_default=None)

    op.alter_column("plan", "guides", new_column_name="guides_document")
    op.add_column("plan", sa.Column("guides", sa.ARRAY(sa.String()), nullable=False, server_default="{}"))
    op.execute(GUIDES)
    op.drop_column("plan", "guides_document")
    op.alter_column("plan", "guides", server_default=None)

    op.add_column("task", sa.Column("wants_model", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.execute(WISHES)
    op.alter_column("task", "wants_model", server_default=None)
