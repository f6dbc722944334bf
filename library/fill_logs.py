"""Log readers from facts: where the level stands in each file, and what each level is counted as."""

from __future__ import annotations

from collections.abc import Mapping

from library.catalog import ParameterSpec
from library.facts import FileFacts, FileKind, LogFacts, name_pattern
from library.filling import Choice, Filling, plain_choices
from library.levels import LEVELS, admitted_levels, known_levels
from library.readers import Reader, earlier_reader, is_packed_alike, packing, with_default
from library.toml_text import TomlValue

KEYED = {FileKind.JSON_LINES: "json", FileKind.LOGFMT: "logfmt"}
LOG_KINDS = (FileKind.TEXT_LOG, *KEYED)


def log_readers(spec: ParameterSpec, filling: Filling) -> TomlValue:
    """{"default": reader, pattern: reader}. A file of the version before keeps its reader if that still explains it."""
    left_out = filling.left_out()
    used = [one for one in filling.files if name_pattern(one.name) not in left_out and _is_usable(one, filling)]
    kept: list[FileFacts] = []
    new: list[FileFacts] = []
    for facts in used:
        earlier = earlier_reader(filling, spec.name, facts.name)
        (kept if earlier is not None and explains(earlier, facts) else new).append(facts)
    chosen = [(facts.name, earlier_reader(filling, spec.name, facts.name) or {}) for facts in kept]
    filling.spans |= {facts.name: (facts.first_at, facts.last_at) for facts in used if facts.last_at}
    return with_default(filling, spec.name, chosen + _grouped(new, filling))


def explains(reader: Reader, facts: FileFacts) -> bool:
    """Whether this reader reads the file as its facts describe it, with every level known."""
    log = facts.log
    if log is None or facts.kind not in LOG_KINDS:
        return False
    fresh, names = _place(facts, log), ("format", "stamp", "level_word", "level_key")
    levels = reader.get("levels")
    same_place = all(reader.get(name) == fresh.get(name) for name in names)
    return (
        same_place and is_packed_alike(reader, facts) and isinstance(levels, Mapping) and set(log.levels) <= set(levels)
    )


def _grouped(files: list[FileFacts], filling: Filling) -> list[tuple[str, Reader]]:
    """Files of one grammar share their levels: what one instrument logs this week another may log next week."""
    groups: dict[str, list[tuple[FileFacts, Reader]]] = {}
    for facts in files:
        assert facts.log is not None
        if _has_level(facts, facts.log, filling):
            reader = _place(facts, facts.log) | _asked_key(facts, facts.log, filling) | packing(filling, facts)
            groups.setdefault(repr(reader), []).append((facts, reader))
    return [
        (facts.name, {**reader, "levels": _levels([one for one, _ in group], filling)})
        for group in groups.values()
        for facts, reader in group
    ]


def _place(facts: FileFacts, log: LogFacts) -> Reader:
    if facts.kind in KEYED:
        reader: Reader = {"format": KEYED[facts.kind], "level_key": log.level_key}
        keys = {"message_key": log.message_key, "time_key": log.time_key}
        return reader | {name: key for name, key in keys.items() if key}
    return {"format": "text", "stamp": log.stamp, "level_word": log.level_word}


def _asked_key(facts: FileFacts, log: LogFacts, filling: Filling) -> Reader:
    if facts.kind in KEYED:
        key = log.level_key or filling.answers.get(f"level-key:{name_pattern(facts.name)}", "")
        return {"level_key": key}
    return {}


def _levels(files: list[FileFacts], filling: Filling) -> TomlValue:
    """Well-known names by the table, others by asking; a name is never counted as something by guess."""
    seen = {level for facts in files if facts.log for level in facts.log.levels}
    known = known_levels(seen)
    admitted = admitted_levels(known) | {name: _agreed(filling)[name] for name in seen & set(_agreed(filling))}
    for name in sorted(seen - set(admitted)):
        where = next(facts for facts in files if facts.log and name in facts.log.levels)
        assert where.log is not None
        lines = where.log.levels[name]
        ask = f'{where.name} has {lines:,} lines with the level "{name}", which is no well-known name. What is it?'
        level = filling.answer(f"level:{name}", ask, plain_choices(*reversed(LEVELS)))
        if level:
            admitted[name] = level
    return dict(admitted)


def _agreed(filling: Filling) -> dict[str, str]:
    """What each level was counted as in the version before, in whichever file."""
    readers = [value for table in filling.before.values() if isinstance(table, Mapping) for value in table.values()]
    tables = [reader.get("levels") for reader in readers if isinstance(reader, Mapping)]
    return {str(name): str(level) for one in tables if isinstance(one, Mapping) for name, level in one.items()}


def _is_usable(facts: FileFacts, filling: Filling) -> bool:
    if facts.kind in LOG_KINDS and facts.log is not None:
        return True
    why = facts.problem or {
        FileKind.EMPTY: "it is empty",
        FileKind.CSV: "it is a table, not a log",
    }.get(facts.kind, "no time stamps or levels were recognised in it")
    filling.ask_to_leave_out(facts, why)
    return False


def _has_level(facts: FileFacts, log: LogFacts, filling: Filling) -> bool:
    if log.has_level:
        return True
    if facts.kind is FileKind.JSON_LINES and log.keys:
        key = f"level-key:{name_pattern(facts.name)}"
        ask = f"{facts.name} is JSON lines, but none of its keys holds well-known levels. Which key is the level?"
        return bool(filling.answer(key, ask, tuple(Choice(name, name) for name in log.keys)))
    filling.ask_to_leave_out(facts, "its lines have no level that I know")
    return False
