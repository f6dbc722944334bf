"""The settings of a Standby in many workspaces: all that is needed, nothing that leads from one into another."""

from __future__ import annotations

import pytest
from psycopg.conninfo import conninfo_to_dict

from bot.processes.environment import for_part
from bot.processes.many import check
from bot.processes.way_in import WayIn, way_in
from bot.settings import Settings, SettingsError
from bot.store.schemas import address_of, schema_of
from bot.store.session import Database, libpq_url
from bot.store.vault import new_key

WHOLE = {
    "STANDBY_SLACK_CLIENT_ID": "1.2",
    "STANDBY_SLACK_CLIENT_SECRET": "c",
    "STANDBY_SLACK_SIGNING_SECRET": "s",
    "STANDBY_PUBLIC_URL": "https://standby.example.org",
    "STANDBY_TOKEN_KEYS": new_key(),
}


def test_with_all_that_is_needed_it_is_installed_from_a_page() -> None:
    assert way_in(Settings.load(WHOLE)) is WayIn.INSTALLED


@pytest.mark.parametrize("name", [name for name in WHOLE if name != "STANDBY_SLACK_CLIENT_ID"])
def test_what_is_missing_is_named(name: str) -> None:
    with pytest.raises(SettingsError, match=name):
        check(Settings.load({one: value for one, value in WHOLE.items() if one != name}))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("SLACK_BOT_TOKEN", "xoxb-1"),
        ("SLACK_APP_TOKEN", "xapp-1"),
        ("APPROVERS", "U1"),
        ("SOLO", "true"),
        ("DESTINATIONS", '{"lab list": ["lab@example.org"]}'),
        ("ALLOWED_MAIL_DOMAINS", "example.org"),
        ("SOURCES", '{"share": {"root": "/srv/lab/"}}'),
    ],
)
def test_what_would_hold_for_every_workspace_is_refused(name: str, value: str) -> None:
    with pytest.raises(SettingsError, match=f"STANDBY_{name}"):
        check(Settings.load({**WHOLE, f"STANDBY_{name}": value}))


def test_what_belongs_to_one_workspace_reaches_the_parts_that_need_it_and_no_other() -> None:
    own = '{"T1": {"approvers": ["U1"], "sources": {"share": {"root": "s3://a/", "password": "a secret"}}}}'
    settings = Settings.load({**WHOLE, "STANDBY_WORKSPACES": own})
    for part in ("bot", "agent", "runner"):
        again = Settings.load({k: v for k, v in for_part(part, settings, {}).items() if k.startswith("STANDBY_")})
        assert again.workspaces["T1"].sources["share"].password.get_secret_value() == "a secret"
        assert again.token_keys == settings.token_keys
    assert "a secret" not in str(for_part("clock", settings, {}))
    assert not {"STANDBY_TOKEN_KEYS", "STANDBY_SLACK_CLIENT_SECRET"} & for_part("clock", settings, {}).keys()


@pytest.mark.parametrize("team", ["", "t1", "public", 'T1"; drop schema public', "T" + "A" * 60, "T1 A", "pg_catalog"])
def test_a_schema_is_named_after_an_id_of_slacks_and_after_nothing_else(team: str) -> None:
    with pytest.raises(ValueError, match="no id of a workspace"):
        schema_of(team)


@pytest.mark.parametrize("url", ["postgresql://u:p%40ss@h/db", "postgresql://h/db?options=-cstatement_timeout%3D5"])
def test_an_address_of_a_schema_keeps_all_else(url: str) -> None:
    db = Database(address_of(url, "ws_t1"))
    assert ("p%40ss" in db.url) == ("p%40ss" in url) and ("statement_timeout" in db.url) == ("timeout" in url)
    assert "-csearch_path=ws_t1" in conninfo_to_dict(libpq_url(db.url))["options"].split(" ")  # as the queue reads it
    db.close()
