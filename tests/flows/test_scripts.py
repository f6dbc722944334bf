"""A person's own script: it becomes a version of which they are the author; when it breaks, that is told as such."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.desk_client import DeskRefused
from tests.flows.small_logs import week
from tests.flows.world import REQUEST, World

# Counts lines whatever their form; it has a bug that shows when a log has exactly fifty of them.
OWN = """\"\"\"Counts lines per log, whatever their form.\"\"\"

from kit import check, inputs, intermediate, report

files = inputs()
check("NoInput", bool(files), "no files", expected="logs")
counts = {}
for file in files:
    text = open(f"inputs/{file.name}").read()
    check("OddFile", not text.startswith("{"), f"{file.name} is JSON", file=file.name)
    counts[file.name] = text.count("\\n")
rates = [1 / (count - 50) for count in counts.values()]
total = sum(counts.values())
intermediate("lines read", total, "lines")
report(
    period="",
    total=total,
    files=len(counts),
    counted="lines of any kind",
    worst=f"{max(rates):.2f}",
    quiet="none",
    lines=total,
    continued=0,
)
"""


def test_a_script_of_ones_own_answers_a_surprise_and_its_error_is_told(world: World) -> None:
    # Given a routine that halted on something that no library script reads
    world.request(files=week(world.desk.now()))
    world.approve(world.card())
    world.monday()
    world.posted("version 1", "approved by")
    odd = week(world.desk.now()) | {"mill.log": b"<binlog v2>\n" + b"\x01~~ page ~~\n" * 40}
    world.alice.post("#lab", "Logs", files=odd)
    world.monday()
    surprise = world.posted("Nothing was delivered", "mill.log")
    world.posted("mill.log cannot be used", after=surprise)
    assert len(world.desk.mails()) == 1

    # When Alice posts her own script, then it is a version that she cannot approve and Bob can
    world.alice.reply(surprise, "This one counts lines", files={"count.py": OWN.encode()})
    card = world.card(after=surprise)
    assert card.says("version 2")
    assert world.desk.again(card).says("needs review") or world.desk.again(card).says("to review")
    with pytest.raises(DeskRefused, match="no 'Approve' to press"):
        world.press_approve(card, world.alice)
    world.approve(card)  # her script has fewer checks than the library's, so that takes a second press
    world.posted("version 2", "approved by", after=card)
    world.desk.wait_until(lambda: len(world.desk.mails()) == 2)

    # When that script breaks on a later week, then the thread says script error, and nothing is delivered
    kiln = odd["kiln.log"]
    later = odd | {"kiln.log": kiln + b"".join(kiln.splitlines(keepends=True)[:10])}
    world.alice.post("#lab", "Logs", files=later)
    world.monday()
    error = world.posted("Nothing was delivered", "ZeroDivisionError", after=card)
    assert error.says("script error")
    assert len(world.desk.mails()) == 2


@pytest.mark.slow
def test_what_ran_clean_is_proposed_for_another_request_with_its_author_and_approver_known(
    new_world: Callable[..., World],
) -> None:
    # Given a team where one clean run proves a plan, and Alice's own script, which Bob approved and which ran once
    world = new_world(proven_after=1)
    world.start()
    world.request(files=week(world.desk.now()))
    world.approve(world.card())
    odd = week(world.desk.now()) | {"mill.log": b"<binlog v2>\n" + b"\x01~~ page ~~\n" * 40}
    world.alice.post("#lab", "Logs", files=odd)
    world.monday()
    surprise = world.posted("Nothing was delivered", "mill.log")
    world.posted("mill.log cannot be used", after=surprise)
    world.alice.reply(surprise, "This one counts lines", files={"count.py": OWN.encode()})
    world.approve(world.card(after=surprise))
    world.desk.wait_until(lambda: len(world.desk.mails()) == 1)

    # When Bob asks for such a report from files of the same shape
    asked = world.bob.post("#lab", REQUEST.replace("Monday", "Tuesday"), files=odd)
    card = world.card(after=asked)

    # Then he gets that script, with where it comes from and what else was considered, and its author cannot approve it
    assert card.says("of this team, approved by Bob", "1 clean run", "Also considered: Log error summary")
    with pytest.raises(DeskRefused, match="no 'Approve' to press"):
        world.press_approve(card, world.alice)
