"""What the control plane may be asked for: each request parsed strictly into a value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sandbox.server.keys import Keys
from sandbox.server.refusals import BadKey

DEFAULT_LIFETIME_S = 300  # what hosted E2B gives when `timeout` is not sent
MAX_LIFETIME_S = 24 * 3600  # the longest life hosted E2B sells


@dataclass(frozen=True)
class CreateRequest:
    """A box as it was asked for. `tags` is E2B's metadata, `env` is given to every command of the box."""

    template: str
    lifetime_s: int
    tags: Mapping[str, str]
    env: Mapping[str, str]


def parse_create(body: object, template: str) -> CreateRequest:
    """The body of POST /v2/sandboxes. Raises BadKey for whatever a local box cannot be or do."""
    keys = Keys("create", body)
    asked = keys.text("templateID")
    if asked != template:
        raise BadKey(f"create: 'templateID' is {asked!r}, but this server has only the template {template!r}.")
    _refuse_internet(keys)
    _refuse_pausing(keys)
    request = CreateRequest(
        template=asked,
        lifetime_s=parse_lifetime(keys, DEFAULT_LIFETIME_S),
        tags=keys.text_map("metadata"),
        env=keys.text_map("envVars"),
    )
    check_env(request.env)
    keys.done()
    return request


def parse_lifetime(keys: Keys, default: int | None = None) -> int:
    seconds = keys.number("timeout", default)
    if not 0 < seconds <= MAX_LIFETIME_S:
        raise BadKey(f"{keys.what}: 'timeout' must be 1 to {MAX_LIFETIME_S} seconds, not {seconds}.")
    return seconds


def check_env(env: Mapping[str, str]) -> None:
    """Raises BadKey for a variable that would change the launcher itself and not only the command."""
    for name in env:
        if name.startswith("LD_") or name in ("BASH_ENV", "ENV", "SHELLOPTS", "BASHOPTS"):
            raise BadKey(f"variable {name!r} would reach the jail's launcher and is refused.")
        if not name or "=" in name or "\0" in name + env[name]:
            raise BadKey(f"variable {name!r} is no name that a process can be given.")


def _refuse_internet(keys: Keys) -> None:
    """Internet must be switched off by the request itself: hosted E2B's default is on, and we have none."""
    if keys.flag("allow_internet_access", True):
        raise BadKey(
            "create: boxes of this server never have a network; send 'allow_internet_access': false to say so."
        )
    network = keys.nested("network")
    if network.flag("allowPublicTraffic", False):
        raise BadKey("create: 'network.allowPublicTraffic' must be false; these boxes have no public address.")
    network.texts("denyOut")  # everything is denied, so any list of denials is kept
    if network.texts("allowOut"):
        raise BadKey("create: 'network.allowOut' must be empty; boxes of this server never have a network.")
    network.done()


def _refuse_pausing(keys: Keys) -> None:
    if keys.flag("autoPause", False):
        raise BadKey("create: 'autoPause' must be false; a box of this server ends at its time, it never pauses.")
    if keys.has("autoResume"):
        resume = keys.nested("autoResume")
        if resume.flag("enabled", False):
            raise BadKey("create: 'autoResume' must be off; a box of this server never pauses.")
        resume.done()
