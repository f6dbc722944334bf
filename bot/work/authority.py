"""Who stands where around a routine, and who is on the lists of approvers at this moment."""

from functools import cache

from bot.domain.approval import Cast, Lists
from bot.domain.errors import ChatError
from bot.log import log
from bot.store.tables_plans import Plan, Routine
from bot.work.parts import Parts

# Ids of user groups begin with it, those of people with U or W.
GROUP = "S"


def cast_of(routine: Routine, plan: Plan) -> Cast:
    return Cast(routine.team_id, plan.requester_id, plan.author_id, routine.owner_id)


def lists_now(parts: Parts, channel_id: str = "") -> Lists:
    """The approvers as they are now, in all places or as one channel needs them; an unreadable group is nobody."""
    settings = parts.settings
    listed = {"": settings.approvers, **settings.approvers_of}
    if channel_id:
        listed = {key: who for key, who in listed.items() if key.partition("/")[0] in ("", channel_id)}

    silent: set[str] = set()  # groups of which Slack may tell in a minute

    @cache
    def people(one: str) -> frozenset[str]:
        if not one.startswith(GROUP):
            return frozenset({one})
        try:
            return frozenset(parts.chat.members_of_group(one))
        except ChatError as error:
            log.warning("approvers_unreadable", group=one, reason=str(error))
            if not error.permanent:
                silent.add(one)
            return frozenset()

    found = {key: frozenset().union(*map(people, who)) for key, who in listed.items()}
    unread = frozenset(key for key, who in listed.items() if silent & set(who))
    return Lists(found, settings.solo, unread)
