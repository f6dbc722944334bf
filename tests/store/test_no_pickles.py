"""Nothing in the database is code: no pickles, no library's own store, and bytes where we mean bytes."""

from __future__ import annotations

import ast

from bot.store.session import Database
from bot.store.tables import METADATA
from tests.architecture.repository import ROOMS, sources, text

# What turns bytes into objects, or keeps them so.
MAKERS = ("pickle", "cPickle", "dill", "cloudpickle", "marshal", "shelve", "joblib", "apscheduler.jobstores")
COPIES = ("plan_py", "report_md", "plan_toml", "shape_json")  # of plans, in the team's own catalogue
BYTES = {
    ("plan_file", "body"),
    ("draft_file", "body"),
    ("installation", "tokens"),
    *(("proven", name) for name in COPIES),
}


def test_DB_06_no_source_of_ours_can_read_or_write_a_pickle() -> None:
    found = {(str(path), name) for path in sources(*ROOMS) for name in _imported(path)}

    assert len(found) > 1000
    assert [one for one in found if one[1].startswith(MAKERS)] == []


def test_DB_06_no_column_holds_bytes_but_those_of_plans_and_drafts(database: Database) -> None:
    query = "select table_name, column_name from information_schema.columns where table_schema = 'public'"
    with database.engine.connect() as connection:
        columns = {tuple(row) for row in connection.exec_driver_sql(f"{query} and udt_name = 'bytea'")}
        jobstores = connection.exec_driver_sql(f"{query} and table_name ilike 'apscheduler%%'").all()

    assert columns == BYTES
    assert jobstores == []


def test_DB_06_no_column_is_declared_as_objects() -> None:
    kinds = {type(column.type).__name__ for table in METADATA.sorted_tables for column in table.columns}

    assert not [kind for kind in kinds if "Pickle" in kind]


def _imported(path: object) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(ast.parse(text(path))):  # type: ignore[arg-type] # the repository's own paths
        if isinstance(node, ast.Import):
            names |= {one.name for one in node.names}
        elif isinstance(node, ast.ImportFrom):
            names |= {f"{node.module}.{one.name}" for one in node.names}
    return names
