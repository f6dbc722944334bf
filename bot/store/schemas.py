"""A schema for each workspace: a connection of one sees nothing of the other, whatever a query asks for."""

import re

from sqlalchemy import create_engine, text
from sqlalchemy.engine import make_url

from bot.store.migrate import migrate
from bot.store.session import sqlalchemy_url


def schema_of(team_id: str) -> str:
    """The schema of a workspace: `ws_t0lab000001`. Raises ValueError for what is no id of Slack's."""
    if not re.fullmatch(r"[TE][A-Z0-9]{2,30}", team_id):
        raise ValueError(f"{team_id!r} is no id of a workspace")
    return f"ws_{team_id.lower()}"


def address_of(url: str, schema: str) -> str:
    """The database's address for connections that see this schema and no other, our tables and the queue's alike."""
    whole = make_url(sqlalchemy_url(url))
    before = whole.query.get("options", "")
    options = f"{before if isinstance(before, str) else ' '.join(before)} -csearch_path={schema}".strip()
    rendered = whole.set(query={**whole.query, "options": options}).render_as_string(hide_password=False)
    address, mark, query = rendered.partition("?")
    return f"{address}{mark}{query.replace('+', '%20')}"  # to libpq a plus is a plus


def make(url: str, schema: str) -> None:
    """Make the schema, and bring it to this release; what is there already stays. Raises SchemaNewer."""
    engine = create_engine(sqlalchemy_url(url))
    try:
        with engine.begin() as connection:
            connection.execute(text(f'create schema if not exists "{schema}"'))
    finally:
        engine.dispose()
    migrate(address_of(url, schema))
