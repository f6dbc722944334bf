"""Replies in a routine's thread: a number is explained from the report itself, a file is left out of one report."""

from __future__ import annotations

from tests.flows.small_logs import week
from tests.flows.world import World

ODD = {"mill.log": b"<binlog v2>\n" + b"\x01~~ page ~~\n" * 40}


def test_a_number_is_explained_and_a_file_is_skipped_once(world: World) -> None:
    # Given a routine whose first report is out, with a log of an instrument that nobody had when it was agreed on
    request = world.request(files=week(world.desk.now()))
    world.approve(world.card())
    quiet = b"".join(
        line for line in week(world.desk.now())["press.log"].splitlines(keepends=True) if b" INFO " in line
    )
    world.alice.post("#lab", "The saw is here", files={"saw.log": quiet})
    world.monday()
    world.posted("version 1", "approved by")
    world.posted("New in this report, and counted: saw.log", "leave out NAME every time")
    world.desk.wait_for_mail(lambda mail: bool(mail.to))

    # When anybody asks why, then the report's own numbers answer
    world.bob.reply(request, "why 9?")
    world.posted("9 in the report of Mon", "the script measured it as", "from 4 files")
    world.alice.reply(request, "@standby where does 4711 come from?")
    world.posted("That number stands nowhere in the report of Mon")

    # When the next Monday halts on one file, and Alice says to skip it this week
    world.alice.post("#lab", "Logs", files=week(world.desk.now()) | ODD)
    world.monday()
    surprise = world.posted("Nothing was delivered", "mill.log")
    world.posted("mill.log cannot be used", after=surprise)
    world.alice.reply(request, "skip the lamp this week")
    world.posted("No file of this report is called “lamp”", "kiln.log, mill.log, press.log")
    world.alice.reply(request, "skip mill this week")
    card = world.card(after=surprise)
    assert card.says("version 2", "once, for the report of Mon", "without mill.log", "counts for the report of")
    assert card.says("ways in which these files could change")  # it was heard like any other version

    # Then it is approved like any other, runs for that slot alone, and version 1 stays current
    world.press_approve(card, world.bob)
    world.posted("counts once, without mill.log")
    report = world.posted("version 2", "approved by", after=card)
    assert report.says("Without mill.log", "left out of this report, as approved")
    mail = world.desk.wait_for_mail(lambda mail: "version 2" in mail.text)
    assert "Without mill.log" in mail.text

    # When another time is said, then it is the current version that gets it, with nothing else changed
    world.alice.reply(request, "@standby every Tuesday at 9")
    retimed = world.card(after=report)
    assert retimed.says("version 3", "Tuesdays 09:00")
    assert 'cron = "0 9 * * tue"' in "".join(page.words for page in world.pages(retimed, world.bob))
    world.alice.post(
        "#lab", "Logs", files={f"next-{name}": body for name, body in week(world.desk.now()).items()} | ODD
    )
    world.monday()
    world.posted("Nothing was delivered", "mill.log", after=report)
    assert world.count("version 4") == 0
