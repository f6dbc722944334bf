"""Settings say what is wrong with them, in words, and show no secret."""

from __future__ import annotations

import io
import os
from pathlib import Path

import pytest
from rich.console import Console

from bot.processes.running import ProcessMark, Running
from bot.processes.settings_table import as_markdown, show
from bot.settings import PREFIX, Settings, SettingsError, refuse_model_key
from bot.settings_table import table, unknown


def test_with_nothing_set_everything_runs_on_this_computer_and_nobody_may_approve() -> None:
    settings = Settings.load({})
    assert settings.database_url == "" and not settings.box_api_key and settings.approvers == ()


def test_lists_are_written_with_commas_and_destinations_as_json() -> None:
    settings = Settings.load(
        {
            "STANDBY_APPROVERS": "U1, S2",
            "STANDBY_DESTINATIONS": '{"lab list": ["a@lab.example", "b@lab.example"]}',
            "STANDBY_DATA_DIR": "~/standby",
        }
    )
    assert settings.approvers == ("U1", "S2")
    assert settings.destinations == {"lab list": ("a@lab.example", "b@lab.example")}
    assert settings.data_dir == Path.home() / "standby"


def test_the_table_for_documents_names_each_setting_once_and_no_value() -> None:
    lines = as_markdown().splitlines()
    assert [line.split("`")[1] for line in lines[2:]] == [PREFIX + name.upper() for name in Settings.model_fields]
    assert all(line.count("|") - line.count(r"\|") == 4 for line in lines)


@pytest.mark.parametrize("value", ["xoxb-your-token", "<paste the token>", "xoxb-xxxx", "changeme", "TODO", "xoxb-..."])
def test_a_placeholder_is_refused_and_the_variable_named(value: str) -> None:
    with pytest.raises(SettingsError, match="STANDBY_SLACK_BOT_TOKEN still holds a placeholder"):
        Settings.load({"STANDBY_SLACK_BOT_TOKEN": value})


def test_tokens_in_each_others_place_are_told_apart() -> None:
    with pytest.raises(SettingsError, match="another kind of Slack token"):
        Settings.load({"STANDBY_SLACK_BOT_TOKEN": "xapp-1-A1-2-abc"})


@pytest.mark.parametrize(
    "name, value, says",
    [
        ("DESTINATIONS", "{", "write it like"),
        ("DATABASE_URL", "sqlite:///x.db", "PostgreSQL only"),
        ("DEFAULT_TIME", "7am", "STANDBY_DEFAULT_TIME"),
        ("SMTP_PORT", "0", "STANDBY_SMTP_PORT"),
        ("HEARTBEAT_S", "10", "at least three times"),
    ],
)
def test_a_value_that_cannot_be_used_is_told_in_words(name: str, value: str, says: str) -> None:
    with pytest.raises(SettingsError, match=says):
        Settings.load({f"STANDBY_{name}": value})


def test_the_table_shows_every_setting_and_no_secret() -> None:
    settings = Settings.load(
        {
            "STANDBY_SLACK_BOT_TOKEN": "xoxb-12-opensesame",
            "STANDBY_SMTP_PASSWORD": "hush",
            "STANDBY_DATABASE_URL": "postgresql://standby:opensesame@db/standby",
        }
    )
    lines = list(table(settings))
    assert [line.variable for line in lines] == [f"STANDBY_{n.upper()}" for n in Settings.model_fields]
    assert all(line.meaning.endswith(".") for line in lines)
    shown = repr(lines) + repr(settings)
    assert "opensesame" not in shown and "hush" not in shown


def test_a_misspelt_variable_is_pointed_out() -> None:
    assert list(unknown({"STANDBY_APROVERS": "U1", "STANDBY_SOLO": "yes"})) == [
        "STANDBY_APROVERS is no setting of Standby; did you mean STANDBY_APPROVERS?"
    ]


@pytest.mark.parametrize("name", ["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "STANDBY_MODEL_KEY"])
def test_what_runs_on_schedule_refuses_to_hold_a_model_key(name: str) -> None:
    with pytest.raises(SettingsError, match=f"{name} is set here"):
        refuse_model_key({name: "k", "PATH": "/bin"})
    refuse_model_key({name: "", "PATH": "/bin", "STANDBY_MODEL_NAME": "large"})


def shown(data_dir: Path, columns: int) -> str:
    terminal = io.StringIO()
    show({"STANDBY_DATA_DIR": str(data_dir)}, Console(file=terminal, width=columns))
    return terminal.getvalue()


@pytest.mark.parametrize("columns", [40, 80, 129, 200])
def test_no_name_is_cut_on_any_terminal(columns: int, tmp_path: Path) -> None:
    words = shown(tmp_path, columns).split()
    assert [name for name in Settings.model_fields if f"STANDBY_{name.upper()}" not in words] == []


@pytest.mark.parametrize("columns", [80, 200])
def test_what_a_running_up_decided_otherwise_is_said(columns: int, tmp_path: Path) -> None:
    assert "U0BOB000001" not in shown(tmp_path, columns)
    Running(ProcessMark.of("up", os.getpid()), "", {"STANDBY_APPROVERS": "U0BOB000001"}).write(tmp_path)
    assert "U0BOB000001" in shown(tmp_path, columns)
