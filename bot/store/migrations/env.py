"""Alembic's entry: runs on the connection that bot.store.migrate holds, lock included."""

from alembic import context

from bot.store.tables import METADATA

context.configure(connection=context.config.attributes["connection"], target_metadata=METADATA)
with context.begin_transaction():
    context.run_migrations()
