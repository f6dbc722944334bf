"""What log and table readers have in common: one default, exceptions by name pattern, packing and encoding."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase

from library.facts import FileFacts, name_pattern
from library.filling import Choice, Filling, plain_choices
from library.toml_text import TomlValue

Reader = dict[str, TomlValue]
Readers = dict[str, Reader]


def earlier_reader(filling: Filling, parameter: str, name: str) -> Reader | None:
    """The reader that the version before has for this name, chosen as the kit chooses it."""
    agreed = filling.before.get(parameter)
    readers = agreed.items() if isinstance(agreed, Mapping) else ()
    return _reader_in({str(pattern): dict(one) for pattern, one in readers if isinstance(one, Mapping)}, name)


def packing(filling: Filling, facts: FileFacts) -> Reader:
    """Only what differs from plain UTF-8. An encoding that is a guess is asked about, once per encoding."""
    reader: Reader = {}
    if facts.compression != "none":
        reader["compression"] = facts.compression
    if not facts.encoding_is_certain:
        ask = f"{facts.name} is not UTF-8. Is it text in {facts.encoding}, as Western Windows programs write it?"
        filling.answer(f"encoding:{facts.encoding}", ask, plain_choices(facts.encoding))
    if facts.encoding != "utf-8":
        reader["encoding"] = facts.encoding
    if facts.line_end != "lf":
        reader["line_end"] = facts.line_end
    if not facts.final_newline:
        odd = [one.name for one in filling.files if not one.final_newline]
        ask = f"{', '.join(odd[:6])} {'does' if len(odd) == 1 else 'do'} not end with a line end, as if cut. Whole?"
        filling.answer("whole", ask, (Choice("whole", "Yes, it is always written so"),))
        reader["final_newline"] = False
    return reader


def is_packed_alike(reader: Reader, facts: FileFacts) -> bool:
    """Whether the reader expects the packing, encoding and line ends that the file has."""
    same = reader.get("compression", "none") == facts.compression
    same = same and reader.get("line_end", "lf") == facts.line_end
    same = same and (facts.final_newline or reader.get("final_newline") is False)
    return same and reader.get("encoding", "utf-8") == facts.encoding


def with_default(filling: Filling, parameter: str, chosen: Sequence[tuple[str, Reader]]) -> Readers:
    """The commonest reader becomes the default, the others stand under their file's pattern.

    In a repair, the default and the exceptions that were agreed stay while any file still uses the default.
    """
    before = filling.before.get(parameter)
    agreed = before.items() if isinstance(before, Mapping) else ()
    readers: Readers = {str(pattern): dict(reader) for pattern, reader in agreed if isinstance(reader, Mapping)}
    fresh = [reader for _, reader in chosen]
    if fresh and readers.get("default") not in fresh:
        readers = {"default": _commonest(fresh)}
    for name, reader in chosen:
        if _reader_in(readers, name) != reader:
            readers[name_pattern(name)] = reader
            filling.notes.append(f"{name} is read in its own way: {_words(reader, readers['default'])}.")
    return readers


def _reader_in(readers: Readers, name: str) -> Reader | None:
    fitting = (reader for pattern, reader in readers.items() if pattern != "default" and fnmatchcase(name, pattern))
    return next(fitting, readers.get("default"))


def _commonest(readers: Sequence[Reader]) -> Reader:
    counted = Counter(repr(reader) for reader in readers)
    winner = counted.most_common(1)[0][0]
    return next(reader for reader in readers if repr(reader) == winner)


def _words(reader: Reader, default: Reader) -> str:
    """What is other than by default, as plan.toml has it."""
    changed = [f"{key} = {value}" for key, value in reader.items() if value != default.get(key) and key != "levels"]
    levels, usual = reader.get("levels"), default.get("levels")
    if isinstance(levels, Mapping) and isinstance(usual, Mapping):
        new = [name for name in levels if name not in usual]
        changed += [f"levels are written {', '.join(new)}"] if new else []
    return "; ".join(changed) or "as agreed before"
