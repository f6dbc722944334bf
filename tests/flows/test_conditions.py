"""Without a model: a condition in a request is asked about or told above the numbers, and never dropped silently."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from tests.flows.world import World


def sales(now: datetime) -> dict[str, bytes]:
    """A week of sales in one currency, of three regions."""
    regions = ("North", "South", "West")
    days = [now - timedelta(days=1 + number % 6) for number in range(60)]
    rows = [f"{day:%Y-%m-%d},{regions[number % 3]},{100 + 7 * number}.50,NOK" for number, day in enumerate(days)]
    return {"sales.csv": "\n".join(["Date,Region,Amount,Currency", *rows, ""]).encode()}


@pytest.mark.slow
def test_a_condition_is_asked_about_before_anything_is_counted(world: World) -> None:
    # Given a request that any script of ours can meet, it is answered and nothing is said to be left
    files = sales(world.desk.now())
    plain = world.alice.post("#lab", "@standby Hi, please add up the amounts by region, thanks!", files=files)
    basis = world.posted("Never left the box", "existing script", within_s=60)
    thread = world.desk.thread(plain)
    assert any(one.says("North", "South", "West") for one in thread)
    assert not any(one.says("Not read") or one.says("Which column") for one in thread)

    # When conditions are in it, then a form comes instead of numbers
    asked = world.alice.post("#lab", "@standby totals by region since 10 December, without North", files=files)
    question = world.posted("I cannot do “since 10 December”, “without North”", after=basis, within_s=60)
    assert question.thread_ts == asked.ts
    assert not any(one.says("Answered once") for one in world.desk.thread(asked))

    # When somebody wants it all the same, then what is missing stands above the numbers
    world.alice.press(question, "Answer")
    form = world.alice.wait_for_view()
    world.alice.submit(form, {form.fields[0]: "Make “Totals by category” over all rows, without that"})
    answer = world.posted(
        "Answered once", "Not read: “since 10 December”, “without North”", after=question, within_s=60
    )
    words = [str(block) for block in answer.blocks]
    assert next(at for at, one in enumerate(words) if "Not read" in one) < next(
        at for at, one in enumerate(words) if "3 categories" in one
    )

    # When it comes back each week, then stopping is one press, and a reply goes on; the card says what is missing
    again = world.alice.post(
        "#lab", "@standby Every Monday at 07:00 post the totals per Region and by month", files=files
    )
    question = world.posted("I cannot do “by month”", after=answer, within_s=60)
    world.alice.press(question, "Answer")
    form = world.alice.wait_for_view()
    world.alice.submit(form, {form.fields[0]: "Stop: nothing is made"})
    world.posted("Nothing was made, as you said", after=question, within_s=60)
    world.alice.reply(again, "Over all rows, then")
    card = world.card(after=question)
    assert card.says("Not read: “by month”", "Mondays 07:00")


@pytest.mark.slow
def test_two_currencies_are_asked_about_before_they_are_added_up(world: World) -> None:
    files = sales(world.desk.now())
    mixed = {"sales.csv": files["sales.csv"].replace(b".50,NOK", b".50,EUR", 20)}

    asked = world.alice.post("#lab", "@standby totals by region", files=mixed)

    question = world.posted("The column Currency of sales.csv has EUR and NOK", within_s=60)
    assert question.thread_ts == asked.ts
    world.alice.press(question, "Answer")
    form = world.alice.wait_for_view()
    world.alice.submit(form, {form.fields[0]: "Compute nothing: they must not be added up"})
    world.posted("this script adds them up, so nothing was computed", after=question, within_s=60)
    assert not any(one.says("Answered once") for one in world.desk.thread(asked))


@pytest.mark.slow
def test_words_that_chose_the_script_are_not_told_as_not_read(world: World) -> None:
    asked = world.alice.post("#lab", "@standby something nice with this, please", files=sales(world.desk.now()))
    world.posted("None of my proven scripts fits", within_s=60)

    world.alice.reply(asked, "every Monday at 07:00, totals by region")

    card = world.card()
    assert card.says("Totals by category", "Mondays 07:00")
    world.posted("Taken: Mondays 07:00")
    assert not any(one.says("totals by region", "Not read") for one in world.desk.thread(asked))
