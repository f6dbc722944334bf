"""An SFTP server on this machine, in a process of its own: `python -m tests.sources.sftp_peer FOLDER`."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import asyncssh

LOGINS = "logins.txt"  # beside the folder that is shown: a line for each login that was tried


class _Logins(asyncssh.SSHServer):
    told: Path

    def begin_auth(self, username: str) -> bool:
        with self.told.open("a") as file:
            file.write(f"{username}\n")
        return True

    def password_auth_supported(self) -> bool:
        return True

    def validate_password(self, username: str, password: str) -> bool:
        return (username, password) == ("lab", "right-password")


@dataclass
class SftpPeer:
    """`folder` is what it shows as /."""

    folder: Path
    port: int
    host_key: str

    @property
    def root(self) -> str:
        return f"sftp://127.0.0.1:{self.port}/"

    @property
    def logins(self) -> list[str]:
        told = self.folder.with_name(LOGINS)
        return told.read_text().split() if told.exists() else []


@contextmanager
def sftp_peer(folder: Path) -> Iterator[SftpPeer]:
    command = [sys.executable, "-m", "tests.sources.sftp_peer", str(folder)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        try:
            assert process.stdout is not None
            port, host_key = process.stdout.readline().strip().split(" ", 1)
            yield SftpPeer(folder, int(port), host_key)
        finally:
            process.kill()


async def _serve(folder: Path) -> None:
    key = asyncssh.generate_private_key("ssh-ed25519")
    server = await asyncssh.listen(
        "127.0.0.1",
        0,
        server_host_keys=[key],
        server_factory=type("Logins", (_Logins,), {"told": folder.with_name(LOGINS)}),
        sftp_factory=lambda chan: asyncssh.SFTPServer(chan, chroot=str(folder).encode()),
    )
    print(server.get_port(), key.export_public_key().decode().strip(), flush=True)
    await server.wait_closed()


if __name__ == "__main__":
    asyncio.run(_serve(Path(sys.argv[1])))
