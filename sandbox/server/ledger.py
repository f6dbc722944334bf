"""What the server did, kept for tests to read: boxes made and ended, commands run."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

_KEPT = 10_000  # a server that runs for months must not grow by what it remembers


def _kept() -> deque[object]:
    return deque(maxlen=_KEPT)


@dataclass(frozen=True)
class Ledger:
    """The newest entries of each kind, oldest first. No environment and no file content is kept."""

    requests: deque[object] = field(default_factory=_kept)
    created: deque[object] = field(default_factory=_kept)
    killed: deque[object] = field(default_factory=_kept)
    commands: deque[object] = field(default_factory=_kept)

    def request(self, method: str, path: str) -> None:
        self.requests.append(f"{method} {path}")

    def box_created(self, box_id: str, tags: Mapping[str, str]) -> None:
        self.created.append({"id": box_id, "tags": dict(tags)})

    def box_killed(self, box_id: str) -> None:
        self.killed.append(box_id)

    def command_run(self, box_id: str, argv: Sequence[str]) -> None:
        self.commands.append({"id": box_id, "argv": list(argv)})

    def as_json(self) -> Mapping[str, object]:
        return {name: list(entries) for name, entries in vars(self).items()}
