"""Requests that come at the same moment: each routine gets a name of its own, and its card the name it has."""

from concurrent.futures import ThreadPoolExecutor

from bot.work.failures import in_words
from bot.work.propose import Draft, propose
from library.manifest_text import read_manifest
from library.plan_folder import PlanFolder
from tests.approval.stage import REHEARSAL, Stage, files


def test_drafts_of_one_name_that_are_proposed_at_once_all_get_a_card(stage: Stage) -> None:
    # Given six requests whose drafts were all rehearsed while the name was free
    tasks = [stage.new_task(f"{number}.0") for number in range(6)]
    draft = Draft(PlanFolder(files("weekly-error-report", "count the errors")), REHEARSAL, "ALICE")

    # When two workers propose them at the same time, and one comes again after a crash
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(lambda n: propose(stage.worker(n % 2), tasks[n], draft), range(6)))
    propose(stage.worker(0), stage.task(tasks[3].id or 0), draft)

    # Then each has a name, which its plan bears too
    names = [name for (name,) in stage.rows("select name from routine")]
    assert sorted(names) == ["weekly-error-report", *(f"weekly-error-report-{number}" for number in range(2, 7))]
    bodies = stage.rows("select body from plan_file where name = 'plan.toml'")
    assert sorted(read_manifest(bytes(body)).name for (body,) in bodies) == sorted(names)


def test_what_a_library_raised_is_for_the_log_alone():
    raised = KeyError('duplicate key value violates unique constraint "routine_team_id_name_key"')

    assert "routine_team" not in in_words(raised) and "KeyError" not in in_words(raised)
