"""The workspace as it is on the first morning: a lab, three people, two channels and the bot."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from pathlib import Path

from bot.desk.app import InstalledApp
from bot.desk.shapes import Channel, Person, Team
from bot.desk.state import Workspace

LAB = Team("T0LAB000001", "Northside Lab", "northside-lab")
PARTNER = Team("T0PARTNER01", "Partner Institute", "partner-institute")

# Asks for reports. Answers for what she asked for, so she never approves it.
ALICE = Person("U0ALICE0001", "alice", "Alice", LAB.id, email="alice@example.org")
# A teammate, full member of the workspace and one of its admins.
BOB = Person("U0BOB000001", "bob", "Bob", LAB.id, email="bob@example.org", is_admin=True)
# A stranger: sees #lab because the channel is shared with another workspace.
CHARLIE = Person("U0CHARLIE01", "charlie", "Charlie", PARTNER.id, email="charlie@example.net", is_stranger=True)


def seeded(app: InstalledApp, folder: Path, now: datetime, team: Team = LAB) -> Workspace:
    """A new workspace with the app installed and invited to #lab. Every id but its own is the same in each."""
    stranger = replace(CHARLIE, team_id=LAB.id if team is PARTNER else PARTNER.id)
    people = [replace(one, team_id=team.id) for one in (ALICE, BOB)]
    bot = Person(app.bot_user, "standby", "Standby", team.id, tz="", bot_id=app.bot_id)
    everyone = [*people, stranger, bot]
    # The creation date lies before every message, also where a test starts the desk in the past.
    lab = Channel(
        "C0LAB000001", "lab", [one.id for one in everyone], now, is_ext_shared=True, topic="Instruments and reports"
    )
    general = Channel("C0GENERAL01", "general", [ALICE.id, BOB.id], now, topic="Everything else")
    return Workspace(
        team=team,
        app=app,
        folder=folder,
        teams={team.id: team for team in (LAB, PARTNER)},
        people={one.id: one for one in everyone},
        usergroups={"S0LEADS0001": ("lab-leads", [BOB.id])},
        channels={channel.id: channel for channel in (lab, general)},
    )
