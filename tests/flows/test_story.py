"""The story: from a question to a delivered report, and the halted Monday after it. No model key anywhere."""

from __future__ import annotations

import re

from bot.slack.cards.blocks import weight
from tests.flows.world import LAB_LIST, World


def test_the_story_from_request_to_the_rerun_monday(world: World) -> None:
    # Given a request with fourteen logs
    logs = world.desk.story_files("request")
    request = world.request(files=logs)
    world.posted("On it", within_s=10)
    card = world.card()
    assert card.thread_ts == request.ts
    assert card.says("existing script", "Mondays 07:00 Europe/Oslo", "OddFile", "lab@example.org", "from kit import")
    assert card.has_button("Approve"), f"the card holds its script only in part: {weight(card.blocks)} characters"

    # When the teammate approves and it becomes Monday, then the report is in channel and mail, once each
    world.approve(card)
    assert not world.desk.again(card).has_button("Approve")
    world.monday()
    mail = world.desk.wait_for_mail(lambda mail: bool(mail.to), within_s=60)
    assert tuple(mail.to) == LAB_LIST
    report = world.posted("version 1", "approved by")
    lines = b"".join(logs.values()).splitlines()
    errors = sum(line.split()[2] == b"ERROR" for line in lines)
    assert re.search(rf"\b{errors} errors", report.words)

    # When next week's files hold JSON where text was, then the run halts before the report
    world.alice.post("#lab", "This week's logs", files=world.desk.story_files("changed"))
    world.monday()
    surprise = world.posted("OddFile", "spectro-07.log", "Nothing was delivered")
    assert surprise.thread_ts == request.ts
    assert len(world.desk.mails()) == 1

    # And the same script with another reader for that file is proposed, with its diff
    fix = world.card(after=surprise)
    assert fix.says("spectro-07.log", "json", "version 2", "computed differently now", "how spectro-07.log is read")
    assert not fix.says("loosens"), fix.words
    assert fix.says("would be different with this version", "would stop there: OddFile", "as in version 1"), fix.words
    assert fix.has_button("Approve"), f"the card holds what changes only in part: {weight(fix.blocks)} characters"
    assert any("errors (ERROR and CRITICAL)" in page.words for page in world.pages(fix, world.bob))
    world.approve(fix)

    # Then the halted Monday is rerun and delivered
    world.desk.wait_until(lambda: len(world.desk.mails()) == 2, within_s=60)
    world.posted("version 2", "approved by", after=fix)
    assert [one["error"] for one in world.desk.refused()] == []
