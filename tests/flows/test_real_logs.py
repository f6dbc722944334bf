"""The error summary on logs that real systems wrote years ago, with counts equal to an independent one."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.flows.world import World

# How each system writes a line of a level that counts as an error; read off the files, not off our readers.
ERROR_LINE = {
    "spark.log": re.compile(rb"^\S+ \S+ ERROR ", re.MULTILINE),
    "zookeeper.log": re.compile(rb"^\S+ \S+ - (?:ERROR|FATAL) ", re.MULTILINE),
}


@pytest.mark.slow  # tests/library counts the same logs
def test_error_counts_of_real_logs_equal_an_independent_count(real_data: Path, world: World) -> None:
    # These are slices that end without a line end, which would be asked about.
    files = {name: (real_data / "logs" / name).read_bytes().removesuffix(b"\n") + b"\n" for name in ERROR_LINE}
    expected = {name: len(pattern.findall(files[name])) for name, pattern in ERROR_LINE.items()}

    world.request(files=files)
    question = world.desk.wait_for(lambda m: m.says("Do new files always end so long before") and bool(m.buttons))
    world.alice.press(question, question.buttons[0])
    form = world.alice.wait_for_view()
    world.alice.submit(form, {form.fields[0]: "No: it is old, and old files must not be reported as new"})
    card = world.card()

    assert re.search(rf"\b{sum(expected.values())} errors", card.words)
