"""Which address of a host may be connected to: looked up once, judged, and then used as it was judged."""

import ipaddress
import socket

from bot.sources.errors import SourceRefused, SourceUnreachable

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
# Where providers of machines answer the machine itself with its own keys; no setting opens it.
_METADATA = tuple(map(ipaddress.ip_network, ("169.254.0.0/16", "fe80::/10", "fd00:ec2::254/128")))
# Addresses of the new kind that carry one of the old kind, as (network, bits behind it).
_CARRYING = ((ipaddress.ip_network("64:ff9b::/96"), 0), (ipaddress.ip_network("2002::/16"), 80))


def checked_addresses(host: str, port: int, *, is_private: bool) -> list[str]:
    """The IP addresses of `host`, to be tried in this order. Every address that the name has must be allowed.

    Raises SourceRefused for one of an inner network (unless `is_private`), SourceUnreachable for an unknown name.
    """
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise SourceUnreachable(
            f"The name {host} is not known to the network, so its data could not be taken. "
            "Check the address, and the name server of the computer that Standby runs on."
        ) from None
    addresses = [str(one[4][0]) for one in found]
    for address in addresses:
        _refuse(host, address, is_private=is_private)
    return list(dict.fromkeys(addresses))


def _refuse(host: str, address: str, *, is_private: bool) -> None:
    ip = _meant(ipaddress.ip_address(address.partition("%")[0]))
    if any(ip in network for network in _METADATA if network.version == ip.version):
        raise SourceRefused(f"{host} leads to {address}, where machines keep their keys; nothing was asked there.")
    if not is_private and (not ip.is_global or ip.is_multicast):
        raise SourceRefused(
            f"{host} leads to {address}, an address of an inner network, so nothing was asked there and there is no "
            'report. If that is meant, an admin adds "private": true to this source in STANDBY_SOURCES.'
        )


def _meant(ip: Address) -> Address:
    """The address that one of the new kind stands for."""
    if not isinstance(ip, ipaddress.IPv6Address):
        return ip
    if ip.ipv4_mapped is not None:
        return ip.ipv4_mapped
    for network, behind in _CARRYING:
        if ip in network:
            return ipaddress.IPv4Address((int(ip) >> behind) & 0xFFFFFFFF)
    return ip
