"""Where a routine's data comes from, in words: on the card, and in what a model is told."""

from datetime import datetime
from zoneinfo import ZoneInfo

from bot.domain.slot_days import filled, has_window
from library.manifest import ChannelSource, FilesSource, Source

SHOWN = 6


def source_words(source: Source, *, due_at: datetime | None, since: datetime | None, zone: str) -> str:
    """One sentence part. With the moments of the next slot, what it will look for is told beside a pattern."""
    if isinstance(source, ChannelSource):
        return f"files posted in <#{source.channel}> after one slot and up to the next"
    if isinstance(source, FilesSource):
        shown = [_address(one, due_at, since, zone) for one in source.files[:SHOWN]]
        rest = [f"{len(source.files) - SHOWN} more, named in plan.toml"] if len(source.files) > SHOWN else []
        return f"{_taken(source, zone)}: {', '.join([*shown, *rest])}"
    query = " ".join(source.query.split()).replace("<#", "< #")
    return f"the rows that the database {source.connection} gives when a slot is due, as {source.file}: {query}"


def _taken(source: FilesSource, zone: str) -> str:
    if not source.only_new:
        return "what is there when a slot is due"
    after = f"{datetime.fromisoformat(source.after).astimezone(ZoneInfo(zone)):%Y-%m-%d %H:%M}" if source.after else ""
    since = f", and which changed there after {after}" if after else ""
    return f"only files that are new when a slot is due, which no report before was made from{since}"


def _address(address: str, due_at: datetime | None, since: datetime | None, zone: str) -> str:
    if due_at is None or since is None or not has_window(address):
        return address
    return f"{address} (next: {filled(address, due_at=due_at, since=since, zone=zone)})"
