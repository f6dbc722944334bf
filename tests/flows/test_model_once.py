"""Asked once, with a model: it looks at one file, ten lines read all of them, and what was sent is there to be read."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from tests.fakes.model_api import Asked, Json, ModelApi, text, use
from tests.flows import books
from tests.flows.rows import without_numbers
from tests.flows.world import World

ModelWorld = Callable[..., tuple[World, ModelApi]]
FILES = 4
CHECKED = """files = inputs()
check("NoInput", bool(files), "no file was posted")
for file in files:
    check("OddFile", file.size_bytes > 100, f"{file.name} has no rows", file=file.name)
"""
PLAN = (
    books.SCRIPT.replace("import inputs", "import check, inputs")
    .replace("read_table, table", "read_table, report, table")
    .replace("for file in inputs():\n", CHECKED)
    + "report(shops=len(kept), best=kept[0][1])\n"
)
TOML = """title = "Share kept"

[[checks]]
name = "NoInput"
says = "at least one file was posted"

[[checks]]
name = "OddFile"
says = "every file has rows"

[[intermediates]]
name = "rows read"
unit = "rows"

[surprise]
name = "OddFile"
drift = "file-empty"
why = "a shop that was closed sends an empty file"
"""


@pytest.mark.slow  # tests/flows/test_once.py is the same without a model
def test_an_answer_that_a_model_computed_shows_what_was_sent_and_becomes_a_routine(model_world: ModelWorld) -> None:
    # Given a question that no proven script knows, over few rows and over ten times as many
    world, api = model_world()
    asked, basis = books.answered(world, api, books.UNKNOWN, FILES, 1_200)
    first = without_numbers(api.requests)
    before, size_bytes = len(api.requests), sum(api.sent_bytes)
    again, _ = books.answered(world, api, books.UNKNOWN, FILES, 12_000)

    # Then the same was sent but for numbers, and the same was answered
    assert without_numbers(api.requests[before:]) == first
    assert abs(sum(api.sent_bytes[before:]) - size_bytes) < 600
    assert books.thread_without_numbers(world, asked) == books.thread_without_numbers(world, again)

    # And the answer is a native table, with the script beside it, and what left the box in words
    thread = world.desk.thread(asked)
    [table] = [block for one in thread for block in one.blocks if block["type"] == "table"]
    assert [cell["text"] for cell in table["rows"][1]] == [books.shop(0), "31.00 %"]
    scripts = {file["name"]: world.desk.download(file) for one in thread for file in one.files}
    assert scripts["answer.py"].decode() == books.SCRIPT
    assert basis.says("ad hoc", "rows read (4,800 rows)", f"the sample of {books.shop(0)}.csv", "bytes of data in all")

    # When a stranger asks what was sent, they are told why not; Bob reads all of it, page by page
    world.charlie.press(basis, "What was sent")
    world.told(world.charlie, "for members of this workspace")
    world.bob.press(basis, "What was sent")
    page = world.bob.wait_for_view()
    read = page.words
    while "Next" in page.words:
        seen = page.words
        world.bob.press(page, "Next")
        page = world.bob.wait_for_view(lambda view: view.words != seen)  # noqa: B023  called at once
        read += page.words
    assert "You are Standby's planner" in read
    assert books.UNKNOWN.removeprefix("@standby ") in read
    assert "2025-01-01,I-00000-00000,1000.00" in read

    # When Alice keeps it, then the same conversation makes a plan of that very script, and a card comes
    def drafting(said: Asked) -> Sequence[Json]:
        said.says("keeps this as a routine", "0 7 * * mon")
        return [use("read_file", path="plan.py")]

    def writing(said: Asked) -> Sequence[Json]:
        said.says(books.SCRIPT.strip().splitlines()[0])
        return [
            use("write_file", path="plan.py", content=PLAN),
            use("write_file", path="report.md", content="{{best}} keeps most of {{shops}} shops.\n"),
            use("write_file", path="plan.toml", content=TOML),
            use("schedule", script="plan.py", when="0 7 * * mon"),
        ]

    api.say(drafting, writing, [text("It halts when a file is empty.")])
    world.alice.press(basis, "Keep this as a routine")
    form = world.alice.wait_for_view()
    world.alice.submit(form, {form.fields[0]: "every Monday at 07:00"})
    card = world.card(after=basis)
    assert card.thread_ts == asked.ts
    assert card.says("plan as code", "Mondays 07:00", "Share kept")
    api.done()
