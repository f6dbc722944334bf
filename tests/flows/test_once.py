"""Asked once, answered now, without a model: the answer in the thread, its script beside it, and a way to keep it."""

from __future__ import annotations

import pytest

from tests.flows.world import World

ASKED = "@standby Compute the net margin of each subsidiary and rank them"


@pytest.mark.slow  # the stories in a browser ask one too
def test_a_question_asked_once_is_answered_now_and_kept_by_a_button(world: World) -> None:
    # When thirty books are attached to a question that says nothing of a time
    books = world.desk.story_files("books")
    asked = world.alice.post("#lab", ASKED, files=books)

    # Then it is answered in its thread, by a table that Slack draws, without any question
    basis = world.posted("Never left the box", "existing script", within_s=60)
    thread = world.desk.thread(asked)
    answer = next(one for one in thread if one.is_from_bot and one.says("Net margin of 30 files"))
    [table] = [block for block in answer.blocks if block["type"] == "table"]
    assert len(table["rows"]) == 31
    assert basis.thread_ts == asked.ts
    assert basis.says("rows read (72,000 rows)", "30 files", "no model was asked", "nothing is scheduled")
    assert not any(one.says("When should it run") for one in thread)
    scripts = {file["name"]: world.desk.download(file) for one in thread for file in one.files}
    assert b"from kit import" in scripts["ranked-margin.py"]
    assert world.count("needs review") == 0

    # When a stranger would keep another like it, nothing happens; when Alice does, a card comes, which Bob may approve
    few = {name: body for name, body in books.items() if name[0] in "ab"}
    asked = world.alice.post("#lab", ASKED, files=few)
    basis = world.posted("Never left the box", "existing script", within_s=60, after=basis)
    world.charlie.press(basis, "Keep this as a routine")
    form = world.charlie.wait_for_view()
    refused = world.charlie.submit(form, {form.fields[0]: "every Monday at 07:00"})
    assert "Only members of this workspace" in str(refused.errors)
    world.alice.press(basis, "Keep this as a routine")
    form = world.alice.wait_for_view()
    unread = world.alice.submit(form, {form.fields[0]: "once"})
    assert "A routine comes back" in str(unread.errors)
    world.alice.submit(form, {form.fields[0]: "every Monday at 07:00"})

    # And that the books are of last year, which a routine must not report as news, is asked about
    question = world.posted("Do new files always end so long before", within_s=60)
    world.bob.press(question, question.buttons[0])
    form = world.bob.wait_for_view()
    world.bob.submit(form, {form.fields[0]: "No: it is old, and old files must not be reported as new"})
    card = world.card(after=basis)
    assert card.thread_ts == asked.ts
    assert card.says("Mondays 07:00", "existing script")
    world.approve(card)


@pytest.mark.slow
def test_recipients_are_asked_about_once_and_a_surprise_is_told_with_its_evidence(world: World) -> None:
    # When somebody names recipients and no time, then one form settles it, and nobody is mailed
    books = {name: body for name, body in world.desk.story_files("books").items() if name[0] in "ab"}
    asked = world.alice.post("#lab", ASKED + " and email it to the finance team", files=books)
    question = world.posted("When should it run", "mail nobody")

    world.alice.press(question, "Answer")
    form = world.alice.wait_for_view()
    world.alice.submit(form, {form.fields[0]: "once, now"})

    basis = world.posted("Never left the box", "Nobody was mailed", within_s=60)
    assert basis.thread_ts == asked.ts
    assert world.desk.mails() == []

    # When one table has no revenue at all, and so no margin, then that is told instead of an answer
    header, *rows = books["basel.csv"].decode().splitlines()
    idle = [",".join([*row.split(",")[:2], "0.00", row.split(",")[3]]) for row in rows]

    world.alice.post("#lab", ASKED, files=books | {"idle.csv": "\n".join([header, *idle, ""]).encode()})

    said = world.posted("I have no answer", "ZeroRevenue", "idle.csv", within_s=60)
    assert said.says("Nothing was guessed")
    assert not any(block["type"] == "table" for one in world.desk.thread(said) for block in one.blocks)
