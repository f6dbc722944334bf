"""Which addresses are of an inner network, however they are written."""

import pytest

from bot.sources.errors import SourceRefused, SourceUnreachable
from bot.sources.hosts import checked_addresses

INNER = (
    *("127.0.0.1", "10.0.0.1", "172.16.0.1", "192.168.1.1", "100.64.0.1", "0.0.0.0", "224.0.0.1", "::1", "fd00::1"),
    *("::ffff:10.0.0.1", "64:ff9b::10.0.0.1", "2002:0a00:0001::1", "2130706433", "0x7f000001", "127.1", "localhost"),
)


@pytest.mark.parametrize("host", INNER)
def test_inner_addresses_are_refused_unless_settings_say_that_they_are_meant(host: str) -> None:
    with pytest.raises(SourceRefused, match="inner network"):
        checked_addresses(host, 443, is_private=False)
    assert checked_addresses(host, 443, is_private=True)


@pytest.mark.parametrize("host", ["169.254.169.254", "::ffff:169.254.169.254", "fe80::1", "fd00:ec2::254"])
def test_where_machines_keep_their_keys_nobody_is_sent(host: str) -> None:
    with pytest.raises(SourceRefused, match="keep their keys"):
        checked_addresses(host, 80, is_private=True)


@pytest.mark.parametrize("host", ["8.8.8.8", "2001:4860:4860::8888"])
def test_public_addresses_are_taken(host: str) -> None:
    assert checked_addresses(host, 443, is_private=False) == [host]


def test_an_unknown_name_may_be_known_later() -> None:
    with pytest.raises(SourceUnreachable, match="not known"):
        checked_addresses("nobody.invalid", 443, is_private=False)
