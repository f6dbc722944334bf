"""The shape of a plan's sample, and how this slot's files differ from it, in plain words."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from library.facts import FileFacts, name_pattern
from library.levels import admitted_levels

VERSION = 1
LINES = ("text log", "json lines", "logfmt", "csv", "text")  # kinds of files that end well at the end of any line
KEYED = ("json", "json lines")  # kinds of files whose columns are keys
# Of files of one form, what one may have and another not.
_VARYING: Mapping[str, Any] = {"name": "", "levels": (), "continues": 0.0, "is_ascii": False, "digits": ()}
# What cannot be seen in a sentence, or is taken for a part of it.
_MARKS = {"\t": "a tab", ",": "a comma", ";": "a semicolon", "|": "a bar", " ": "a space", ".": "a point"}
MORE_CONTINUES = 0.4  # of all lines; weeks with many stack traces stay below


class ShapeUnreadable(ValueError):
    """shape.json is not what this Standby writes, so files cannot be compared with it. Propose the plan again."""


@dataclass(frozen=True)
class FileShape:
    """What should stay from week to week in files of one name pattern. Counts, sizes and order are free: not here."""

    name: str  # of the file it was taken from, for messages
    kind: str
    compression: str = "none"
    encoding: str = "utf-8"
    level_place: str = ""
    continues: float = 0.0  # share of lines that continue the record above
    levels: tuple[str, ...] = ()
    delimiter: str = ""
    decimal: str = ""  # "" where no number shows a mark
    columns: tuple[tuple[str, str], ...] = ()  # name, kind
    # Of the files of now alone, and never kept: what makes two words for one thing.
    is_ascii: bool = False
    digits: tuple[tuple[str, int], ...] = ()  # columns whose cells all have so many digits


@dataclass(frozen=True)
class Difference:
    file: str  # its name, or the pattern of one that is missing
    words: str  # a clause of which the file is the subject
    expected: str
    seen: str


def shape_of(files: Sequence[FileFacts]) -> bytes:
    """shape.json, always the same bytes for files of the same shape."""
    shapes: dict[str, object] = {}
    for pattern, forms in sorted(_shapes(files).items()):
        shapes[pattern] = _kept(forms[0]) if len(forms) == 1 else [_kept(form) for form in forms]
    return (json.dumps({"version": VERSION, "files": shapes}, indent=1, ensure_ascii=False) + "\n").encode()


def compare(shape: bytes, files: Sequence[FileFacts]) -> tuple[Difference, ...]:
    """Every difference from shape.json that matters; none for what may vary. Raises ShapeUnreadable.

    Free are counts, a level that is not seen in a quiet week, and one more file of a form that is agreed already.
    """
    agreed, now = _read(shape), {facts.name: _file_shape(facts) for facts in files}
    there = {name_pattern(name) for name in now}
    gone = [pattern for pattern in agreed if pattern not in there]
    found = [Difference(pattern, "is missing", f"a file {pattern}", "none") for pattern in gone]
    every = [form for forms in agreed.values() for form in forms]
    for name, seen in sorted(now.items()):
        if forms := agreed.get(name_pattern(name)):
            nearest = min((_differences(form, seen) for form in forms), key=len)
            found += nearest
        elif all(_differences(known, seen) for known in every):
            found.append(Difference(name, "is new and like none of the agreed files", "the agreed files", seen.kind))
    return tuple(found)


def strangers(shape: bytes, files: Sequence[FileFacts], new: Collection[str]) -> tuple[str, ...]:
    """Which of the names in `new` are clearly something else: an HTML page, or a table without any agreed column.

    None while an agreed file is missing: a stranger may be it. Raises ShapeUnreadable.
    """
    agreed, there = _read(shape), {name_pattern(facts.name) for facts in files}
    if not there.issuperset(agreed):
        return ()
    columns = {name for forms in agreed.values() for form in forms for name, _ in form.columns}
    return tuple(facts.name for facts in files if facts.name in new and _is_stranger(facts, columns))


def _is_stranger(facts: FileFacts, agreed: set[str]) -> bool:
    columns = {name for name, _ in _file_shape(facts).columns}
    return facts.is_page or bool(agreed and columns and agreed.isdisjoint(columns))


def kinds(shape: bytes) -> dict[str, str]:
    """The kind of file that each pattern of names stands for. Raises ShapeUnreadable."""
    return {pattern: forms[0].kind for pattern, forms in _read(shape).items()}


def is_alike(shape: bytes, files: Sequence[FileFacts]) -> bool:
    """Whether files are such as the agreed ones in kind, form and columns, whatever they are called.

    Each must be like one of the agreed, and each agreed form must be there. Raises ShapeUnreadable.
    """
    agreed, now = [form for forms in _read(shape).values() for form in forms], [_file_shape(facts) for facts in files]
    known = all(any(not _differences(form, one) for form in agreed) for one in now)
    return bool(now) and known and all(any(not _differences(form, one) for one in now) for form in agreed)


def _shapes(files: Sequence[FileFacts]) -> dict[str, list[FileShape]]:
    """The forms that files of each name pattern have; files of one form are one."""
    shapes: dict[str, list[FileShape]] = {}
    for facts in sorted(files, key=lambda one: one.name):
        forms, new = shapes.setdefault(name_pattern(facts.name), []), _file_shape(facts)
        for at, form in enumerate(forms):
            if replace(form, **_VARYING) == replace(new, **_VARYING):
                levels = tuple(sorted({*form.levels, *new.levels}))
                forms[at] = replace(form, levels=levels, continues=max(form.continues, new.continues))
                break
        else:
            forms.append(new)
    return shapes


def _kept(form: FileShape) -> dict[str, object]:
    return {key: value for key, value in asdict(form).items() if key not in ("is_ascii", "digits")}


def _read(data: bytes) -> dict[str, list[FileShape]]:
    try:
        read = json.loads(data)
        if read["version"] != VERSION:
            raise ShapeUnreadable(f"shape.json has version {read['version']!r}; this Standby reads {VERSION}.")
        return {
            pattern: [_read_file(one) for one in (keys if isinstance(keys, list) else [keys])]
            for pattern, keys in read["files"].items()
        }
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise ShapeUnreadable(f"shape.json cannot be read: {error}.") from error


def _file_shape(facts: FileFacts) -> FileShape:
    log = facts.log
    is_log = log is not None and log.has_level
    table = None if is_log else facts.csv  # what else a log says varies from record to record
    place = "" if log is None else log.level_key or f"word {log.level_word} after stamp {log.stamp}"
    return FileShape(
        name=facts.name,
        kind=str(facts.kind),
        compression=facts.compression,
        encoding=facts.encoding,
        level_place=place,
        continues=0.0 if log is None or not facts.lines else round(log.continuation_lines / facts.lines, 2),
        levels=() if log is None else tuple(sorted(log.levels)),
        delimiter="" if table is None else table.delimiter,
        decimal=table.decimal if table is not None and table.has_marks else "",
        columns=()
        if table is None
        else tuple((column.name, column.kind) for column in table.columns if not column.is_optional),
        is_ascii=facts.is_ascii,
        digits=() if table is None else tuple((one.name, one.digits) for one in table.columns if one.digits),
    )


def _differences(agreed: FileShape, now: FileShape) -> list[Difference]:
    """In another kind of file nothing else can be compared."""
    if agreed.kind != now.kind:
        return [_changed(now, "kind", agreed.kind, now.kind)]
    changed = [
        _changed(now, words, was, is_now)
        for words, was, is_now in (
            ("packing", agreed.compression, now.compression),
            ("encoding", agreed.encoding, agreed.encoding if _reads_ascii(agreed, now) else now.encoding),
            ("place of the level", agreed.level_place, now.level_place),
            ("delimiter", agreed.delimiter, now.delimiter),
            ("decimal mark", agreed.decimal or now.decimal, now.decimal or agreed.decimal),
        )
        if was != is_now
    ]
    more = _continuation_differences(agreed, now)
    return [*changed, *more, *_level_differences(agreed, now), *_column_differences(agreed, now)]


def _reads_ascii(agreed: FileShape, now: FileShape) -> bool:
    """Whether a file has no letter by which its encoding could be told from the agreed one."""
    marked = agreed.encoding.startswith("utf-16") or "sig" in agreed.encoding or "sig" in now.encoding
    return now.is_ascii and not marked and not now.encoding.startswith("utf-16")


def _continuation_differences(agreed: FileShape, now: FileShape) -> Iterator[Difference]:
    """Stack traces come and go; where suddenly much only continues records, records may have another form."""
    if now.continues > max(3 * agreed.continues, agreed.continues + MORE_CONTINUES):
        was, is_now = f"{agreed.continues:.0%}", f"{now.continues:.0%}"
        yield Difference(now.name, f"has {is_now} of lines that only continue a record, it had {was}", was, is_now)


def _level_differences(agreed: FileShape, now: FileShape) -> Iterator[Difference]:
    """A level not seen this time is a quiet week, a first CRITICAL is no new vocabulary, a second name for WARN is."""
    admitted = {*agreed.levels, *admitted_levels(agreed.levels)}
    new = [level for level in now.levels if level not in admitted]
    if new:
        words = f"has levels that were not there: {', '.join(new[:6])}"
        yield Difference(now.name, words, ", ".join(agreed.levels), ", ".join(now.levels))


def _column_differences(agreed: FileShape, now: FileShape) -> Iterator[Difference]:
    before, after = [name for name, _ in agreed.columns], [name for name, _ in now.columns]
    if agreed.kind in KEYED:  # keys come in any order, and some in some records only
        after = [name for name in before if name in after]
    if before != after:
        gone, new = [one for one in before if one not in after], [one for one in after if one not in before]
        lost = f"lacks the columns {', '.join(gone[:6])}" if gone else ""
        got = f"has new columns {', '.join(new[:6])}" if new else ""
        words = " and ".join(filter(None, (lost, got))) or "has its columns in another order"
        yield Difference(now.name, words, ", ".join(before), ", ".join(after))
    kinds = dict(now.columns)
    # Codes among which none happens to begin with a zero this time.
    kinds |= {name: kind for name, kind in agreed.columns if kind == f"code of {dict(now.digits).get(name)} digits"}
    for name, kind in agreed.columns:
        if name in kinds and "empty" not in (kind, kinds[name]) and kind != kinds[name]:
            yield _changed(now, f"kind of column {name}", kind, kinds[name])


def _changed(now: FileShape, what: str, was: str, is_now: str) -> Difference:
    before, after = _MARKS.get(was, was), _MARKS.get(is_now, is_now)
    return Difference(now.name, f"has another {what}: it was {before} and is {after}", before, after)


def _read_file(keys: Mapping[str, object]) -> FileShape:
    """Texts stay texts; lists become tuples again."""
    levels, columns = keys["levels"], keys["columns"]
    if not isinstance(columns, list) or not isinstance(levels, list):
        raise TypeError("levels and columns should be lists")
    texts: dict[str, Any] = {name: value for name, value in keys.items() if isinstance(value, str)}
    continues = keys["continues"]
    if not isinstance(continues, int | float):
        raise TypeError("continues should be a number")
    return FileShape(
        **texts,
        continues=continues,
        levels=tuple(map(str, levels)),
        columns=tuple((str(name), str(kind)) for name, kind in columns),
    )
