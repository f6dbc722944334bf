"""The workspaces that have Standby, with their tokens: how one is found, entered and removed."""

from datetime import UTC, datetime

from bot.log import log
from bot.processes.database import database
from bot.processes.many import POOL, Roster
from bot.slack.address import Address
from bot.slack.tokens import BotToken
from bot.store import installed, schemas
from bot.store.tables_installed import Workspace
from bot.work.removal import pause_all
from bot.work.wall import clock_from


class Installed(Roster):
    """As the parts see it that talk to Slack."""

    def at(self, address: Address) -> Workspace | None:
        """The workspace of this address. One of an organisation that granted for all is entered at its first word."""
        found = self.now().get(address.team_id)
        if found is not None or not address.enterprise_id or not address.team_id.startswith("T"):
            return found
        with self.control.transaction() as session:
            grant = installed.installation(session, address.enterprise_id, address.team_id)
        if grant is None or grant.team_id:
            return None
        schema = schemas.schema_of(address.team_id)
        schemas.make(self.control.url, schema)
        entered = Workspace(
            team_id=address.team_id, enterprise_id=address.enterprise_id, is_org_wide=True, name=address.team_id,
            schema_name=schema, installer_id=grant.installer_id, changed_at=datetime.now(UTC),
        )  # fmt: skip
        with self.control.transaction() as session:
            installed.enter(session, entered)
        return self.now().get(address.team_id)

    def token_of(self, one: Workspace) -> BotToken:
        return BotToken(self.control, self.settings, one.enterprise_id, one.team_id)

    def remove(self, address: Address, kind: str, at: datetime) -> None:
        """The tokens are erased and the routines pause. Done again, it changes nothing.

        Slack may tell of it again after somebody installed anew: what was granted since, by Slack's clock, stays.
        """
        with self.control.transaction() as session:
            granted_at = installed.granted_at(
                session, address.enterprise_id, address.team_id, is_org_wide=address.is_org_wide
            )
            if granted_at is not None and at < granted_at.replace(microsecond=0):
                log.warning("removal_of_an_earlier_install", kind=kind, team=address.team_id)
                return
            gone = installed.covered(session, address.enterprise_id, address.team_id, is_org_wide=address.is_org_wide)
        for one in gone:
            db = database(self.settings_of(one), pool_size=POOL)
            try:
                paused = pause_all(db, kind, clock_from(self.settings).now())
            finally:
                db.close()
            log.warning("removed", kind=kind, team=one.team_id, paused=paused)
        with self.control.transaction() as session:
            now = datetime.now(UTC)
            installed.erase(session, address.enterprise_id, address.team_id, now, kind, is_org_wide=address.is_org_wide)
