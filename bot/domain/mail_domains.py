"""Which addresses lie outside of the domains that mail may go to."""

from collections.abc import Sequence


def outside_of(addresses: Sequence[str], domains: Sequence[str]) -> tuple[str, ...]:
    """Those at no allowed domain; none where any domain is allowed."""
    allowed = {domain.lower() for domain in domains}
    return tuple(one for one in addresses if allowed and one.rpartition("@")[2].lower() not in allowed)
