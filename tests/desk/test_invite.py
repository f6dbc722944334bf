"""A mention where the app is not: Slack says so to whoever wrote it, and /invite lets the app in."""

from __future__ import annotations

import pytest

from tests.desk_client import Desk, DeskRefused


def test_a_message_without_a_mention_needs_no_notice(desk: Desk) -> None:
    desk.person("Alice").post("#general", "lunch?")
    assert [one.words for one in desk.messages("#general", person="Alice")] == ["lunch?"]


def test_a_mention_where_the_app_is_not_is_told_to_the_writer_alone_until_it_is_invited(desk: Desk) -> None:
    # Given a channel in which the app is no member
    alice, bob = desk.person("Alice"), desk.person("Bob")
    alice.post("#general", "@standby count the errors")
    # Then whoever mentioned it is told, nobody else, and how to let it in
    [notice] = [one for one in alice.sees("#general") if one.says("is not in this channel", "/invite @standby")]
    assert notice.ephemeral_to
    assert not [one for one in bob.sees("#general") if one.says("is not in this channel")]
    # When she types that, then it is in, and the next mention needs no notice
    with pytest.raises(DeskRefused, match="/invite @standby"):
        alice.command("#general", "/invite", "@bob")
    assert alice.command("#general", "/invite", "@standby").acked
    alice.post("#general", "@standby count the errors")
    assert len([one for one in alice.sees("#general") if one.says("is not in this channel")]) == 1
