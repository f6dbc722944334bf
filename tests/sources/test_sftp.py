"""Files of an SFTP server: its key is compared before a login is sent, and only whole files count."""

import os
import shutil
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import asyncssh
import pytest
from pydantic import ValidationError

from bot.settings import Settings
from bot.source_settings import SourceSettings
from bot.sources.errors import SourceChanged, SourceRefused, SourceUnreachable
from bot.sources.reach import Reach
from tests.sources.conftest import settings_with, taken
from tests.sources.sftp_peer import LOGINS, SftpPeer, sftp_peer


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SftpPeer]:
    far = tmp_path_factory.mktemp("sftp") / "far"
    far.mkdir()
    with sftp_peer(far) as peer:
        yield peer


@pytest.fixture
def sftp(server: SftpPeer) -> Iterator[SftpPeer]:
    """The server with one empty folder, and nobody tried to log in yet."""
    (server.folder / "logs").mkdir()
    yield server
    shutil.rmtree(server.folder / "logs")
    server.folder.with_name(LOGINS).unlink(missing_ok=True)


def _settings(sftp: SftpPeer, **source: Any) -> Settings:
    login = {"user": "lab", "password": "right-password", "host_key": sftp.host_key, "private": True}
    return settings_with({"instruments": {"root": sftp.root, **login, **source}})


def test_a_pattern_finds_its_files(sftp: SftpPeer) -> None:
    body = os.urandom(3_000_000)
    (sftp.folder / "logs" / "a.log").write_bytes(body)
    (sftp.folder / "logs" / "b.log").write_bytes(b"")
    (sftp.folder / "logs" / "c.txt").write_bytes(b"no")
    assert taken(_settings(sftp), f"{sftp.root}logs/*.log") == {"a.log": body, "b.log": b""}
    assert taken(_settings(sftp), f"{sftp.root}logs/none.log", f"{sftp.root}nowhere/*.log") == {}


def test_a_wrong_password_is_said_without_it(sftp: SftpPeer) -> None:
    with pytest.raises(SourceRefused, match="does not take the login") as refused:
        taken(_settings(sftp, password="wrong-password"), f"{sftp.root}logs/*.log")
    assert "wrong-password" not in str(refused.value)


def test_a_server_with_another_key_is_told_no_login(sftp: SftpPeer) -> None:
    other = asyncssh.generate_private_key("ssh-ed25519").export_public_key().decode().strip()
    with pytest.raises(SourceRefused, match="another key than settings say"):
        taken(_settings(sftp, host_key=other), f"{sftp.root}logs/*.log")
    assert sftp.logins == []


def test_a_server_that_lacks_the_kind_of_key_is_told_no_login(sftp: SftpPeer) -> None:
    other = asyncssh.generate_private_key("ecdsa-sha2-nistp256").export_public_key().decode().strip()
    with pytest.raises(SourceRefused, match="another key than settings say"):
        taken(_settings(sftp, host_key=other), f"{sftp.root}logs/*.log")
    assert sftp.logins == []


def test_no_source_without_the_servers_key() -> None:
    with pytest.raises(ValidationError, match="anybody could be that host"):
        SourceSettings(root="sftp://example.org/logs/")


def test_a_key_as_known_hosts_has_it(sftp: SftpPeer) -> None:
    (sftp.folder / "logs" / "a.log").write_bytes(b"x")
    settings = _settings(sftp, host_key=f"[127.0.0.1]:{sftp.port} {sftp.host_key} somebody@there")
    assert taken(settings, f"{sftp.root}logs/a.log") == {"a.log": b"x"}


def test_a_file_that_grows_while_it_is_read_does_not_count(sftp: SftpPeer) -> None:
    path = sftp.folder / "logs" / "a.log"
    path.write_bytes(b"x" * 100_000)
    with Reach(_settings(sftp), ()) as reach:
        (one,) = reach.find([f"{sftp.root}logs/a.log"])

        def meddle(*_: object) -> None:
            with path.open("ab") as file:
                file.write(b"more")

        with pytest.raises(SourceChanged):
            reach.take(one, BytesIO(), meddle)


def test_a_file_is_read_on_from_where_it_was_cut(sftp: SftpPeer) -> None:
    body = os.urandom(1_000_000)
    (sftp.folder / "logs" / "a.log").write_bytes(body)
    into = BytesIO(body[:400_000])
    with Reach(_settings(sftp), ()) as reach:
        (one,) = reach.find([f"{sftp.root}logs/a.log"])
        reach.take(one, into)
    assert into.getvalue() == body


def test_an_inner_server_has_to_be_allowed(sftp: SftpPeer) -> None:
    with pytest.raises(SourceRefused, match="address of an inner network"):
        taken(_settings(sftp, private=False), f"{sftp.root}logs/*.log")
    assert sftp.logins == []


def test_a_server_that_ends_in_the_middle_is_tried_again_later(tmp_path: Path) -> None:
    (tmp_path / "far").mkdir()
    with sftp_peer(tmp_path / "far") as peer:
        settings = _settings(peer)
    with pytest.raises(SourceUnreachable):
        taken(settings, f"{peer.root}a.log")
