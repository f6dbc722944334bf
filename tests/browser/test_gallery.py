"""Every card and view, drawn by the desk: readable at the width of a desktop and of a phone."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.browser.gallery import CARDS, MODALS, WIDTHS, gallery, hangs_out
from tests.browser.visitor import Findings, visiting

# One worker does all of them, with one browser. Slow: some eighty drawings.
pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.xdist_group("browser")]


def test_every_card_and_view_fits_and_holds_nothing_unknown(
    browser: Browser, findings: Findings, tmp_path: Path
) -> None:
    wrong: dict[str, list[str]] = {}
    with gallery(tmp_path) as one:
        for width, size in WIDTHS.items():
            with visiting(browser, one.desk.url, findings, size=size) as alice:
                seen = 0
                for name, shown in one.hang(alice):
                    seen += 1
                    found = hangs_out(shown) + shown.locator(".unknown").all_inner_texts()
                    wrong |= {f"{name}, {width}": found} if found else {}
                    alice.fits()
                assert seen == len(CARDS) + len(MODALS)
                alice.is_accessible(f"all cards, {width}")
    assert wrong == {}
