"""Standby's parts over one database, with the outside of the tests around them."""

from __future__ import annotations

from typing import cast

from bot.settings import Settings
from bot.store.blobs import Blobs
from bot.store.session import Database
from bot.store.tables_talk import Task
from bot.work.parts import JobParts
from sandbox.client import Boxes
from tests.approval.outside import Channel, Post, Time
from tests.approval.stage import APPROVERS, SEAL, NoBoxes


def parts_on(url: str, blobs: str) -> JobParts:
    """With the usual list of approvers."""
    settings = Settings.load({}).model_copy(update={"approvers": APPROVERS})
    return JobParts(
        Database(url, seal=SEAL), Channel(), Time(), settings, cast("Boxes", NoBoxes()), Blobs(blobs), Post()
    )


def task_of(parts: JobParts, task_id: int) -> Task:
    with parts.db.transaction() as session:
        return session.get_one(Task, task_id)
