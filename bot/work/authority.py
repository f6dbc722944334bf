"""Who stands where around a routine, and who is on the list of approvers at this moment."""

from bot.domain.approval import Cast, Rules
from bot.domain.errors import ChatError
from bot.log import log
from bot.store.tables_plans import Plan, Routine
from bot.work.parts import Parts

# Ids of user groups begin with it, those of people with U or W.
GROUP = "S"


def cast_of(routine: Routine, plan: Plan) -> Cast:
    return Cast(routine.team_id, plan.requester_id, plan.author_id, routine.owner_id)


def rules_now(parts: Parts) -> Rules:
    """The approvers as they are now; a group that cannot be read counts as nobody."""
    people = {one for one in parts.settings.approvers if not one.startswith(GROUP)}
    for group in parts.settings.approvers:
        if group.startswith(GROUP):
            try:
                people.update(parts.chat.members_of_group(group))
            except ChatError as error:
                log.warning("approvers_unreadable", group=group, reason=str(error))
    return Rules(frozenset(people), parts.settings.solo)
