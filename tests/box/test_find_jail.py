"""A jail is believed when it was seen to confine, and not because it starts."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from sandbox.server.find_jail import why_not
from sandbox.server.jail import Cell, Launch
from sandbox.server.limits import Limits


@dataclass(frozen=True)
class Open:
    """A jail that runs commands and confines nothing, or fails as it starts."""

    before: tuple[str, ...] = ()
    limits: Limits = field(default_factory=Limits)
    name: str = "open"

    def cell(self, folder: Path, uid: int) -> Cell:
        return Cell(folder, uid, own_uid=False)

    @contextlib.contextmanager
    def launch(self, _cell: Cell, _cwd: str, argv: Sequence[str]) -> Iterator[Launch]:
        yield Launch([*self.before, *argv])


def test_a_jail_that_confines_nothing_is_no_jail(tmp_path: Path) -> None:
    reason = why_not(Open(), tmp_path / "trial")

    assert reason is not None and "confines nothing" in reason
    assert not (tmp_path / "trial").exists()


def test_a_jail_without_a_network_that_shows_our_files_is_no_jail(tmp_path: Path) -> None:
    reason = why_not(Open(("unshare", "-Urn")), tmp_path / "trial")

    assert reason is not None and "confines nothing" in reason


def test_a_jail_that_does_not_start_says_why(tmp_path: Path) -> None:
    assert "No such file" in str(why_not(Open(("/no/such/jail",)), tmp_path / "trial"))
