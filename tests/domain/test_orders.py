"""An order is a reply that says nothing else; every other sentence is guidance."""

import pytest

from bot.domain.orders import Order, Said, order_in


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("pause", Order.PAUSE), ("Pause.", Order.PAUSE), ("please pause it", Order.PAUSE), ("  resume ", Order.RESUME),
        ("run now", Order.RUN_NOW), ("Run it  now!", Order.RUN_NOW), ("backfill", Order.BACKFILL),
        ("retire this routine", Order.RETIRE), ("next?", Order.NEXT), ("retire please", Order.RETIRE),
    ],
)  # fmt: skip
def test_a_bare_order_is_heard(text: str, order: Order):
    assert order_in(text) == Said(order)


@pytest.mark.parametrize("text", ["owner <@U0BOB>", "Owner: <@U0BOB>", "new owner <@U0BOB>."])
def test_a_new_owner_is_named(text: str):
    assert order_in(text) == Said(Order.OWNER, "U0BOB")


@pytest.mark.parametrize(
    ("text", "url"),
    [
        ("ping <https://hc-ping.com/abc>", "https://hc-ping.com/abc"),
        ("Ping: <https://hc-ping.com/abc|hc-ping.com/abc>.", "https://hc-ping.com/abc"),
        ("ping https://hc-ping.com/abc", "https://hc-ping.com/abc"), ("no ping", ""), ("ping off", ""),
    ],
)  # fmt: skip
def test_an_address_to_ping_is_named_or_taken_away(text: str, url: str):
    assert order_in(text) == Said(Order.PING, url=url)


@pytest.mark.parametrize(
    "text",
    ["ping", "ping me", "ping <@U0BOB>", "ping ftp://x.example/a",
     "", "do not pause", "pause on holidays", "run now at 9 every day", "owner", "owner Bob", "the next one is odd",
     "resume after Christmas", "owner <@U1> <@U2>"],
)  # fmt: skip
def test_a_sentence_that_says_more_is_no_order(text: str):
    assert order_in(text) is None
