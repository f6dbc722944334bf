"""One database, one workspace: whoever has the token of another one is told so before anything is sent there."""

from contextlib import suppress

from sqlalchemy.exc import OperationalError

from bot.domain.errors import ChatError
from bot.log import log
from bot.settings import SettingsError
from bot.slack.chat import SlackChat
from bot.store import talk
from bot.store.session import Database

DESK = "T0LAB000001"
"""The desk's workspace: who tried Standby there goes on with the same rows, and its channels are nowhere else."""


def refuse_another(db: Database, chat: SlackChat) -> None:
    """Raises SettingsError where the rows belong to another workspace than the token.

    Where Slack or the database cannot be asked now the part begins without: it could post nothing either.
    """
    try:
        team_id = chat.team_id
    except ChatError as error:
        log.warning("workspace_not_asked", why=str(error))
        return
    other = ""
    with suppress(OperationalError), db.transaction() as session:
        other = talk.another_team(session, {team_id, DESK})
    if other:
        raise SettingsError(
            f"STANDBY_SLACK_BOT_TOKEN belongs to workspace {team_id}, and this database holds tasks and routines of "
            f"workspace {other}, whose reports must not go elsewhere. Set that workspace's token, or give this one a "
            "database of its own (STANDBY_DATABASE_URL)."
        )
