"""What the server did, kept for people and tests to read: boxes made and ended, commands run."""

from __future__ import annotations

import datetime as dt
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field

_KEPT = 10_000  # a server that runs for months must not grow by what it remembers
_LIVES = 300
_COMMANDS = 500  # of one box
_WORDS = 120  # of one command line
_SHELL = ["/bin/bash", "-l", "-c"]  # what the SDK puts before every command line


def _kept() -> deque[object]:
    return deque(maxlen=_KEPT)


@dataclass
class Ran:
    """One command of a box. `exit` is None while it runs, and -1 where it was killed."""

    what: str
    began_at: str
    seconds: float = 0.0
    exit: int | None = None

    def ended(self, code: int | None, now: dt.datetime) -> None:
        self.seconds = round((now - dt.datetime.fromisoformat(self.began_at)).total_seconds(), 3)
        self.exit = -1 if code is None or code < 0 else code


@dataclass
class Life:
    """One box from its beginning to its end, and what ran in it. Times are ISO, in UTC."""

    id: str
    tags: Mapping[str, str]
    began_at: str
    ended_at: str | None = None
    commands: list[Ran] = field(default_factory=list)


@dataclass(frozen=True)
class Ledger:
    """The newest entries of each kind, oldest first. No environment and no file content is kept."""

    requests: deque[object] = field(default_factory=_kept)
    created: deque[object] = field(default_factory=_kept)
    killed: deque[object] = field(default_factory=_kept)
    commands: deque[object] = field(default_factory=_kept)
    lives: dict[str, Life] = field(default_factory=dict)

    def request(self, method: str, path: str) -> None:
        self.requests.append(f"{method} {path}")

    def box_created(self, box_id: str, tags: Mapping[str, str]) -> None:
        self.created.append({"id": box_id, "tags": dict(tags)})
        self.lives[box_id] = Life(box_id, dict(tags), _now().isoformat())
        while len(self.lives) > _LIVES:
            del self.lives[next(iter(self.lives))]

    def box_killed(self, box_id: str) -> None:
        self.killed.append(box_id)
        if box_id in self.lives:
            self.lives[box_id].ended_at = _now().isoformat()

    def command_run(self, box_id: str, argv: Sequence[str]) -> Ran:
        """Notes that it began; whoever follows it notes its end."""
        self.commands.append({"id": box_id, "argv": list(argv)})
        line = argv[-1] if list(argv[:-1]) == _SHELL else " ".join(argv)
        ran = Ran(line[:_WORDS], _now().isoformat())
        if box_id in self.lives and len(self.lives[box_id].commands) < _COMMANDS:
            self.lives[box_id].commands.append(ran)
        return ran

    def lived(self) -> list[Mapping[str, object]]:
        """The newest boxes, newest first, ready for JSON."""
        return [asdict(life) for life in reversed(self.lives.values())]

    def as_json(self) -> Mapping[str, object]:
        kinds = {"requests": self.requests, "created": self.created, "killed": self.killed, "commands": self.commands}
        return {name: list(entries) for name, entries in kinds.items()}


def _now() -> dt.datetime:
    return dt.datetime.now(dt.UTC)
