"""Two processes at the same instant: one wins, and the other is told."""

from pathlib import Path

from tests.approval.races import race


def test_AP_13_one_of_two_presses_at_the_same_instant_counts(database_url: str, tmp_path: Path) -> None:
    assert race(database_url, tmp_path / "blobs", rounds=12) == []
