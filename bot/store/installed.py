"""Queries about where Standby is installed. The rows lie in the schema that the settings' database address names."""

import hashlib
import secrets
from collections.abc import Sequence
from datetime import datetime, timedelta

from sqlalchemy import delete, update
from sqlalchemy.dialects.postgresql import insert
from sqlmodel import Session, col, select

from bot.store.tables_installed import Installation, InstallState, Workspace

STATE_LIFE = timedelta(minutes=10)
"""For so long somebody may look at Slack's page before they agree."""


def installation(session: Session, enterprise_id: str, team_id: str, *, locked: bool = False) -> Installation | None:
    """The grant that covers a workspace: its own, else that of its organisation, unless its tokens were erased."""
    own = select(Installation).where(Installation.team_id == team_id) if team_id else None
    org = select(Installation).where(Installation.enterprise_id == enterprise_id, Installation.team_id == "")
    for asked in (own, org if enterprise_id else None):
        if asked is not None:
            living = asked.where(col(Installation.tokens).is_not(None))
            if row := session.exec(living.with_for_update() if locked else living).first():
                return row
    return None


def granted_at(session: Session, enterprise_id: str, team_id: str, *, is_org_wide: bool) -> datetime | None:
    """When the newest grant was made, to a workspace alone or to its organisation; None where there was none."""
    owner = (Installation.enterprise_id == enterprise_id, Installation.team_id == "")
    return session.exec(
        select(Installation.installed_at)
        .where(*owner if is_org_wide else (Installation.team_id == team_id,))
        .order_by(col(Installation.installed_at).desc())
    ).first()


def grant(session: Session, row: Installation) -> None:
    """Keep a grant, in place of an earlier one to the same."""
    session.merge(row)


def enter(session: Session, row: Workspace) -> None:
    """A workspace has Standby from now on, again or for the first time; it keeps its schema.

    While it has it, whoever installs again does not take the place of who installed first, and approves.
    """
    before = session.get(Workspace, row.team_id)
    if before is not None and before.removed_at is None:
        row.installer_id = before.installer_id
    session.merge(row)


def workspaces(session: Session) -> Sequence[Workspace]:
    """Those that have Standby now."""
    return session.exec(select(Workspace).where(col(Workspace.removed_at).is_(None)).order_by(Workspace.team_id)).all()


def ever(session: Session) -> Sequence[Workspace]:
    """Those that ever had Standby."""
    return session.exec(select(Workspace).order_by(Workspace.team_id)).all()


def schemas(session: Session) -> Sequence[str]:
    """The schema of each of them."""
    return [one.schema_name for one in ever(session)]


def covered(session: Session, enterprise_id: str, team_id: str, *, is_org_wide: bool) -> Sequence[Workspace]:
    """The workspaces that a grant covers."""
    if not is_org_wide:
        return [one for one in workspaces(session) if one.team_id == team_id]
    return [one for one in workspaces(session) if one.is_org_wide and one.enterprise_id == enterprise_id]


def erase(session: Session, enterprise_id: str, team_id: str, now: datetime, why: str, *, is_org_wide: bool) -> None:
    """The tokens are gone, and the workspaces that they were for have Standby no more; their rows stay.

    Without a workspace and an organisation nobody is meant.
    """
    if not (enterprise_id if is_org_wide else team_id):
        return
    gone = update(Installation).values(tokens=None, expires_at=None)
    if is_org_wide:
        gone = gone.where(col(Installation.enterprise_id) == enterprise_id, col(Installation.team_id) == "")
    else:
        gone = gone.where(col(Installation.team_id) == team_id)
    session.execute(gone)
    for one in covered(session, enterprise_id, team_id, is_org_wide=is_org_wide):
        one.removed_at, one.reason = now, why
        session.add(one)


def issue_state(session: Session, now: datetime) -> str:
    """A new secret for one way to Slack's page and back."""
    state = secrets.token_urlsafe(32)
    session.execute(delete(InstallState).where(col(InstallState.issued_at) < now - STATE_LIFE))
    session.execute(insert(InstallState).values(digest=_digest(state), issued_at=now))
    return state


def consume_state(session: Session, state: str, now: datetime) -> bool:
    """Whether the secret is one of ours, in time, for the first time."""
    used = (
        delete(InstallState)
        .where(col(InstallState.digest) == _digest(state), col(InstallState.issued_at) >= now - STATE_LIFE)
        .returning(col(InstallState.digest))
    )
    return session.execute(used).first() is not None


def _digest(state: str) -> str:
    return hashlib.sha256(state.encode()).hexdigest()
