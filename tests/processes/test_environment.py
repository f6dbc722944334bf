"""Each part finds what it needs in its environment, and the model's key is in one of them alone."""

from __future__ import annotations

import pytest

from bot.processes.environment import for_part, plain
from bot.settings import Settings, refuse_model_key

PERSON = {
    "PATH": "/bin",
    "HOME": "/home/alice",
    "HTTPS_PROXY": "http://proxy.example:3128",
    "https_proxy": "http://proxy.example:3128",
    "ANTHROPIC_API_KEY": "sk-ant-1",
    "STANDBY_MODEL_NAME": "large",
    "STANDBY_SLACK_BOT_TOKEN": "xoxb-1",
    "STANDBY_SLACK_APP_TOKEN": "xapp-1",
    "STANDBY_SMTP_PASSWORD": "hush",
    "STANDBY_BOX_API_KEY": "e2b_1",
    "STANDBY_HISTORY_KEY": "sealing",
    "STANDBY_APPROVERS": "U1,U2",
    "STANDBY_DESTINATIONS": '{"lab list": ["lab@example.org"]}',
    "AWS_SECRET_ACCESS_KEY": "of somebody else",
}
REAL = Settings.load(PERSON)
AT_THE_DESK = Settings.load(PERSON | {"STANDBY_SLACK_API_URL": "http://127.0.0.1:1/api/"})


@pytest.mark.parametrize("name", ["bot", "agent", "runner", "clock"])
def test_a_part_reads_the_very_settings_that_it_was_given(name: str) -> None:
    read = Settings.load(for_part(name, REAL, PERSON))
    assert read.approvers == REAL.approvers and read.destinations == REAL.destinations
    assert read.solo is REAL.solo and read.data_dir == REAL.data_dir


@pytest.mark.parametrize("name", ["bot", "runner", "clock"])
def test_no_part_but_the_agent_gets_the_model_key(name: str) -> None:
    refuse_model_key(for_part(name, REAL, PERSON))
    refuse_model_key(plain(PERSON))


def test_the_agent_gets_the_model_key_and_nothing_of_strangers() -> None:
    given = for_part("agent", REAL, PERSON)
    assert given["ANTHROPIC_API_KEY"] == "sk-ant-1" and given["STANDBY_MODEL_NAME"] == "large"
    assert "AWS_SECRET_ACCESS_KEY" not in given


@pytest.mark.parametrize(
    "name, secrets",
    [
        ("bot", {"xoxb-1", "xapp-1"}),
        ("agent", {"xoxb-1", "e2b_1"}),
        ("runner", {"xoxb-1", "e2b_1", "hush"}),
        ("clock", set()),
    ],
)
def test_each_part_holds_its_own_secrets_alone(name: str, secrets: set[str]) -> None:
    held = set(for_part(name, REAL, PERSON).values()) & {"xoxb-1", "xapp-1", "e2b_1", "hush", "sealing"}
    assert held == {*secrets, "sealing"}  # with which every part seals the history


def test_to_the_desk_nobody_goes_through_a_proxy_but_the_agent_still_knows_it_for_the_model() -> None:
    for name in ("bot", "agent", "runner", "clock"):
        given = for_part(name, AT_THE_DESK, PERSON)
        assert not {"HTTPS_PROXY", "https_proxy"} & set(given)
    assert for_part("agent", AT_THE_DESK, PERSON)["STANDBY_MODEL_PROXY"] == "http://proxy.example:3128"


def test_to_slack_itself_the_proxy_stays_and_this_computer_is_excepted() -> None:
    given = for_part("bot", REAL, PERSON)
    assert given["HTTPS_PROXY"] == "http://proxy.example:3128" and "127.0.0.1" in given["NO_PROXY"]
