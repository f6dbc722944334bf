"""For which workspace a request of Slack's is, and whether it tells of Standby's end there."""

from dataclasses import dataclass
from typing import Any

REMOVALS = ("app_uninstalled", "tokens_revoked")


@dataclass(frozen=True)
class Address:
    """For whom Slack sends a request. Of an organisation's grant `team_id` may be empty."""

    enterprise_id: str
    team_id: str
    is_org_wide: bool


def is_removal(event: dict[str, Any]) -> bool:
    """Whether Standby itself is gone: of tokens, only the bot's is one that it uses."""
    return event["type"] == "app_uninstalled" or bool((event.get("tokens") or {}).get("bot"))
