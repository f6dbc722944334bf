"""The far ends that data is taken from: all real servers, on this machine."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from bot.settings import Settings
from bot.source_settings import SourceSettings
from bot.sources.reach import Reach, Sought
from tests.sources.web_peer import WebPeer, web_peer


@pytest.fixture
def web() -> Iterator[WebPeer]:
    with web_peer() as peer:
        yield peer


@pytest.fixture
def other_web() -> Iterator[WebPeer]:
    with web_peer() as peer:
        yield peer


def settings_with(sources: dict[str, dict[str, Any]], **others: Any) -> Settings:
    known = {name: SourceSettings.model_validate(one) for name, one in sources.items()}
    return Settings.load({}).model_copy(update={"sources": known, "source_silence_s": 2.0, **others})


def taken(settings: Settings, *patterns: str, pauses_s: tuple[float, ...] = (0.01,)) -> dict[str, bytes]:
    """What is found and read, by name. Raises SourceError."""
    found: dict[str, bytes] = {}
    with Reach(settings, pauses_s) as reach:
        for one in reach.find(patterns):
            found[one.name] = _read(reach, one)
    return found


def _read(reach: Reach, one: Sought) -> bytes:
    from io import BytesIO  # noqa: PLC0415

    into = BytesIO()
    reach.take(one, into)
    return into.getvalue()


@pytest.fixture
def lab(tmp_path: Path) -> Callable[[str, bytes], Path]:
    """Writes a file below a folder that settings name."""

    def write(name: str, body: bytes) -> Path:
        path = tmp_path / "lab" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(body)
        return path

    (tmp_path / "lab").mkdir()
    return write
