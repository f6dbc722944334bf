"""A large file from a source into kept files: how long and in how much memory, beside `cp` and the disk's own word."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from tests.bench.bench import Bench, demand
from tests.bench.plants import CHECKOUT, Plant

GB = 2
MORE_MIB = 64  # what taking a file may need besides the program itself, whatever its size
# A file is read in one piece.
PLANT = Plant("bot/sources/place.py", "PIECE = 1 << 20", "PIECE = 1 << 31")


def measure(folder: Path, code: Path | None, rest: list[str]) -> dict[str, Any]:
    """`rest` may say how many GB, 2 without it."""
    gb = int(rest[0]) if rest else GB
    source = folder / "lab" / "big.log"
    source.parent.mkdir()
    sha256 = _written(source, gb)
    taken = _take(source, folder / "kept", code)
    demand(taken["sha256"] == sha256, "what is kept is not what the source has")
    demand(int(taken["more_mib"]) < MORE_MIB, f"{taken['more_mib']} MiB more for a file of {gb} GB")
    cp_seconds = _copied(source, folder / "copy")
    (folder / "copy").unlink()
    refused = _take(source, folder / "kept", code, "grows")
    demand("changed while it was read" in str(refused), f"a file that grew was taken: {refused}")
    kept = [path.name for path in (folder / "kept").rglob("*") if path.is_file()]
    demand(kept == [sha256], f"something half-staged is left: {kept}")
    return {"gb": gb, "seconds": taken["seconds"], "rss_mib": taken["rss_mib"], "cp_seconds": cp_seconds}


def _written(path: Path, gb: int) -> str:
    """No two pieces alike, so that neither a disk nor a copy can save on them."""
    digest, block = hashlib.sha256(), os.urandom(1 << 20)
    with path.open("wb") as file:
        for number in range(gb * 1_000):
            piece = number.to_bytes(8, "big") + block[: 1_000_000 - 8]
            digest.update(piece)
            file.write(piece)
        file.flush()
        os.fsync(file.fileno())
    return digest.hexdigest()


def _take(source: Path, kept: Path, code: Path | None, *more: str) -> dict[str, Any]:
    command = [sys.executable, str(CHECKOUT / "tests/bench/staging_part.py"), str(source), str(kept), *more]
    environment = {**os.environ, "PYTHONPATH": str(code or CHECKOUT), "PYTHONSAFEPATH": "1"}
    ran = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    demand(ran.returncode == 0, f"taking the file failed: {ran.stderr[-1000:]}")
    found: dict[str, Any] = json.loads(ran.stdout)
    return found


def _copied(source: Path, to: Path) -> float:
    began = time.monotonic()
    subprocess.run(["cp", "--reflink=never", str(source), str(to)], check=True)
    with to.open("rb") as file:
        os.fsync(file.fileno())
    return round(time.monotonic() - began, 2)


BENCH = Bench(measure, PLANT)
