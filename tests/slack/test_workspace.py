"""One database, one workspace: the parts of another one refuse to begin."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from bot.domain.ports import WorkspaceFile
from bot.processes.environment import for_part
from bot.processes.parts import EXIT_REFUSED
from bot.processes.workspace import refuse_another
from bot.settings import Settings, SettingsError
from bot.slack.chat import SlackChat
from bot.store import plans, talk
from bot.store.session import Database
from bot.store.tables_plans import Routine
from bot.store.tables_talk import Task
from bot.work.thread import lock_of
from tests.flows.world import Process
from tests.slack.proposals import LAB, TEAM
from tests.store.rows import NOW, a_routine, a_task

OTHER = "T0OTHER0001"


def rows_of(database: Database, team_id: str) -> tuple[Task, Routine]:
    """The same channel, thread, file and name in each workspace."""
    with database.transaction() as session:
        task, routine = a_task(session), a_routine(session)
        task.team_id = routine.team_id = team_id
        task.channel_id = routine.channel_id = LAB
        file = WorkspaceFile("F1", f"{team_id}.log", 1, "text/plain", "https://files.example/F1")
        talk.note_file(session, team_id, LAB, task.thread_ts, "ALICE", NOW, file)
    return task, routine


def test_OP_04_a_token_of_another_workspace_begins_nothing_on_these_rows(database: Database, chat: SlackChat) -> None:
    refuse_another(database, chat)
    rows_of(database, TEAM)
    refuse_another(database, chat)

    rows_of(database, OTHER)
    with pytest.raises(SettingsError, match=f"belongs to workspace {TEAM}.*of workspace {OTHER}"):
        refuse_another(database, chat)


@pytest.mark.parametrize("name", ["bot", "runner"])
def test_OP_04_its_processes_end_for_good(settings: Settings, database_url: str, tmp_path: Path, name: str) -> None:
    opened = Database(database_url)
    rows_of(opened, OTHER)
    opened.close()
    ours = settings.model_copy(update={"database_url": database_url})
    process = Process(name, for_part(name, ours, os.environ), tmp_path / "part.log")

    with pytest.raises(AssertionError, match="belongs to workspace"):
        process.start()
    assert process.popen is not None and process.popen.wait(10) == EXIT_REFUSED


def test_OP_04_what_is_alike_in_two_workspaces_is_kept_apart(database: Database) -> None:
    found = {team_id: rows_of(database, team_id) for team_id in (TEAM, OTHER)}

    with database.transaction() as session:
        for team_id, (task, routine) in found.items():
            at = task.thread_ts
            seen = talk.task_in_thread(session, team_id, LAB, at), plans.routine_in(session, team_id, LAB, at)
            assert (seen[0] is not None and seen[0].id, seen[1] is not None and seen[1].id) == (task.id, routine.id)
            assert [one.name for one in talk.files_of_thread(session, task)] == [f"{team_id}.log"]
            assert [one.id for one in plans.routines_of(session, team_id)] == [routine.id]
            assert plans.routine_names(session, team_id) == {routine.name}
    assert lock_of(found[TEAM][0]) != lock_of(found[OTHER][0])
