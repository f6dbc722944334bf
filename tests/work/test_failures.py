"""What people are told of an error that nothing could get over: our own words, and else where its reason stands."""

from __future__ import annotations

import errno

from bot.domain.errors import ChatRefused
from bot.work.failures import in_words
from sandbox.errors import BoxLost


def test_errors_of_ours_are_sentences_already_and_hold_no_secret() -> None:
    assert in_words(ChatRefused("The channel is archived.")) == "The channel is archived."
    assert in_words(BoxLost("The box is gone.")) == "The box is gone."
    assert "xoxb-12345678901-abc" not in in_words(ChatRefused("token xoxb-12345678901-abc was refused"))


def test_a_full_disk_is_said_to_be_one() -> None:
    assert in_words(OSError(errno.ENOSPC, "No space left on device")) == (
        "The disk that Standby keeps its files on is full."
    )


def test_any_other_error_says_who_finds_what_where_and_none_of_its_own_words() -> None:
    said = in_words(KeyError("/srv/secret/folder"))

    assert "Something in Standby itself broke, which says nothing about your data." in said
    assert "Tell whoever runs Standby" in said and "“job_failed”" in said and "the folder logs" in said
    assert "secret" not in said and "KeyError" not in said
