"""Runs the tests' PostgreSQL in a process of its own, and ends it when no test session uses it any more."""

from __future__ import annotations

import fcntl
import json
import os
import sys
import time
from pathlib import Path

from bot.store.embedded import Embedded
from tests.folders import reachable_folder

# A test never needs its rows after a power cut; everything else is as in production.
UNSAFE_BUT_FAST = {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off", "max_connections": "200"}


def main(shared: Path) -> None:
    """Serves until the exclusive lock on `shared`/database.users can be had: until every user is gone."""
    with reachable_folder() as data:
        embedded = Embedded(data, settings=UNSAFE_BUT_FAST)
        url = embedded.start()
        ready = shared / "database.json"
        partial = ready.with_suffix(".partial")
        partial.write_text(json.dumps({"url": url}))
        partial.rename(ready)
        users = os.open(shared / "database.users", os.O_RDWR | os.O_CREAT, 0o600)
        while not _all_gone(users):
            time.sleep(0.2)
        ready.unlink(missing_ok=True)  # before the lock goes, so that a newcomer starts its own
        embedded.stop()


def _all_gone(users: int) -> bool:
    try:
        fcntl.flock(users, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


if __name__ == "__main__":
    main(Path(sys.argv[1]))
