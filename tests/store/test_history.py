"""What happened is only ever added to, and a change behind our back is found."""

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from bot.store.history import GENESIS, append, entries, first_break
from bot.store.session import Database
from tests.store.rows import NOW

texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), max_size=8)
numbers = st.floats(allow_nan=False, allow_infinity=False)
json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**20), 10**20)
    | st.floats(allow_nan=False, allow_infinity=False)
    | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=6,
)


def write(database: Database, *kinds: str) -> None:
    for kind in kinds:
        with database.transaction() as session:
            append(session, NOW, kind, {"plan": 1, "by": "BOB"})


def broken_at(database: Database) -> int | None:
    with database.transaction() as session:
        return first_break(entries(session))


def behind_our_back(database: Database, statement: str) -> None:
    """What somebody could do who owns the database and switches the rule off."""
    with database.engine.begin() as connection:
        connection.execute(text("alter table history disable trigger history_is_append_only"))
        connection.execute(text(statement))
        connection.execute(text("alter table history enable trigger history_is_append_only"))


def test_an_empty_history_holds(database: Database):
    assert broken_at(database) is None


def test_each_entry_follows_from_the_one_before(database: Database):
    write(database, "plan.proposed", "plan.approve", "run.reported")

    with database.transaction() as session:
        first, second, third = entries(session)
    assert first.previous == GENESIS
    assert (second.previous, third.previous) == (first.hash, second.hash)
    assert broken_at(database) is None


def test_an_entry_is_gone_with_the_transaction_that_it_was_part_of(database: Database):
    write(database, "plan.proposed")
    with pytest.raises(RuntimeError), database.transaction() as session:
        append(session, NOW, "plan.approve", {})
        raise RuntimeError("something else failed")
    write(database, "plan.reject")

    with database.transaction() as session:
        assert [entry.kind for entry in entries(session)] == ["plan.proposed", "plan.reject"]
    assert broken_at(database) is None


def test_many_writers_make_one_chain(database: Database):
    with ThreadPoolExecutor(6) as pool:
        list(pool.map(lambda n: write(database, f"run.{n}"), range(24)))

    with database.transaction() as session:
        assert len(entries(session)) == 24
    assert broken_at(database) is None


@pytest.mark.parametrize(
    "statement",
    ["update history set kind = 'plan.reject'", "delete from history", "truncate history",
     "update history set kind = 'x' where id = -1"],
)  # fmt: skip
def test_the_database_refuses_to_change_what_was_written(database: Database, statement: str):
    write(database, "plan.approve")

    with (
        pytest.raises(DBAPIError, match="the history of Standby is append-only"),
        database.engine.begin() as connection,
    ):
        connection.execute(text(statement))

    assert broken_at(database) is None


TAMPERED = {
    "another kind": ("update history set kind = 'plan.reject' where id = 2", 2),
    "another person": ("""update history set body = '{"plan": 1, "by": "EVE"}' where id = 2""", 2),
    "another time": ("update history set at = at + interval '1 microsecond' where id = 2", 2),
    "a hash made to fit nothing": ("update history set hash = previous where id = 2", 2),
    "one taken out": ("delete from history where id = 2", 3),
    "the first taken out": ("delete from history where id = 1", 2),
    "two changed places": ("update history set id = case id when 2 then 30 else id end where id = 2", 3),
}


@pytest.mark.parametrize("what", TAMPERED)
def test_a_tampered_entry_is_found(database: Database, what: str):
    write(database, "plan.proposed", "plan.approve", "run.reported", "delivery.sent")
    statement, found_at = TAMPERED[what]

    behind_our_back(database, statement)

    assert broken_at(database) == found_at


def test_the_same_instant_in_another_zone_is_the_same_entry(database: Database):
    with database.transaction() as session:
        append(session, NOW.astimezone(timezone(timedelta(hours=9))), "run.reported", {})
    assert broken_at(database) is None
    with database.transaction() as session:
        assert entries(session)[0].at == NOW.replace(tzinfo=UTC)


@given(
    body=st.dictionaries(texts, json_values, max_size=3), at=st.datetimes(datetime(1990, 1, 1), datetime(2090, 1, 1))
)
@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_whatever_is_written_is_read_back_as_it_was_hashed(database: Database, body: dict[str, Any], at: datetime):
    behind_our_back(database, "delete from history")
    with database.transaction() as session:
        append(session, at.replace(tzinfo=UTC), "anything", body)
    assert broken_at(database) is None
