"""A check of one workspace, made of each that has Standby where it is in many."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from functools import wraps

from pydantic import SecretStr
from sqlalchemy.exc import SQLAlchemyError

from bot.domain.errors import StandbyError
from bot.processes.checks import Finding
from bot.processes.installed import Installed
from bot.processes.many import is_for_many
from bot.settings import Settings, SettingsError

Check = Callable[[Settings], Finding]


def of_each(check: Check, *, has_token: bool = False, itself: bool = False) -> Check:
    """With `has_token` each workspace's bot token is in the settings; with `itself` those as they are too."""

    @wraps(check)
    def of_all(settings: Settings) -> Finding:
        if not is_for_many(settings):
            return check(settings)
        part = check.__name__
        try:
            found = dict(_found(settings, check, has_token=has_token))
        except (SettingsError, StandbyError, SQLAlchemyError) as error:
            todo = "See the lines on settings and database."
            return Finding(part, False, f"the workspaces cannot be read ({str(error).splitlines()[0]})", todo)
        return _together(part, {"": check(settings), **found} if itself else found)

    return of_all


def _found(settings: Settings, check: Check, *, has_token: bool) -> Iterator[tuple[str, Finding]]:
    with closing(Installed(settings)) as installed:
        for one in installed.now().values():
            ours = installed.settings_of(one).model_copy(update={"slack_client_id": ""})
            try:
                if has_token:
                    ours = ours.model_copy(update={"slack_bot_token": SecretStr(installed.token_of(one)())})
                yield one.name, check(ours)
            except StandbyError as error:
                yield one.name, Finding(check.__name__, False, "has no usable token", str(error))


def _together(part: str, found: dict[str, Finding]) -> Finding:
    """What is wrong, by workspace; else in how many all is well."""
    wrong = {name: one for name, one in found.items() if not one.ok}
    if wrong:
        says = "; ".join(f"{name}: {one.says}" if name else one.says for name, one in wrong.items())
        return Finding(part, False, says, " ".join(dict.fromkeys(one.todo for one in wrong.values() if one.todo)))
    if not found:
        return Finding(part, True, "installed in no workspace yet; open STANDBY_PUBLIC_URL/slack/install")
    said = dict.fromkeys(one.says for one in found.values())
    return Finding(part, True, f"{' · '.join(said)} ({len(found)} looked at)")
