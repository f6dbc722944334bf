"""Golden files: what was reviewed, beside what is made now. `pytest --update-golden` writes them anew."""

import json
from pathlib import Path
from typing import Any

import pytest


class Golden:
    """Compares a JSON value with its file."""

    def __init__(self, *, is_updating: bool) -> None:
        self._is_updating = is_updating

    def check(self, path: Path, value: Any) -> None:
        """Fail where `value` is not what `path` holds; write it there instead when updating."""
        written = json.dumps(value, indent=1, ensure_ascii=False) + "\n"
        if self._is_updating:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(written, encoding="utf-8")
        kept = path.read_text(encoding="utf-8") if path.exists() else ""
        assert written == kept, f"{path.name} differs from what was reviewed; see `pytest --update-golden`"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-golden", action="store_true", help="write what is made now as the golden files")


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Golden:
    return Golden(is_updating=bool(request.config.getoption("--update-golden")))
