"""What a slot without files says."""

import pytest

from bot.work.inputs import none_posted


@pytest.mark.parametrize(
    ("outside", "of_requests", "message", "seen"),
    [
        (0, 0, "No files were posted for this slot.", "0 files"),
        (
            0,
            14,
            "No files but those of other requests were posted for this slot.",
            "14 in the threads of other requests",
        ),
        (2, 0, "No files were posted for this slot.", "2 by people from outside this workspace, which do not count"),
        (2, 3, "No files but those of other requests were posted for this slot.", "workspace and 3 in the threads"),
    ],
)
def test_a_slot_without_files_says_which_ones_do_not_count(
    outside: int, of_requests: int, message: str, seen: str
) -> None:
    found = none_posted(outside, of_requests)
    assert found.name == "NoInput"
    assert found.message == message
    assert seen in found.seen
