"""A jail is believed when it was seen to confine, and not because it starts."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from sandbox.server.find_jail import why_not
from sandbox.server.jail import Cell, Launch
from sandbox.server.limits import Limits
from tests.box.conftest import NO_JAIL, may_skip
from tests.box.local_server import NOBODYS, LocalServer, ServerRefused


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


@pytest.mark.root
@pytest.mark.parametrize("owner", [NOBODYS, 0])
def test_only_a_closed_folder_of_another_account_is_in_roots_way_and_it_is_named(tmp_path: Path, owner: int) -> None:
    closed = tmp_path / "some one"
    (closed / "server").mkdir(parents=True)
    os.chown(closed, owner, owner)
    closed.chmod(0o700)

    if owner == 0:
        LocalServer(closed / "server").stop()
        return
    with pytest.raises(ServerRefused) as refused:
        LocalServer(closed / "server")

    assert NO_JAIL in str(refused.value)
    assert f"cannot pass through {closed}" in str(refused.value)
    assert f"sudo chmod o+x '{closed}'" in str(refused.value)


@pytest.mark.parametrize(("said", "skips"), [({}, True), ({"CI": "true"}, False), ({"CI": "1"}, False)])
def test_where_boxes_must_be_shown_to_be_sealed_no_test_of_them_skips(said: dict[str, str], skips: bool) -> None:
    assert may_skip(said) is skips
