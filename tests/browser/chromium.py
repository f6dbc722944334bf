"""The Chromium that this machine has; none is downloaded."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, sync_playwright

NAMES = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome")
NONE = "this machine has no Chromium; `apt-get install chromium`, or what your system calls it, brings one"


def path() -> str:
    """Where it is; empty where there is none."""
    return next(filter(None, map(shutil.which, NAMES)), "")


@contextmanager
def running() -> Iterator[Browser]:
    """A browser without a window, for the length of the block. Raises FileNotFoundError in words."""
    if not path():
        raise FileNotFoundError(NONE)
    with sync_playwright() as playwright:
        # A container's shared memory is often too small for it.
        browser = playwright.chromium.launch(executable_path=path(), args=["--disable-dev-shm-usage"])
        yield browser
        browser.close()
