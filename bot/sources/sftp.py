"""An SFTP server: the key that settings have for it is the only one believed, and the login is for it alone."""

from __future__ import annotations

import base64
import binascii
import socket
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from bot.source_settings import SourceSettings
from bot.sources.errors import SourceChanged, SourceError, SourceRefused, SourceUnreachable
from bot.sources.hosts import checked_addresses
from bot.sources.place import PIECE, Entry, Reading

if TYPE_CHECKING:
    from paramiko import PKey, SFTPAttributes, SFTPClient, SFTPFile, Transport

CONNECT_S = 15.0
PORT = 22


class Sftp:
    """A server as a place, over one connection."""

    def __init__(self, source: SourceSettings, silence_s: float) -> None:
        from paramiko import SFTPClient, SSHException  # noqa: PLC0415  half a second, and most runs need none

        parts = urlsplit(source.root)
        self._source, self._host = source, parts.hostname or ""
        self._transport = _connected(source, self._host, parts.port or PORT)
        try:
            client = SFTPClient.from_transport(self._transport)
            if client is None:
                raise SSHException("no channel")
            client.get_channel().settimeout(silence_s)
            self._files: SFTPClient = client
        except (SSHException, OSError, EOFError):
            self._transport.close()
            raise SourceError(f"{self._host} takes the login but offers no files (SFTP) to it.") from None

    def close(self) -> None:
        self._transport.close()

    def entry(self, path: str) -> Entry | None:
        with self._told(path):
            try:
                return _entry(path, self._files.stat(path))
            except FileNotFoundError:
                return None
        return None

    def entries(self, path: str) -> Iterator[Entry]:
        with self._told(path):
            try:
                found = self._files.listdir_attr(path)
            except FileNotFoundError:
                return
        for one in found:
            full = f"{path.rstrip('/')}/{one.filename}"
            is_link = stat.S_ISLNK(one.st_mode or 0)
            entry = self.entry(full) if is_link else _entry(full, one)
            if entry is not None:
                yield entry

    @contextmanager
    def read(self, entry: Entry, start: int) -> Iterator[Reading]:
        with self._told(entry.path):
            file = self._files.open(entry.path, "rb")
        try:
            with self._told(entry.path):
                self._compare(entry, file.stat())
                file.seek(start)
                file.prefetch(entry.size_bytes, max_concurrent_requests=64)
            yield Reading(start, self._pieces(entry.path, file))
            with self._told(entry.path):
                self._compare(entry, self._files.stat(entry.path))
        finally:
            file.close()

    def _pieces(self, path: str, file: SFTPFile) -> Iterator[bytes]:
        while True:
            with self._told(path):
                piece: bytes = file.read(PIECE)
            if not piece:
                return
            yield piece

    @contextmanager
    def _told(self, path: str) -> Iterator[None]:
        """Whatever the library raises in the block, as an error of ours."""
        from paramiko import SSHException  # noqa: PLC0415

        address = f"sftp://{self._host}{path}"
        try:
            yield
        except FileNotFoundError:
            raise SourceChanged(f"{address} is gone since it was looked for.") from None
        except PermissionError:
            raise SourceRefused(
                f"{address} may not be read by the user that settings name, so there is no report from it. "
                "Give that user the right on the server."
            ) from None
        except TimeoutError:
            raise SourceUnreachable(f"{address} did not answer in time.") from None
        except (SSHException, OSError, EOFError) as error:
            said = self._source.masked(str(error))[:200] or type(error).__name__
            raise SourceUnreachable(f"{address} could not be read: {said}.") from None

    def _compare(self, entry: Entry, seen: SFTPAttributes) -> None:
        if _mark(seen) != entry.mark:
            raise SourceChanged(
                f"sftp://{self._host}{entry.path} changed while it was read, so what was read of it does not count."
            )


def _connected(source: SourceSettings, host: str, port: int) -> Transport:
    from paramiko import AuthenticationException, SSHException, Transport  # noqa: PLC0415

    addresses = checked_addresses(host, port, is_private=source.private)
    expected, login = _host_key(source.host_key), _login_key(source)
    try:
        transport = Transport(_first_that_answers(addresses, port))
    except OSError as error:
        raise SourceUnreachable(f"sftp://{host}:{port} does not answer ({error.strerror or error}).") from None
    transport.banner_timeout = transport.auth_timeout = transport.handshake_timeout = CONNECT_S
    kinds = ("rsa-sha2-512", "rsa-sha2-256") if expected.get_name() == "ssh-rsa" else (expected.get_name(),)
    try:
        transport.get_security_options().key_types = kinds
        transport.start_client(timeout=CONNECT_S)
        if transport.get_remote_server_key() != expected:
            raise SourceRefused(_OTHER_KEY.format(host=host))
        if login is not None:
            transport.auth_publickey(source.user, login)
        else:
            transport.auth_password(source.user, source.password.get_secret_value())
        return transport
    except AuthenticationException:
        transport.close()
        raise SourceRefused(
            f"sftp://{host} does not take the login that settings have for it, so there is no report. "
            "An admin corrects user, password or key_file in STANDBY_SOURCES."
        ) from None
    except (SSHException, OSError, EOFError) as error:
        transport.close()
        if "no acceptable host key" in str(error).lower() or "incompatible ssh peer" in str(error).lower():
            raise SourceRefused(_OTHER_KEY.format(host=host)) from None
        raise SourceUnreachable(f"sftp://{host} could not be talked to: {source.masked(str(error))[:200]}.") from None
    except SourceError:
        transport.close()
        raise


def _first_that_answers(addresses: list[str], port: int) -> socket.socket:
    for address in addresses[:-1]:
        with suppress(OSError):
            return socket.create_connection((address, port), CONNECT_S)
    return socket.create_connection((addresses[-1], port), CONNECT_S)


_OTHER_KEY = (
    "The server that answers as {host} has another key than settings say, so nothing was told to it, no login either. "
    "Either somebody stands between, or the server was set up anew: then an admin puts its new key into host_key."
)


def _host_key(text: str) -> PKey:
    from paramiko import PKey, SSHException  # noqa: PLC0415

    words = text.split()  # known_hosts has the host's name before them, a .pub file a comment after
    start = next((n for n, word in enumerate(words) if word.startswith(("ssh-", "ecdsa-"))), 0)
    kind, data = (*words[start : start + 2], "", "")[:2]
    try:
        return PKey.from_type_string(kind, base64.b64decode(data))
    except (SSHException, binascii.Error, ValueError, KeyError) as error:
        raise SourceError(
            f"host_key of an sftp source is no public key ({error}). Write it as known_hosts has it: ssh-ed25519 AAAA…"
        ) from None


def _login_key(source: SourceSettings) -> PKey | None:
    from paramiko import PKey, SSHException  # noqa: PLC0415

    if source.key_file is None:
        return None
    try:
        return PKey.from_path(source.key_file, source.password.get_secret_value().encode() or None)
    except (SSHException, OSError, ValueError, TypeError):
        raise SourceError(
            f"{source.key_file} holds no private key that can be used, so nothing was asked. Its password, where it "
            "has one, is that of the source."
        ) from None


def _entry(path: str, seen: SFTPAttributes) -> Entry | None:
    mode = seen.st_mode or 0
    if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
        return None
    modified = datetime.fromtimestamp(seen.st_mtime, UTC) if seen.st_mtime else None
    return Entry(path, stat.S_ISDIR(mode), seen.st_size, _mark(seen), modified)


def _mark(seen: SFTPAttributes) -> str:
    return f"{seen.st_size}-{seen.st_mtime}"
