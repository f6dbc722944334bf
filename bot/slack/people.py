"""Who somebody is now, as Slack tells it; what it does not say plainly counts as not said."""

from collections.abc import Callable
from typing import Any

from slack_sdk import WebClient

from bot.domain.errors import ChatError, ChatUnclear
from bot.domain.people import Person
from bot.slack.calls import Calls
from bot.slack.text import door

SOMEBODY = "somebody"
"""Stands for a name that Slack does not tell."""

# Slack sets these on everybody of a workspace whose account is active; only who lacks none of them is a full member.
_SAID_OF_MEMBERS = ("deleted", "is_bot", "is_restricted", "is_ultra_restricted")
_UNREADABLE = "Slack's answer about a person could not be read."


class People:
    """Asks anew each time, because people come, leave and lose their standing; names alone are remembered."""

    def __init__(self, client: WebClient, call: Calls, team_id: Callable[[], str]) -> None:
        self._client, self._call, self._team_id = client, call, team_id
        self._names: dict[str, str] = {}

    def person(self, user_id: str) -> Person:
        """Who this is now. Raises ChatError, also for an answer that leaves open who or what they are.

        On Enterprise Grid somebody counts as ours when our workspace is one of theirs.
        """
        user = self._call(lambda: self._client.users_info(user=user_id)).get("user")
        return _read(user, user_id, self._team_id())

    def members_of_group(self, group_id: str, team_id: str | None) -> tuple[str, ...]:
        answer = self._call(lambda: self._client.usergroups_users_list(usergroup=group_id, team_id=team_id))
        users = answer.get("users")
        if not isinstance(users, list) or not all(isinstance(one, str) for one in users):
            raise ChatUnclear("Slack's answer about a user group could not be read.")
        return tuple(users)

    def name_of(self, user_id: str) -> str:
        """For where Slack shows plain text alone; `SOMEBODY` where it does not tell."""
        try:
            name = self._names[user_id] = self._names.get(user_id) or self.person(user_id).name
        except ChatError:
            return SOMEBODY
        return name or SOMEBODY


def _read(user: Any, user_id: str, team_id: str) -> Person:
    """Raises ChatUnclear where the record is another person's, or lacks what keeps others out."""
    if not isinstance(user, dict) or user.get("id") != user_id:
        raise ChatUnclear(_UNREADABLE)
    grid, profile = user.get("enterprise_user") or {}, user.get("profile") or {}
    if not isinstance(grid, dict) or not isinstance(profile, dict):
        raise ChatUnclear(_UNREADABLE)
    teams = [str(user.get("team_id") or ""), *map(str, grid.get("teams") or [])]
    is_ours, is_gone = team_id in teams, user.get("deleted") is True
    if is_ours and not is_gone and not all(isinstance(user.get(one), bool) for one in _SAID_OF_MEMBERS):
        raise ChatUnclear(_UNREADABLE)
    return Person(
        user_id=user_id,
        team_id=team_id if is_ours else teams[0],
        name=door(str(profile.get("display_name") or user.get("real_name") or user.get("name") or "")),
        zone=str(user.get("tz") or ""),
        is_bot=bool(user.get("is_bot")) or user_id == "USLACKBOT",
        is_deleted=is_gone,
        is_guest=bool(user.get("is_restricted") or user.get("is_ultra_restricted")),
        is_stranger=bool(user.get("is_stranger")) or not is_ours,
        is_admin=bool(user.get("is_admin") or user.get("is_owner")),
    )
