"""A delivery that nobody can know of is told with two buttons, and a person settles it, once."""

from __future__ import annotations

import pytest

from bot.domain.ports import MessageRef
from bot.domain.views import NoteView
from bot.domain.words import Verb
from bot.work import decide, unsure
from bot.work.decide import Answer
from bot.work.mend import mend
from bot.work.verify import problems
from sandbox.outcome import Report
from sandbox.outcome import Table as MadeTable
from tests.approval.hands import finish, next_monday, person, press, proposed, send
from tests.approval.outside import LAB
from tests.approval.stage import Stage
from tests.work.queued import waiting


@pytest.fixture
def lost(stage: Stage) -> Stage:
    """A Monday on which the mail server's last answer was lost."""
    press(stage, proposed(stage))
    run_id = next_monday(stage)
    stage.post.loses_answer = True
    assert finish(stage, run_id)
    send(stage)
    stage.post.loses_answer = False
    tell(stage)
    return stage


def mail(stage: Stage) -> int:
    return int(stage.one("select id from delivery where destination like 'email:%'"))


def tell(stage: Stage) -> None:
    unsure.tell(stage.worker(0), mail(stage))


def told(stage: Stage) -> NoteView:
    key = stage.one("select key from delivery where id = :d", d=mail(stage))
    view = stage.channel.shown[f"delivery:{key}:unknown"]
    assert isinstance(view, NoteView)
    return view


def press_on(stage: Stage, verb: Verb, by: str = "ALICE", worker: int = 0) -> Answer:
    query = "select id from press where delivery_id = :d and verb = :v order by used_at is not null limit 1"
    button = str(stage.one(query, d=mail(stage), v=verb))
    ts = stage.one("select ts from post where key like '%unknown'")
    return decide.press(stage.worker(worker), button, verb, person(by), MessageRef(LAB, ts))


def states(stage: Stage) -> tuple[str, str]:
    return stage.one("select state from slot"), stage.one("select state from delivery where id = :d", d=mail(stage))


def test_it_is_told_with_both_buttons_and_never_sent_again_by_itself(lost: Stage) -> None:
    assert states(lost) == ("unknown", "unknown")
    assert "cannot know whether the mail to lab list was sent" in told(lost).text
    assert [button.verb for button in told(lost).buttons] == [Verb.SEND_ANYWAY, Verb.ARRIVED]
    send(lost)
    assert len(lost.post.taken) == 1


def test_send_anyway_sends_once_however_often_it_is_pressed(lost: Stage) -> None:
    answers = [press_on(lost, Verb.SEND_ANYWAY, worker=number % 2).accepted for number in range(3)]
    send(lost)
    tell(lost)

    assert answers == [True, False, False]
    assert len(lost.post.taken) == 2
    assert states(lost) == ("delivered", "sent")
    assert (told(lost).buttons, "delivered now" in told(lost).text) == ((), True)
    assert lost.one("select body->>'by' from history where kind = 'delivery.send_anyway'") == "ALICE"
    assert problems(lost.behind) == []


def test_it_arrived_closes_it_without_a_mail(lost: Stage) -> None:
    assert press_on(lost, Verb.ARRIVED, by="BOB").accepted
    assert not press_on(lost, Verb.SEND_ANYWAY).accepted
    send(lost)

    assert len(lost.post.taken) == 1
    assert states(lost) == ("delivered", "sent")
    assert lost.one("select body->>'by' from history where kind = 'delivery.arrived'") == "BOB"


def test_whoever_has_no_say_in_the_routine_settles_nothing(lost: Stage) -> None:
    answer = press_on(lost, Verb.SEND_ANYWAY, by="EVE")

    assert (answer.accepted, "Only the owner" in answer.text) == (False, True)
    assert states(lost) == ("unknown", "unknown")


def test_what_is_lost_a_second_time_is_told_anew_with_buttons_that_count(lost: Stage) -> None:
    lost.post.loses_answer = True
    assert press_on(lost, Verb.SEND_ANYWAY).accepted
    send(lost)
    tell(lost)
    assert states(lost) == ("unknown", "unknown") and len(told(lost).buttons) == 2

    lost.post.loses_answer = False
    assert press_on(lost, Verb.SEND_ANYWAY).accepted
    send(lost)
    assert len(lost.post.taken) == 3 and states(lost)[1] == "sent"


def test_an_unknown_delivery_whose_message_was_lost_is_told_again(lost: Stage) -> None:
    lost.tamper("delete from procrastinate_jobs")
    assert mend(lost.behind, lost.time) == 0
    lost.tamper("update post set ts = '' where key like '%unknown'")

    assert mend(lost.behind, lost.time) == 1
    assert waiting(lost.behind) == [("unsure", {"delivery_id": mail(lost)})]


# ---------------------------------------------------------------------------------------------------------------------

LONG = Report("rows", tables=(MadeTable("Errors", ("instrument", "errors"), tuple((f"i{n}", n) for n in range(500))),))


def channel_state(stage: Stage) -> str:
    return str(stage.one("select state from delivery where destination like 'channel:%'"))


def reported(stage: Stage) -> None:
    press(stage, proposed(stage))
    assert finish(stage, next_monday(stage), LONG)


def test_a_table_too_long_for_its_message_follows_as_a_file_that_is_claimed(stage: Stage) -> None:
    reported(stage)
    send(stage)

    assert len(stage.channel.files) == 1 and stage.channel.files[0].startswith("errors.csv (delivery ")
    assert stage.one("select count(*) from post where key like 'delivery%errors.csv' and ts <> ''") == 1
    assert channel_state(stage) == "sent"


def test_an_upload_whose_answer_was_lost_is_found_and_not_repeated(stage: Stage) -> None:
    reported(stage)
    stage.channel.loses_answer = True
    send(stage)

    assert (len(stage.channel.files), channel_state(stage)) == (1, "sent")


def test_SL_07_a_file_that_slack_took_and_never_shows_is_told(stage: Stage) -> None:
    reported(stage)
    stage.channel.hides_files = True
    send(stage)

    assert channel_state(stage) == "failed"
    said = [args["text"] for name, args in waiting(stage.behind) if name == "say"]
    assert any("not its file errors.csv" in text and "does not show it" in text for text in said)


def test_EM_04_a_mail_too_large_goes_without_its_files_which_are_brought_to_the_thread(stage: Stage) -> None:
    stage.post.takes_files = False
    reported(stage)
    send(stage)

    (taken,) = stage.post.taken
    assert taken.attachments == () and "Without its files (errors.csv)" in taken.text and "errors.csv" in taken.html
    assert [title.partition(" ")[0] for title in stage.channel.files].count("errors.csv") == 2
    said = [args["text"] for name, args in waiting(stage.behind) if name == "say"]
    assert any("without its files (errors.csv)" in text and "They are here." in text for text in said)
    assert {state for (state,) in stage.rows("select state from delivery")} == {"sent"}
