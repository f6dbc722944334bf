"""STANDBY_SOURCES: strict, with roots that end where they say, and logins that nothing shows."""

import json

import pytest

from bot.processes.environment import for_part
from bot.settings import Settings, SettingsError
from bot.settings_table import table

ARCHIVE = {"root": "s3://lab-archive/logs", "user": "AKIA1", "password": "pw-secret"}


def _loaded(**sources: object) -> Settings:
    return Settings.load({"STANDBY_SOURCES": json.dumps(sources)})


def test_a_root_ends_with_a_slash() -> None:
    one = _loaded(archive=ARCHIVE).sources["archive"]
    assert one.covers("s3://lab-archive/logs/a.csv")
    assert not one.covers("s3://lab-archive/logs-private/a.csv")


def test_only_agent_and_runner_are_told_and_nothing_shows_a_login() -> None:
    settings = _loaded(archive=ARCHIVE)
    for part in ("bot", "agent", "runner", "clock"):
        told = for_part(part, settings, {})
        assert ("STANDBY_SOURCES" in told) is (part in ("agent", "runner"))
        if "STANDBY_SOURCES" in told:
            assert Settings.load(told).sources == settings.sources
    shown = "".join(line.now for line in table(settings))
    assert "archive: s3://lab-archive/logs/" in shown
    assert "pw-secret" not in shown + repr(settings) + str(settings)


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ({"root": "ftp://example.org/"}, "no address that begins with"),
        ({"root": "https://user:pw-secret@example.org/"}, "holds a login"),
        ({"root": "https://*.example.org/"}, "spelled out"),
        ({"root": "https://example.org/../"}, "spelled out"),
        ({"root": "http://example.org/"}, "anybody on the way"),
        ({"root": "sftp://example.org/"}, "needs host_key"),
        ({"root": "https://example.org/", "tokn": "x"}, "tokn"),
        ({"root": "https://example.org/", "token": "your-token-here"}, "placeholder"),
    ],
)
def test_what_cannot_be_meant_is_refused_by_name_and_shows_no_login(source: dict[str, str], said: str) -> None:
    with pytest.raises(SettingsError) as refused:
        _loaded(archive=source)
    assert "STANDBY_SOURCES" in str(refused.value)
    assert said in str(refused.value)
    assert "pw-secret" not in str(refused.value)


def test_no_json_and_no_name() -> None:
    with pytest.raises(SettingsError, match="STANDBY_SOURCES is no JSON"):
        Settings.load({"STANDBY_SOURCES": "s3://x"})
    with pytest.raises(SettingsError, match="lower-case words"):
        _loaded(**{"My Archive": ARCHIVE})
