"""Who somebody is in the workspace, as far as decisions need it."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Person:
    """A user as the workspace describes them at this moment.

    team_id is the workspace they belong to, which for a Slack Connect guest is not ours.
    """

    user_id: str
    team_id: str
    name: str
    zone: str = ""
    is_bot: bool = False
    is_deleted: bool = False
    is_guest: bool = False
    is_stranger: bool = False
    is_admin: bool = False  # of the workspace


def is_outsider(person: Person) -> bool:
    """Whether somebody is no full member of this workspace: they may read, and decide or bring nothing."""
    return person.is_stranger or person.is_guest or person.is_deleted
