"""Who may decide, and that one press has one effect: reject, refused presses, second presses, changes."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.desk_client import DeskRefused
from tests.flows.small_logs import small
from tests.flows.world import World


def test_only_the_teammate_decides_and_only_once(world: World) -> None:
    # Given a card
    world.request(files=small(world.desk.now()))
    card = world.card()

    # When the requester reads all of it, then no Approve comes; a stranger is told that they may not read it
    with pytest.raises(DeskRefused, match="no 'Approve' to press"):
        world.alice.press(world.last_page(card, world.alice), "Approve")
    world.charlie.press(card, "Show all")
    world.told(world.charlie, "for members of this workspace")

    # When the button that the teammate was given is sent as theirs, then each is told why not, and nothing is decided
    page = world.last_page(card, world.bob)
    button = page.button("approve")
    for person, why in ((world.alice, "teammate has to approve"), (world.charlie, "not a member of this workspace")):
        assert person.forge(card, button).acked
        world.told(person, why, "Nothing was")
    assert world.desk.again(card).has_button("Reject")
    assert world.count("Bob approved: version", "is current") == 0

    # When the teammate presses twice before the card changes, then one press counts and the other is answered
    world.desk.fault("rate_limited", "chat.update", seconds=3)
    with ThreadPoolExecutor(2) as hands:
        presses = [hands.submit(world.bob.press, page, "Approve") for _ in range(2)]
    assert all(press.result().acked for press in presses)
    world.bob.wait_for_view(lambda view: "is current" in view.words or "decided already" in view.words)
    world.desk.wait_until(lambda: world.desk.again(card).says("summary: Approved"), within_s=20)
    assert world.count("Bob approved: version", "is current") == 1

    # And the same press sent once more changes nothing, and says who decided
    assert world.bob.forge(card, button).acked
    world.told(world.bob, "decided already")
    assert world.count("Bob approved: version", "is current") == 1

    # And only one report comes of it
    world.monday()
    world.desk.wait_for_mail(lambda mail: bool(mail.to), within_s=60)
    world.posted("version 1", "approved by")
    assert len(world.desk.mails()) == 1


@pytest.mark.slow  # tests/approval rejects in every state
def test_a_rejected_plan_never_runs(world: World) -> None:
    # Given a card that the teammate rejects with a reason
    world.request(files=small(world.desk.now()))
    card = world.card()
    world.bob.press(card, "Reject")
    form = world.bob.wait_for_view()
    world.bob.submit(form, {form.fields[0]: "We stopped measuring that"})

    # Then the card says who and why, without buttons
    world.desk.wait_until(lambda: world.desk.again(card).says("Rejected", "We stopped measuring that"), within_s=20)
    assert not world.desk.again(card).has_button("Approve")

    # And nothing runs on Monday
    world.monday()
    world.alice.post("#lab", "@standby are you there?")
    world.posted("I need the data")
    assert world.desk.mails() == []
    assert world.count("approved by") == 0


@pytest.mark.slow  # tests/work and tests/browser ask for them
def test_asking_for_changes_gives_a_new_version(world: World) -> None:
    # Given a card for Mondays
    world.request(files=small(world.desk.now()))
    card = world.card()

    # When the teammate asks for another day
    world.bob.press(card, "Ask for changes")
    form = world.bob.wait_for_view()
    world.bob.submit(form, {form.fields[0]: "Please run it every Tuesday at 09:30"})

    # Then a second version is proposed, and the first card is closed
    second = world.card(after=card)
    assert second.says("Tuesdays 09:30 Europe/Oslo", "version 2")
    assert not world.desk.again(card).has_button("Approve")
    world.approve(second)
    world.told(world.bob, "version 2", "First report: Tue")


@pytest.mark.slow  # the story is asked such a form too
def test_an_unknown_destination_is_asked_by_a_form(new_world: Callable[..., World]) -> None:
    # Given no destination by the name that is asked for
    world = new_world(destinations={})
    world.start()
    world.request(files=small(world.desk.now()))
    question = world.desk.wait_for(lambda m: m.says("lab list") and bool(m.buttons), within_s=60)

    # When a stranger answers, then the form says why nothing comes of it
    world.charlie.press(question, question.buttons[0])
    form = world.charlie.wait_for_view()
    refused = world.charlie.submit(form, {form.fields[0]: "charlie@example.com"})
    assert "Only members of this workspace can answer" in str(refused.errors)

    # When Alice does, then the card names her addresses
    world.alice.press(question, question.buttons[0])
    form = world.alice.wait_for_view()
    world.alice.submit(form, {form.fields[0]: "lab@example.org"})
    card = world.card()
    assert card.says("lab list: lab@example.org")
    assert not card.says("charlie@example.com")
