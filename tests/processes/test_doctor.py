"""The doctor says in one line what is wrong with a part, and in another what to do."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
import pytest

from bot.processes.checks import Finding
from bot.processes.doctor import examine
from bot.store import locks
from tests.fakes.model_api import ModelApi


@pytest.fixture
def closed_port() -> Iterator[int]:
    """A port on which nobody answers while the test runs."""
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        yield bound.getsockname()[1]


def findings(data_dir: Path, **settings: str) -> dict[str, Finding]:
    environ = {f"STANDBY_{name}": value for name, value in settings.items()}
    return {finding.part: finding for finding in examine({"STANDBY_DATA_DIR": str(data_dir), **environ})}


def test_on_a_machine_where_nothing_was_set_up_it_names_what_is_missing_and_makes_nothing(data_dir: Path) -> None:
    found = findings(data_dir)
    assert {part for part, finding in found.items() if not finding.ok} == {
        *("standby", "boxes", "slack", "way in", "approvers")
    }
    assert next(iter(found)) == "standby" and found["standby"].says.startswith("Standby is not running")
    assert all(finding.todo for finding in found.values() if not finding.ok)
    assert not data_dir.exists()


def test_a_setting_that_cannot_be_used_is_the_only_line(data_dir: Path) -> None:
    (finding,) = findings(data_dir, SMTP_PORT="many").values()
    assert not finding.ok and "STANDBY_SMTP_PORT" in finding.todo


def test_a_misspelt_variable_is_a_problem(data_dir: Path) -> None:
    assert "did you mean STANDBY_APPROVERS" in findings(data_dir, APROVERS="U1")["settings"].says


def test_an_empty_list_of_approvers_means_that_nobody_can_approve(data_dir: Path) -> None:
    assert "nobody can approve" in findings(data_dir)["approvers"].says


def test_a_database_without_this_versions_schema_is_told_to_migrate(
    data_dir: Path, fresh_database: Callable[[], str]
) -> None:
    url = fresh_database()
    assert findings(data_dir, DATABASE_URL=url)["database"].ok
    with psycopg.connect(url.replace("+psycopg", ""), autocommit=True) as connection:
        connection.execute("DELETE FROM alembic_version")
    found = findings(data_dir, DATABASE_URL=url)["database"]
    assert not found.ok and found.todo == "Run `standby migrate`."


def test_a_database_that_does_not_answer_is_told_without_its_password(data_dir: Path, closed_port: int) -> None:
    url = f"postgresql://standby:opensesame@127.0.0.1:{closed_port}/standby"
    found = findings(data_dir, DATABASE_URL=url)["database"]
    assert not found.ok and "does not answer" in found.says and "opensesame" not in repr(found)


def test_without_a_clock_process_nothing_would_start_by_itself(data_dir: Path, database_url: str) -> None:
    assert "no clock process runs" in findings(data_dir, DATABASE_URL=database_url)["clock"].says
    with psycopg.connect(database_url.replace("+psycopg", ""), autocommit=True) as leader:
        leader.execute("SELECT pg_advisory_lock(%s)", (locks.LEADER,))
        assert findings(data_dir, DATABASE_URL=database_url)["clock"].ok


def test_a_clock_that_tells_no_time_is_a_problem(data_dir: Path, closed_port: int) -> None:
    assert "tells no time" in findings(data_dir, CLOCK_URL=f"http://127.0.0.1:{closed_port}/clock")["clock"].says


def test_destinations_without_a_mail_server_are_a_problem(data_dir: Path) -> None:
    assert findings(data_dir)["mail"].ok
    assert not findings(data_dir, DESTINATIONS='{"lab list": ["lab@example.org"]}')["mail"].ok


def test_a_mail_server_that_does_not_answer_is_named(data_dir: Path, closed_port: int) -> None:
    found = findings(data_dir, SMTP_HOST="127.0.0.1", SMTP_PORT=str(closed_port), MAIL_FROM="bot@example.org")["mail"]
    assert not found.ok and f"127.0.0.1:{closed_port} does not take mail" in found.says


def test_boxes_that_do_not_answer_are_no_sealed_boxes(data_dir: Path, closed_port: int) -> None:
    url = f"http://127.0.0.1:{closed_port}"
    assert not findings(data_dir, BOX_API_KEY="e2b_0123456789abcdef", BOX_API_URL=url, BOX_SANDBOX_URL=url)["boxes"].ok


def test_slack_that_does_not_answer_is_told_with_its_address(data_dir: Path, closed_port: int) -> None:
    url = f"http://127.0.0.1:{closed_port}/api/"
    found = findings(data_dir, SLACK_API_URL=url, SLACK_BOT_TOKEN="xoxb-1-2")["slack"]
    assert not found.ok and f"no answer from {url}" in found.says


def queued(database_url: str, due: str, *names: str) -> psycopg.Connection[tuple[object, ...]]:
    """These jobs in the queue, due at an SQL instant; returns the connection that put them there."""
    connection = psycopg.connect(database_url.replace("+psycopg", ""), autocommit=True)
    for name in names:
        connection.execute(
            "INSERT INTO procrastinate_jobs (queue_name, task_name, args, scheduled_at) "
            f"VALUES ('runner', %s, '{{}}', {due})",
            (name,),
        )
    return connection


def test_jobs_that_failed_are_a_problem(data_dir: Path, database_url: str) -> None:
    with queued(database_url, "NULL", "tell", "resume") as connection:
        assert findings(data_dir, DATABASE_URL=database_url)["queue"].ok
        for status in ("doing", "failed"):
            connection.execute(f"UPDATE procrastinate_jobs SET status = '{status}'")
    found = findings(data_dir, DATABASE_URL=database_url)["queue"]
    assert not found.ok and found.says == "2 jobs failed in the last day (newest: resume, tell)" and found.todo


def test_jobs_that_nobody_takes_are_a_problem(data_dir: Path, database_url: str) -> None:
    with queued(database_url, "now() - interval '5 minutes'", "tell"):
        found = findings(data_dir, DATABASE_URL=database_url)["queue"]
    assert not found.ok and found.says == "1 job waiting for more than 2 minutes (newest: tell)" and found.todo


def test_a_job_for_later_is_no_problem(data_dir: Path, database_url: str) -> None:
    with queued(database_url, "now() + interval '1 hour'", "tell"):
        assert findings(data_dir, DATABASE_URL=database_url)["queue"].ok


def model_finding(data_dir: Path, **variables: str) -> Finding:
    return {one.part: one for one in examine({"STANDBY_DATA_DIR": str(data_dir), **variables})}["model"]


def test_without_a_key_it_says_that_plans_come_from_the_library(data_dir: Path) -> None:
    found = model_finding(data_dir)
    assert found.ok and "library alone" in found.says and "ANTHROPIC_API_KEY" in found.todo


@pytest.mark.parametrize(
    ("life", "ok", "words"),
    [
        ({"lifecycle": "active"}, True, "key set): answers, active"),
        ({"lifecycle": "deprecated", "retires_at": "2027-01-22T00:00:00Z"}, True, "retired on 2027-01-22"),
        ({"lifecycle": "retired"}, False, "it is retired"),
        ({}, True, "answers; at most $0.50 a draft"),
    ],
)
def test_a_model_that_answers_is_told_with_where_it_is_in_its_life(
    data_dir: Path, life: dict[str, str], ok: bool, words: str
) -> None:
    with ModelApi().running() as api:
        api.lifecycles["claude-sonnet-5-5"] = life
        found = model_finding(data_dir, ANTHROPIC_API_KEY=api.key, STANDBY_MODEL_BASE_URL=api.url)
    assert found.ok == ok and words in f"{found.says} {found.todo}" and api.key not in repr(found)


def test_a_refused_key_and_an_unknown_model_are_problems(data_dir: Path, closed_port: int) -> None:
    with ModelApi().running() as api:
        url = {"STANDBY_MODEL_BASE_URL": api.url}
        assert "refused" in model_finding(data_dir, ANTHROPIC_API_KEY="sk-ant-another-0123456789", **url).says
        assert not model_finding(data_dir, ANTHROPIC_API_KEY=api.key, STANDBY_MODEL_NAME="claude-9", **url).ok
    away = {"STANDBY_MODEL_BASE_URL": f"http://127.0.0.1:{closed_port}"}
    assert "no answer" in model_finding(data_dir, ANTHROPIC_API_KEY="sk-ant-another-0123456789", **away).says


def test_a_misspelt_setting_of_the_model_is_a_problem(data_dir: Path) -> None:
    assert "STANDBY_MODEL_TURN is no setting" in model_finding(data_dir, STANDBY_MODEL_TURN="3").todo
