"""Who is named where somebody left: the people of Standby's own sentence, and nobody whom data names."""

from bot.domain.left_words import APPROVER_LEFT, OWNER_LEFT, who_left
from bot.slack.cards import render
from tests import views
from tests.slack.test_cards_properties import elements_of


def test_only_our_own_sentences_name_people() -> None:
    both = f"approval: {OWNER_LEFT.format('U0ALICE0001')} {APPROVER_LEFT.format('W0BOB000001')}"
    assert who_left(both) == ("U0ALICE0001", "W0BOB000001")
    assert who_left("The account of its owner <@U0ALICE0001> could not be read from a.log") == ()
    assert who_left(OWNER_LEFT.format("U0ALICE0001> <!channel")) == ()


def test_the_card_of_a_slot_that_nobody_answers_for_shows_them_as_people() -> None:
    said = OWNER_LEFT.format("U0ALICE0001")
    card = render(views.surprise(name="approval", message=said, people=who_left(said)))
    assert {"type": "user", "user_id": "U0ALICE0001"} in list(elements_of(card.blocks))
    plain = render(views.surprise(name="approval", message=said))
    assert "user" not in {one.get("type") for one in elements_of(plain.blocks)}
