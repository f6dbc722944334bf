"""What a request lacks is said in a sentence with what to do: no words, no files, forty files, a video, no teammate."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.domain.errors import RequestProblem
from bot.domain.rhythm import Rhythm
from bot.store.tables_talk import SharedFile, Task
from bot.work.missing import require_words, required_files
from tests.approval.outside import LAB, TEAM
from tests.approval.stage import Stage
from tests.store.rows import NOW


def posted(*names: str, by: str = "ALICE") -> list[SharedFile]:
    return [
        SharedFile(
            team_id=TEAM, channel_id=LAB, thread_ts="1.0", file_id=name, name=name, size_bytes=10,
            mimetype="text/plain", url="", posted_by=by, posted_at=NOW,
        )
        for name in names
    ]  # fmt: skip


def refusal(stage: Stage, files: list[SharedFile], rhythm: Rhythm = Rhythm.COMES_BACK, **about: str) -> str:
    with pytest.raises(RequestProblem) as lacking:
        taken(stage, files, rhythm, **about)
    return str(lacking.value)


def taken(stage: Stage, files: list[SharedFile], rhythm: Rhythm = Rhythm.COMES_BACK, **about: str) -> list[SharedFile]:
    usual = {"team_id": TEAM, "channel_id": LAB, "thread_ts": "1.0", "requester_id": "ALICE", "request": "x"}
    return required_files(stage.worker(0), Task(**{**usual, **about}, asked_at=NOW), files, rhythm)


@pytest.mark.parametrize(
    ("text", "names", "words"),
    [
        ("", (), "Hello. I make reports that come back"),
        ("hello", (), "Hello. I make reports that come back"),
        ("", ("a.log",), "What should I make of these files, and when?"),
        ("these please", ("a.log",), "What should I make of these files, and when?"),
        ("what can you do?", (), "In the thread of a report you can say another time"),
        ("what can you do?", ("a.log",), "In the thread of a report you can say another time"),
    ],
)
def test_too_few_words_are_asked_about_and_a_question_about_standby_is_answered(
    text: str, names: tuple[str, ...], words: str
) -> None:
    with pytest.raises(RequestProblem) as lacking:
        require_words(text, posted(*names))
    assert words in str(lacking.value)


def test_three_words_are_a_request() -> None:
    require_words("count the errors", [])


def test_without_files_it_says_where_to_attach_them(stage: Stage) -> None:
    assert "Attach one week's files to a message in this thread" in refusal(stage, [])


def test_forty_files_are_taken_as_they_are(stage: Stage) -> None:
    many = posted(*(f"instrument-{number:02d}.log" for number in range(40)))
    assert taken(stage, many) == many


def test_a_video_among_forty_files_is_named_and_nothing_is_made(stage: Stage) -> None:
    many = posted(*(f"instrument-{number:02d}.log" for number in range(39)), "bench.mp4")
    said = refusal(stage, many)
    assert "bench.mp4 is a video." in said
    assert "Nothing was made yet: delete it from this thread and post the data that it was made from" in said


def test_files_of_people_from_outside_are_none(stage: Stage) -> None:
    stage.channel.kinds["EVE"] = {"is_stranger": True}
    assert "Attach one week's files" in refusal(stage, posted("a.log", by="EVE"))
    assert [one.name for one in taken(stage, [*posted("a.log", by="EVE"), *posted("b.log")])] == ["b.log"]


def test_in_a_direct_message_nobody_could_approve_what_comes_back_and_a_question_needs_nobody(stage: Stage) -> None:
    assert "nobody but you reads this direct message" in refusal(stage, posted("a.log"), channel_id="D0ALICE0001")
    assert taken(stage, posted("a.log"), Rhythm.ONCE, channel_id="D0ALICE0001")
    alone = replace(stage.worker(0), settings=stage.worker(0).settings.model_copy(update={"solo": True}))
    task = Task(
        team_id=TEAM, channel_id="D0ALICE0001", thread_ts="1.0", requester_id="ALICE", request="x", asked_at=NOW
    )
    assert required_files(alone, task, posted("a.log"), Rhythm.COMES_BACK)
