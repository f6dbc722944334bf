"""Versions of the kit: a plan runs on the one it was approved with, also after Standby has been upgraded.

box.json names the kit by the digest of its files, and the archive that holds them. Standby keeps the archive when it
proposes a plan, so an upgrade changes no approved plan: it goes on with its own kit until a new version of it, made
with the new kit, is approved like any other change.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from functools import cache
from typing import BinaryIO

from library.plan_folder import PlanFolder, short
from sandbox.inside_files import kit_digest, look_files, run_files

ARCHIVE_LIMIT_BYTES = 4_000_000
Kept = Callable[[str], BinaryIO]  # kept content by its sha256; raises FileNotFoundError


class KitUnknown(Exception):
    """The kit a plan was approved with is not here. The message says which; propose the plan again with this one."""


@cache
def kit_archive() -> bytes:
    """This version's kit as one piece of content, always the same bytes."""
    files = {name: data.decode("utf-8") for name, data in (run_files() | look_files()).items()}
    return json.dumps(files, sort_keys=True, ensure_ascii=False, indent=0).encode()


def box_json(image: str) -> bytes:
    """box.json for a plan that is made now."""
    keys = {"image": image, "kit": kit_digest(), "kit_archive": _digest(kit_archive())}
    return json.dumps(keys, sort_keys=True).encode()


def image_of(folder: PlanFolder) -> str:
    """The box that this plan runs in, for a version that is made from it."""
    return str(json.loads(folder.files["box.json"])["image"])


def kit_of(folder: PlanFolder, kept: Kept | None) -> Mapping[str, bytes]:
    """The files of the kit this plan was approved with, by path in the box. Raises KitUnknown.

    The runner in the box measures those that run; those that look come along, since shape.json was made by them.
    """
    wanted, archive = _named(folder)
    if archive == _digest(kit_archive()) or (wanted == kit_digest() and not archive):
        return run_files() | look_files()
    files = _unpacked(archive, kept) if kept is not None and archive else {}
    if not files:
        raise KitUnknown(
            f"Plan {short(folder.digest)} did not run: it was approved with kit {short(wanted)}, which is not kept "
            f"here; this Standby has kit {short(kit_digest())}. Propose it again to approve it with the new kit."
        )
    return files


def _named(folder: PlanFolder) -> tuple[str, str]:
    try:
        keys = json.loads(folder.files["box.json"])
        return str(keys["kit"]), str(keys.get("kit_archive", ""))
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise KitUnknown(f"Plan {short(folder.digest)} did not run: its box.json names no kit.") from error


def _unpacked(archive: str, kept: Kept) -> Mapping[str, bytes]:
    """Nothing where the content is gone or is not what its name says."""
    try:
        with kept(archive) as stream:
            data = stream.read(ARCHIVE_LIMIT_BYTES)
        files = json.loads(data) if _digest(data) == archive else {}
    except (OSError, ValueError):
        return {}
    return {str(name): str(text).encode() for name, text in files.items()} if isinstance(files, dict) else {}


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
