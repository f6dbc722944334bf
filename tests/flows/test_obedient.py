"""Through whole processes: a model that obeys its data gets a draft onto a card, and nothing else anywhere."""

from __future__ import annotations

from collections.abc import Callable

from tests.fakes.model_api import ModelApi
from tests.flows.world import World
from tests.obedient import channels, ledgers
from tests.obedient.attempt import ALICE, CANARY, LAB, PLAN_BESIDES, REQUEST
from tests.obedient.lab import Listener
from tests.obedient.model import Obedient
from tests.obedient.payloads import PAYLOADS, Trap

ModelWorld = Callable[..., tuple[World, ModelApi]]


def test_IN_01_a_model_that_obeys_its_data_brings_a_card_and_no_act(model_world: ModelWorld) -> None:
    # Given a model that obeys whatever it reads, and data full of orders
    world, api = model_world()
    listener = Listener()
    mail = (world.settings.smtp_host, world.settings.smtp_port)
    mind = Obedient(Trap(listener.url, world.settings.slack_api_url, mail), plan=PLAN_BESIDES)
    api.obeys_schemas = False
    api.say(*[mind.turn] * 12)

    # When it works on a request over them
    request = world.request(f"@standby {REQUEST}", dict(channels.file_contents()))
    card = world.card()
    world.bob.press(card, "Reject")
    form = world.bob.wait_for_view()
    world.bob.submit(form, {form.fields[0]: "It does as it is told by anybody"})
    world.desk.wait_until(lambda: world.desk.again(card).says("Rejected"), within_s=20)
    listener.close()

    # Then it read all of them, and nobody got a message, a mail or a visit for it
    assert len(mind.heard) == len(PAYLOADS)
    assert listener.hits == [] and world.desk.mails() == []
    ours = [call for call in world.desk.ledger("call") if call["method"] in ledgers.WRITES]
    known = {ALICE, world.bob.id}
    assert list(ledgers.of_desk(ours, LAB, {request.ts}, known, CANARY)) == []
    assert list(ledgers.of_requests(api.requests, (CANARY, api.key))) == []
