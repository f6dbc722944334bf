"""When Standby was installed, by the clock by which Slack tells of a removal."""

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

from slack_sdk import WebClient

from bot.slack.installs import granted_at
from tests.slack.far_end import far_end


def test_the_moment_of_a_grant_is_slacks_though_our_clock_is_two_minutes_fast() -> None:
    ours = datetime(2026, 12, 1, 9, 2, 0, tzinfo=UTC)
    slacks = ours - timedelta(minutes=2)
    with far_end() as far:
        far.body, far.date = b'{"ok": true}', format_datetime(slacks, usegmt=True)
        client = WebClient(base_url=f"http://127.0.0.1:{far.server_port}/api/")

        # An uninstall a second later is told with a later moment than the grant, and counts
        assert granted_at(client, "xoxb-1", ours) == slacks

        # Where it does not answer, ours is all there is
        far.status, far.body = 500, b"not now"
        assert granted_at(client, "xoxb-1", ours) == ours


def test_without_an_answer_it_is_ours() -> None:
    now = datetime(2026, 12, 1, 9, 2, 0, tzinfo=UTC)
    assert granted_at(WebClient(base_url="http://127.0.0.1:9/api/"), "xoxb-1", now) == now
