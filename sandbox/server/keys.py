"""Reading a JSON request key by key, so that nothing in it is ever ignored."""

from __future__ import annotations

from collections.abc import Mapping

from sandbox.server.refusals import BadKey


class Keys:
    """The keys of one JSON object; each reader consumes its key, and `done` refuses what is left.

    A sandbox server that skipped `allow_internet_access` because it expected another spelling would pass
    every functional test and leave the network open. So unknown keys are an error here, without exception.
    """

    def __init__(self, what: str, body: object) -> None:
        if not isinstance(body, dict):
            raise BadKey(f"{what} must be a JSON object.")
        self.what = what
        self._left: dict[str, object] = dict(body)

    def done(self) -> None:
        """Raises BadKey when the request holds a key that nobody asked for."""
        if self._left:
            names = ", ".join(repr(name) for name in sorted(self._left))
            raise BadKey(f"{self.what}: this server does not know or cannot enforce {names}.")

    def has(self, name: str) -> bool:
        return name in self._left

    def text(self, name: str, default: str | None = None) -> str:
        value = self._left.pop(name, default)
        if not isinstance(value, str):
            raise BadKey(f"{self.what}: {name!r} must be text.")
        return value

    def number(self, name: str, default: int | None = None) -> int:
        """A whole number; protobuf's JSON writes 64-bit ones as text, so digits in quotes count too."""
        value = self._left.pop(name, default)
        if isinstance(value, str) and value.isdecimal():
            return int(value)
        if isinstance(value, bool) or not isinstance(value, int):
            raise BadKey(f"{self.what}: {name!r} must be a whole number.")
        return value

    def flag(self, name: str, default: bool) -> bool:
        value = self._left.pop(name, default)
        if not isinstance(value, bool):
            raise BadKey(f"{self.what}: {name!r} must be true or false.")
        return value

    def texts(self, name: str) -> tuple[str, ...]:
        value = self._left.pop(name, None) or []
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            raise BadKey(f"{self.what}: {name!r} must be a list of texts.")
        return tuple(value)

    def text_map(self, name: str) -> Mapping[str, str]:
        value = self._left.pop(name, None) or {}
        if not isinstance(value, dict) or not all(isinstance(item, str) for item in value.values()):
            raise BadKey(f"{self.what}: {name!r} must map texts to texts.")
        return dict(value)

    def nested(self, name: str) -> Keys:
        """The object under `name`, an empty one when it is absent; the caller must call `done` on it."""
        value = self._left.pop(name, None)
        return Keys(f"{self.what}.{name}", {} if value is None else value)
