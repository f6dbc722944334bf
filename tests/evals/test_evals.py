"""The harness measures: the truth scores one, another answer less; and broken drafts are refused by their words."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from tests.evals.broken import BROKEN
from tests.evals.drafts import refusal
from tests.evals.harness import a_harness
from tests.evals.score import lines_of, right
from tests.evals.scripted import scripted_model
from tests.evals.tasks import TASKS


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.name)
def test_a_task_s_truth_is_known_and_differs_from_seed_to_seed(task):
    files, truth = task.make(Random(1))
    again, _ = task.make(Random(1))

    assert files == again
    assert files != task.make(Random(2))[0]
    assert right(truth, [f"{label}: {number}" for label, number in truth.items()]) == 1
    assert right(truth, [f"{label}: {number * 1.02 + 1}" for label, number in truth.items()]) == 0


def test_numbers_within_a_label_are_no_answer():
    assert right({"2026-11-04": 4}, ["2026-11-04 | 7"]) == 0
    assert right({"2026-11-04": 7}, ["2026-11-04 | 7"]) == 1
    assert right({"oslo": 1234.5}, lines_of([[["oslo", "1,234.50 kr"]]], "")) == 1
    assert right({"oslo": 12, "bergen": 3}, lines_of([], "oslo: 12\nbergen: 4")) == 0.5


@pytest.mark.slow
def test_the_scripted_model_is_right_in_both_ways_and_a_wrong_one_is_not():
    for is_wrong in (False, True):
        with scripted_model(is_wrong=is_wrong) as (settings, say), a_harness(settings) as harness:
            say(TASKS[0], 1, "standby")
            answered = harness.ask(TASKS[0], 1)
            say(TASKS[0], 1, "loop")
            looped = harness.loop(TASKS[0], 1)
        assert answered.score == (0 if is_wrong else 1)
        assert looped.score == 1
        assert (answered.micro_usd or 0) > 0


@pytest.mark.slow
@pytest.mark.parametrize("broken", BROKEN, ids=lambda broken: broken.name)
def test_a_broken_draft_is_refused_with_the_words_that_tell_what_to_mend(broken, box_server, tmp_path: Path):
    said = refusal(box_server.boxes(), tmp_path, broken)

    assert said
    assert [words for words in broken.says if words not in said] == []
