"""From an address to an open place, if settings allow it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from urllib.parse import urlsplit

from bot.settings import PREFIX, Settings
from bot.source_settings import SourceSettings
from bot.sources.bucket import Bucket
from bot.sources.errors import SourceNotAllowed
from bot.sources.folder import Folder
from bot.sources.place import Place
from bot.sources.sftp import Sftp
from bot.sources.web import Web


def source_of(settings: Settings, address: str) -> SourceSettings | None:
    """The source whose root covers an address; of several the one that says most."""
    covering = [one for one in settings.sources.values() if one.covers(address)]
    return max(covering, key=lambda one: len(one.root), default=None)


def open_in(settings: Settings, channel_id: str) -> Settings:
    """The settings with those sources alone that people of a channel may read."""
    ours = {name: one for name, one in settings.sources.items() if not one.channels or channel_id in one.channels}
    return settings.model_copy(update={"sources": ours})


def require_allowed(settings: Settings, address: str) -> SourceSettings:
    """Raises SourceNotAllowed with the very setting that an admin would add."""
    found = source_of(settings, address)
    if found is None:
        raise SourceNotAllowed(
            f"Standby may not read {address}: no source of its settings covers it for this channel, so nothing was "
            "asked there. "
            f"An admin allows it by adding this to {PREFIX}SOURCES, with the login beside root where it needs one: "
            f"{_example(address)}"
        )
    return found


@contextmanager
def opened(settings: Settings, address: str) -> Iterator[Place]:
    """The place that an address is at. Raises SourceError."""
    place = _place(settings, require_allowed(settings, address), address)
    try:
        yield place
    finally:
        if isinstance(place, Web | Sftp):
            place.close()


def is_web(address: str) -> bool:
    return address.startswith(("https://", "http://"))


def in_place(address: str) -> str:
    """What its place calls an address."""
    scheme, _, rest = address.partition("://")
    if address.startswith("/") or is_web(address):
        return address
    path = rest.partition("/")[2]
    return f"/{path}" if scheme == "sftp" else path


def _place(settings: Settings, source: SourceSettings, address: str) -> Place:
    silence_s = settings.source_silence_s
    if source.scheme == "file":
        return Folder(source.root)
    if source.scheme in ("http", "https"):
        return Web(source, partial(source_of, settings), silence_s)
    if source.scheme == "sftp":
        return Sftp(source, silence_s)
    return Bucket(source, address.split("/")[2], silence_s)


def _example(address: str) -> str:
    if address.startswith("/"):
        root, name = address[: re.split(r"[*?{]", address)[0].rindex("/") + 1], "folder"
    else:
        parts = urlsplit(address)
        root, name = f"{parts.scheme}://{parts.netloc}/", parts.hostname or "source"
    named = "-".join(re.findall(r"[a-z0-9]+", name.lower())) or "source"
    return json.dumps({named: {"root": root}})
