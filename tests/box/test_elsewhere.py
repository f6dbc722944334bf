"""What boxes on a Mac rest on, as far as it can be tried elsewhere; sandbox-exec itself cannot."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from sandbox.server.confined import open_by_steps
from sandbox.server.jail import Cell
from sandbox.server.limits import Limits
from sandbox.server.seatbelt import Seatbelt, profile


def read(fd: int) -> bytes:
    with os.fdopen(fd, "rb") as file:
        return file.read()


def test_a_path_is_opened_step_by_step(tmp_path: Path) -> None:
    (tmp_path / "home/user").mkdir(parents=True)
    (tmp_path / "home/user/a").write_bytes(b"1")

    assert read(open_by_steps(tmp_path, "/home/user/a", os.O_RDONLY)) == b"1"
    os.close(open_by_steps(tmp_path, "/", os.O_RDONLY | os.O_DIRECTORY))


@pytest.mark.parametrize("path", ["/link", "/folder/secret", "/home/link", "/missing"])
def test_no_link_is_followed_at_any_step(tmp_path: Path, path: str) -> None:
    outside, root = tmp_path / "outside", tmp_path / "root"
    outside.mkdir()
    (outside / "secret").write_text("of the host")
    (root / "home").mkdir(parents=True)
    (root / "link").symlink_to(outside / "secret")
    (root / "folder").symlink_to(outside)
    (root / "home/link").symlink_to("../../outside/secret")

    with pytest.raises(OSError, match=r"link|folder|missing"):
        open_by_steps(root, path, os.O_RDONLY)


def test_the_profile_denies_first_and_opens_only_the_boxs_own_folders_for_writing(tmp_path: Path) -> None:
    lines = profile((f'{tmp_path}/a "quoted" name',)).splitlines()

    assert lines[1] == "(deny default)" and "(deny network*)" in lines
    assert [line for line in lines if "file-write*" in line] == [
        f'(allow file-read* file-write* (subpath "{tmp_path}/a \\"quoted\\" name"))'
    ]


def test_a_command_is_started_at_home_and_told_where_that_is(tmp_path: Path) -> None:
    cell = Cell(tmp_path / "i1", 1000, own_uid=False)
    with Seatbelt(Limits()).launch(cell, "/home/user/plan", ["/bin/bash", "-l", "-c", "true"]) as launch:
        assert launch.argv[0] == "/usr/bin/sandbox-exec"
        assert launch.argv[-3:] == ["/bin/bash", "-c", "true"]
        assert launch.cwd == f"{tmp_path}/i1/tree/home/user/plan"
        assert launch.env["HOME"] == f"{tmp_path}/i1/tree/home/user"
