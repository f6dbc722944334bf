"""The channels that a request names: found, and open to us and to whoever asks; or a sentence on what is missing."""

import re

from bot.domain.errors import RequestProblem
from bot.domain.ports import ChannelSeen
from bot.domain.request import Wish
from bot.store.tables_talk import Task
from bot.work.parts import JobParts

ID = re.compile(r"[CG][A-Z0-9]{6,}")


def channels_to_post_in(parts: JobParts, task: Task, wish: Wish) -> tuple[str, ...]:
    """Their ids, each once; none where the request names none. Raises RequestProblem."""
    found = [_checked(parts, task, name) if name else task.channel_id for name in wish.channels]
    return tuple(dict.fromkeys(found))


def _checked(parts: JobParts, task: Task, name: str) -> str:
    seen = _seen(parts, name)
    if seen is None:
        raise RequestProblem(
            f"You want it posted in #{name}, and I see no channel of that name. Where it is private, /invite me there, "
            "then write here again; or name another channel."
        )
    if not seen.is_member:
        raise RequestProblem(
            f"You want it posted in #{seen.name}, and I am not in that channel. Type /invite there and choose me, then "
            "write here again."
        )
    if not parts.chat.may_read(seen.channel_id, task.requester_id):
        raise RequestProblem(
            f"You want it posted in #{seen.name}, and you are not in that channel yourself. Somebody who is has to "
            "ask, or name another channel."
        )
    return seen.channel_id


def _seen(parts: JobParts, name: str) -> ChannelSeen | None:
    if ID.fullmatch(name):
        return ChannelSeen(name, name, parts.chat.is_in(name))
    return parts.chat.channel_named(name)
