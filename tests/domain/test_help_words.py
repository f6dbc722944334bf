"""What Standby is asked about itself is told apart from what it is to do."""

import pytest

from bot.domain.help_words import asks_for_help, script_named


@pytest.mark.parametrize(
    "said",
    ["what can you do?", "What can you do", "help", "<@U1> help me please", "hello, how does this work?", "?"],
)
def test_a_question_about_standby_asks_for_help(said: str) -> None:
    assert asks_for_help(said)


@pytest.mark.parametrize(
    "said",
    [
        "",
        "what can you do about the errors in mill.log?",
        "help the lab list: every Monday count errors",
        "every Monday",
    ],
)
def test_a_wish_is_no_question_about_standby(said: str) -> None:
    assert not asks_for_help(said)


@pytest.mark.parametrize(
    ("said", "name"),
    [
        ("use my script count.py", "count.py"),
        ("please run it with `my-count.py` instead", "my-count.py"),
        ("the rows of count.py.log", ""),
        ("count.py", ""),
    ],
)
def test_a_script_that_is_to_be_used_is_named(said: str, name: str) -> None:
    assert script_named(said) == name
